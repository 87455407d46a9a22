"""Models on disk: one file of plain numbers and words, without pickle.

A model file is an uncompressed zip archive of ``model.json`` (format, versions, class names,
parameters, and size and SHA-256 of every array) and one ``.npy`` file per array. Loading makes
objects of known classes only (see ``model_classes``) and runs no code from the file; it allocates
no more memory than the file is long. A checksum shows damage, not who wrote the file.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import tempfile
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray

from rarefind._version import __version__
from rarefind.core.errors import DataError, RarefindWarning
from rarefind.detection.model_codec import Decoder, Encoder

_FORMAT = "rarefind model"
_VERSION = 1
_MANIFEST = "model.json"
_MOST_ARRAYS = 100_000


class MissingFileError(DataError, FileNotFoundError):
    """There is no such model file."""


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model, or a kernel, to a file.

    Kernels, the learners of rarefind, and those of scikit-learn's models that hold nothing but
    numbers can be saved: linear models, SVC, LDA, PCA, scalers, forests, gradient boosting on
    histograms, nearest neighbours, pipelines of these. Others are refused with a
    sentence that says which part is the reason.

    Parameters
    ----------
    model
        What to save.
    path
        Where. A file of that name is replaced once the new one is complete.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from rarefind.kernels import Gaussian
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "kernel.rarefind"
    ...     save(Gaussian(width=2.0), path)
    ...     load(path)
    Gaussian(width=2.0)
    """
    encoder = Encoder()
    plain = encoder.encode(model, type(model).__name__)
    files = [_npy(array) for array in encoder.arrays]
    manifest = {
        "format": _FORMAT,
        "version": _VERSION,
        "rarefind": __version__,
        "scikit-learn": sklearn.__version__,
        "arrays": [
            {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for content in files
        ],
        "model": plain,
    }
    text = json.dumps(manifest, allow_nan=False, indent=1)
    target = _path(path, "save")
    if target.is_dir() or not target.parent.is_dir():
        what = (
            "is a folder" if target.is_dir() else f"lies in no folder: {target.parent} is missing"
        )
        raise DataError(f"{target} {what}. Give save a file name in a folder that exists.")
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".model-", delete=False) as file:
        try:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                archive.writestr(_MANIFEST, text)
                for number, content in enumerate(files):
                    archive.writestr(_array_name(number), content)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            Path(file.name).unlink()
            raise
    Path(file.name).replace(target)


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model from a file, or refuse it in one sentence (DataError)."""
    where = _path(path, "load")
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
    except DataError as problem:
        raise DataError(
            f"{where.name} cannot be loaded as a model: {problem}. "
            "Save the model again, or fit it again from its records."
        ) from None


def _path(path: Any, doing: str) -> Path:
    try:
        return Path(path)
    except TypeError:
        raise DataError(
            f"{doing} needs the name of a file. Got {type(path).__name__} instead."
        ) from None


def _load(file: Any, length: int) -> Any:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise DataError("it is damaged, cut short, or not a file that rarefind wrote") from None
    with archive:
        entries = _entries(archive, length)
        manifest = _manifest(_read(archive, entries[_MANIFEST]))
        listed = manifest["arrays"]
        expected = {_MANIFEST, *(_array_name(number) for number in range(len(listed)))}
        if set(entries) != expected:
            raise DataError("it does not hold the arrays it lists, and only those")
        arrays = []
        for number, facts in enumerate(listed):
            content = _read(archive, entries[_array_name(number)])
            if hashlib.sha256(content).hexdigest() != facts.get("sha256"):
                raise DataError(f"array {number} is damaged (its checksum differs)")
            arrays.append(_array(content))
    try:
        return Decoder(arrays).decode(manifest["model"])
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
    if _MANIFEST not in entries:
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
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise DataError("it was not written by rarefind")
    if manifest.get("version") != _VERSION:
        raise DataError(
            f"it has format version {str(manifest.get('version'))[:20]}, and this rarefind "
            f"reads version {_VERSION}"
        )
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


def _array_name(number: int) -> str:
    return f"arrays/{number}.npy"


def _npy(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


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
    except (ValueError, KeyError, TypeError):
        raise DataError("one of its arrays has a damaged header") from None
    if dtype.hasobject or dtype.itemsize == 0:
        raise DataError("one of its arrays holds Python objects, which are never loaded")
    rest = len(content) - buffer.tell()
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != rest:
        raise DataError("one of its arrays is not as long as it says")
    try:
        flat = np.frombuffer(content, dtype=dtype, count=math.prod(shape), offset=buffer.tell())
        return np.array(flat.reshape(shape, order="F" if fortran else "C"), order="K")
    except ValueError:
        raise DataError("one of its arrays has an impossible shape") from None
