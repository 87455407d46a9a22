"""What tasks gave, kept in a folder: a driver that starts again does not begin again."""

from __future__ import annotations

import hashlib
import uuid
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError

Result: TypeAlias = dict[str, NDArray[Any]]
"""What a task gives: named arrays."""


class Journal:
    """Results by the key of their task. Workers write them, so none waits for the driver.

    Parameters
    ----------
    folder
        Where they are kept; it is made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)

    def read(self, key: str) -> Result | None:
        """Return what a task gave before, or None. A damaged file counts as none."""
        try:
            with (
                self._path(key).open("rb") as file,
                np.load(file, allow_pickle=False) as kept,
            ):
                return {name: kept[name] for name in kept.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None

    def write(self, key: str, result: Result) -> None:
        """Keep what a task gave; the file is there only when it is whole."""
        write_array(self._path(key), result)

    def remove(self, key: str) -> None:
        """Forget what a task gave, if it is there."""
        self._path(key).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.npz"


def write_array(path: Path, array: NDArray[Any] | Result) -> None:
    """Write an array, or several by name; the file is there only when it is whole."""
    # Workers on several machines may write the same file at the same time.
    draft = path.with_name(f".{path.stem}.{uuid.uuid4().hex}.part")
    try:
        with draft.open("wb") as file:
            if isinstance(array, dict):
                np.savez(file, **array)  # type: ignore[arg-type]
            else:
                np.save(file, array)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_rows(path: Path, rows: int, some: Iterable[FloatArray]) -> None:
    """Write an array of so many rows, given a few at a time; the file is there only when whole."""
    draft = path.with_name(f".{path.stem}.{uuid.uuid4().hex}.part")
    written = 0
    try:
        with draft.open("wb") as file:
            for block in some:
                if not written:
                    shape = (rows, block.shape[1])
                    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
                    np.lib.format.write_array_header_1_0(file, header)
                file.write(np.ascontiguousarray(block, dtype="<f8").data)
                written += len(block)
        if written != rows:
            raise DataError(f"{path.name} would have {written} rows in place of {rows}.")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def task_key(name: str, arguments: Sequence[Any]) -> str:
    """Name a task by what it does and to what, the same in every run.

    >>> task_key("count", [1, 2.5]) == task_key("count", [1, 2.5])
    True
    >>> task_key("count", [1, 2.5]) == task_key("count", [2, 2.5])
    False
    """
    digest = hashlib.sha256(name.encode())
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            digest.update(f"{argument.dtype}{argument.shape}".encode())
            digest.update(np.ascontiguousarray(argument).tobytes())
        else:
            digest.update(repr(argument).encode())
        digest.update(b"|")
    return digest.hexdigest()[:40]
