"""What a file holds, as one short word: a changed file has another."""

from __future__ import annotations

import hashlib
from pathlib import Path

from rarefind.core.errors import DataError
from rarefind.records.several_names import found_files


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's content, or of the names and contents of several."""
    path = Path(path)
    try:
        parts = found_files(path)
        if parts is None and not path.is_dir():
            return _digest(path)
        whole = hashlib.sha256()
        for part in parts or sorted(path.iterdir(), key=lambda entry: entry.name):
            if part.is_file() and not part.name.startswith("."):
                whole.update(f"{part.name}\0{_digest(part)}\n".encode("utf-8", "surrogateescape"))
        return whole.hexdigest()
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror or problem}.") from None


def _digest(path: Path) -> str:
    if path.exists() and not path.is_file():  # a pipe or a device would never end
        raise DataError(f"{path} is neither a file nor a folder.")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
