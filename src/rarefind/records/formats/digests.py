"""What a file holds, as one short word: a changed file has another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from rarefind.core.errors import DataError
from rarefind.records.pictures.places import pictures_in
from rarefind.records.several_names import found_files
from rarefind.records.table_folders import tables_in


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's content, or of the names and contents of several."""
    path = Path(path)
    try:
        parts = found_files(path)
        if parts is None and not path.is_dir():
            return _digest(path)
        if parts is None:
            parts = tables_in(path)
        whole = hashlib.sha256()
        for name, part in _named(path, parts):
            whole.update(f"{name}\0{_digest(part)}\n".encode("utf-8", "surrogateescape"))
        return whole.hexdigest()
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror or problem}.") from None


def joint_digest(*digests: str) -> str:
    """Return the digest of files that are read together."""
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _named(path: Path, parts: list[Path] | None) -> Iterator[tuple[str, Path]]:
    """Yield the files that are read of several, or of a folder and, as pictures, within it."""
    for part in parts or sorted(path.iterdir(), key=lambda entry: entry.name):
        if part.is_file() and not part.name.startswith("."):
            yield part.name, part
    if parts is None:
        for part in pictures_in(path):
            if part.parent != path:
                yield part.relative_to(path).as_posix(), part


def _digest(path: Path) -> str:
    if path.exists() and not path.is_file():  # a pipe or a device would never end
        raise DataError(f"{path} is neither a file nor a folder.")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
