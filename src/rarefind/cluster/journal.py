"""What tasks gave, kept in a folder: a driver that starts again does not begin again."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Result: TypeAlias = dict[str, NDArray[Any]]
"""What a task gives: named arrays."""


class Journal:
    """Results by the key of their task.

    Parameters
    ----------
    folder
        Where they are kept; it is made if it is not there.

    Attributes
    ----------
    found, written
        How many results were taken from the folder, and how many were added.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self.found = 0
        self.written = 0

    def read(self, key: str) -> Result | None:
        """Return what a task gave before, or None. A damaged file counts as none."""
        try:
            with (
                self._path(key).open("rb") as file,
                np.load(file, allow_pickle=False) as kept,
            ):
                result = {name: kept[name] for name in kept.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None
        self.found += 1
        return result

    def write(self, key: str, result: Result) -> None:
        """Keep what a task gave; the file is there only when it is whole."""
        path = self._path(key)
        draft = path.with_suffix(f".{os.getpid()}.part")
        with draft.open("wb") as file:
            np.savez(file, **result)  # type: ignore[arg-type]
        draft.replace(path)
        self.written += 1

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.npz"


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
