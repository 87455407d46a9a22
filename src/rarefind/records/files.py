"""Files by their ending."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rarefind.core.errors import DataError
from rarefind.records.csv_files import read_csv, write_csv
from rarefind.records.parquet_files import read_parquet, write_parquet
from rarefind.records.tables import Table

_READERS: dict[str, Callable[[Path], Table]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".parquet": read_parquet,
}
_WRITERS: dict[str, Callable[[Table, Path], None]] = {
    ".csv": write_csv,
    ".tsv": write_csv,
    ".parquet": write_parquet,
}


def read_table(path: Path) -> Table:
    """Read a table; its ending says how."""
    if path.is_dir():
        raise DataError(f"{path} is a folder, not a file.")
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise DataError(
            f"{path.name}: files ending in {path.suffix or 'nothing'!r} are not known. "
            f"Expected one of {', '.join(_READERS)}."
        )
    if not path.exists():
        raise DataError(f"There is no file {path}. Check the name and the folder.")
    return reader(path)


def check_writable(path: Path) -> None:
    """Refuse a path that no table can be written to, before work is spent on the table."""
    if path.suffix.lower() not in _WRITERS:
        raise DataError(
            f"{path.name}: files ending in {path.suffix or 'nothing'!r} are not known. "
            f"Expected one of {', '.join(_WRITERS)}."
        )
    if path.is_dir():
        raise DataError(f"{path} is a folder, not a file.")
    if not path.absolute().parent.is_dir():
        raise DataError(f"{path} cannot be written: there is no folder {path.absolute().parent}.")


def write_table(table: Table, path: Path) -> None:
    """Write a table; the ending of the path says how. A file there is replaced only when whole."""
    check_writable(path)
    draft = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        _WRITERS[path.suffix.lower()](table, draft)
        draft.replace(path)
    except OSError as problem:
        draft.unlink(missing_ok=True)
        raise DataError(f"{path} cannot be written: {problem.strerror or problem}.") from None
