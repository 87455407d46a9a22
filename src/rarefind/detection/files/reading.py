"""Loading a model, of any version of the file."""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import tokenize
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray

from rarefind.core.errors import DataError, RarefindWarning
from rarefind.detection.files import class_names, version_1
from rarefind.detection.files.decoding import ModelDecoder
from rarefind.detection.files.layout import FORMAT, MANIFEST, VERSION, array_name, file_path

_READERS: dict[int, Callable[[Any], type]] = {1: version_1.class_of, 2: class_names.class_of}
"""How the files of each version name classes, which is all they differ in so far."""

_HEADER_FAULTS = (
    ValueError, KeyError, TypeError, SyntaxError, tokenize.TokenError, RecursionError, MemoryError,
)  # fmt: skip
"""What NumPy raises for headers that are no description of an array, whatever is in them."""

_MOST_ARRAYS = 100_000
"""Far more than any model has; a file of more is not one of ours."""

_MOST_LETTERS = 300
"""Of what is wrong with a file: the longest of our own sentences fit."""


class MissingFileError(DataError, FileNotFoundError):
    """There is no such model file."""


class _NewerFileError(DataError):
    """The file was written by a later rarefind."""


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model from a file, or refuse it in one sentence (DataError)."""
    where = file_path(path, "load")
    if where.is_dir():
        raise DataError(f"{where} is a folder, not a model. Name the file inside it.")
    try:
        with where.open("rb") as file:
            return _load(file, where.stat().st_size)
    except FileNotFoundError:
        raise MissingFileError(
            f"There is no file {where}. Check the name, or save the model there first."
        ) from None
    except OSError as problem:
        reason = problem.strerror or problem
        raise DataError(f"{where} cannot be read: {reason}. Check the file.") from None
    except _NewerFileError as problem:
        raise DataError(f"{where.name} cannot be loaded as a model: {problem}.") from None
    except DataError as problem:
        # Words of the file, and of libraries about it, may go on for pages.
        words = " ".join(str(problem).split())[:_MOST_LETTERS].rstrip(".")
        raise DataError(
            f"{where.name} cannot be loaded as a model: {words}. "
            "Save the model again, or fit it again from its records."
        ) from None


def _load(file: Any, length: int) -> Any:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise DataError("it is damaged, cut short, or not a file that rarefind wrote") from None
    with archive:
        entries = _entries(archive, length)
        manifest = _manifest(_read(archive, entries[MANIFEST]))
        listed = manifest["arrays"]
        expected = {MANIFEST, *(array_name(number) for number in range(len(listed)))}
        if set(entries) != expected:
            raise DataError("it does not hold the arrays it lists, and only those")
        arrays = []
        for number, facts in enumerate(listed):
            content = _read(archive, entries[array_name(number)])
            if hashlib.sha256(content).hexdigest() != facts.get("sha256"):
                raise DataError(f"array {number} is damaged (its checksum differs)")
            arrays.append(_array(content))
    try:
        return ModelDecoder(arrays, _READERS[manifest["version"]]).decode(manifest["model"])
    except DataError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as problem:
        raise DataError(f"its description of the model is damaged ({problem})") from None


def _entries(archive: zipfile.ZipFile, length: int) -> dict[str, zipfile.ZipInfo]:
    """Names in the archive; nothing compressed, doubled, or longer than the file itself."""
    infos = archive.infolist()
    entries = {info.filename: info for info in infos}
    plain = all(
        info.compress_type == zipfile.ZIP_STORED
        and info.file_size == info.compress_size
        and not info.flag_bits & 0x1
        for info in infos
    )
    fits = len(entries) == len(infos) <= _MOST_ARRAYS + 1
    if not (plain and fits and sum(info.file_size for info in infos) <= length):
        raise DataError("it is an archive that rarefind would not have written")
    if MANIFEST not in entries:
        raise DataError("it is an archive without a description of a model")
    return entries


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(info)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, ValueError) as problem:
        raise DataError(f"it is damaged ({problem})") from None


def _manifest(content: bytes) -> dict[str, Any]:
    try:
        manifest = json.loads(content)
    except (ValueError, RecursionError):
        raise DataError("its description of the model is damaged") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise DataError("it was not written by rarefind")
    version = manifest.get("version")
    if type(version) is int and version > VERSION:
        raise _NewerFileError(
            f"it has format version {str(version)[:20]}, and this rarefind reads versions up to "
            f"{VERSION}: install a newer rarefind"
        )
    if type(version) is not int or version not in _READERS:
        raise DataError(f"there is no format version {str(version)[:20]}")
    listed = manifest.get("arrays")
    if (
        not isinstance(listed, list)
        or "model" not in manifest
        or not all(isinstance(facts, dict) for facts in listed)
    ):
        raise DataError("its description of the model is damaged")
    written = str(manifest.get("scikit-learn"))
    if '"sklearn.' in content.decode("utf-8", "replace") and _release(written) != _release(
        sklearn.__version__
    ):
        warnings.warn(
            f"The model was saved with scikit-learn {written[:20]}; this is {sklearn.__version__}. "
            "Check its results before relying on them.",
            RarefindWarning,
            stacklevel=5,
        )
    return manifest


def _release(version: str) -> list[str]:
    return version.split(".")[:2]


def _array(content: bytes) -> NDArray[Any]:
    """Read an array, whose header must announce exactly as many bytes as there are."""
    buffer = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(buffer)
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, fortran, dtype = read(buffer)
    except _HEADER_FAULTS:
        raise DataError("one of its arrays has a damaged header") from None
    if dtype.hasobject or dtype.itemsize == 0:
        raise DataError("one of its arrays holds Python objects, which are never loaded")
    rest = len(content) - buffer.tell()
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != rest:
        raise DataError("one of its arrays is not as long as it says")
    try:
        flat = np.frombuffer(content, dtype=dtype, count=math.prod(shape), offset=buffer.tell())
        return np.array(flat.reshape(shape, order="F" if fortran else "C"), order="K")
    except (ValueError, OverflowError):
        raise DataError("one of its arrays has an impossible shape") from None
