"""One path that names several files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rarefind.core.errors import DataError


def joined_name(files: Sequence[Path]) -> Path:
    """Name several files by one path, as a shell would: ``folder/{a.csv,b.csv}``.

    >>> joined_name([Path("d/a.csv"), Path("d/b.csv")]).as_posix()
    'd/{a.csv,b.csv}'
    """
    if len(files) == 1:
        return files[0]
    if len({file.absolute().parent for file in files}) > 1 or any("," in f.name for f in files):
        raise DataError(
            f"Several files are one table if they lie in one folder. Got {files[0]} and "
            f"{files[-1]}: put them into one, and give the folder."
        )
    return files[0].parent / f"{{{','.join(file.name for file in files)}}}"


def found_files(path: Path) -> list[Path] | None:
    """List the files that one path names, by braces or wildcards; None if it names one.

    >>> [part.name for part in found_files(Path("d/{a.csv,b.csv}"))]
    ['a.csv', 'b.csv']
    """
    name = path.name
    if path.exists():
        return None
    if name.startswith("{") and name.endswith("}"):
        return [path.with_name(part) for part in name[1:-1].split(",")]
    if any(letter in name for letter in "*?["):
        return sorted(path.parent.glob(name))
    return None


def is_there(path: Path) -> bool:
    """Whether a file, a folder, or every one of several files is there."""
    files = found_files(path)
    return path.exists() if files is None else bool(files) and all(f.is_file() for f in files)
