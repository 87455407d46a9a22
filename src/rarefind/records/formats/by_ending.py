"""Files by their ending."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from rarefind.core.errors import DataError
from rarefind.records.formats.delimited import read_csv, write_csv
from rarefind.records.formats.digests import file_digest
from rarefind.records.formats.graphml import read_graphml
from rarefind.records.formats.json_lines import read_jsonl, write_jsonl
from rarefind.records.formats.limits import DEFAULT_LIMITS, Limits, Watch
from rarefind.records.formats.parquet import read_arrow, read_parquet, write_parquet
from rarefind.records.formats.plain_text import read_fasta, read_folder, read_smiles, read_texts
from rarefind.records.formats.streams import COMPRESSED, endings
from rarefind.records.frames import read_frame
from rarefind.records.table import Table

__all__ = ["check_writable", "file_digest", "read_frame", "read_table", "write_table"]

_READERS: dict[str, Callable[[Path, Watch], Table]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
    ".arrow": read_arrow,
    ".feather": read_arrow,
    ".fasta": read_fasta,
    ".fa": read_fasta,
    ".smi": read_smiles,
    ".smiles": read_smiles,
    ".txt": read_texts,
    ".graphml": read_graphml,
}
"""Who reads which ending."""

_WRITTEN = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
"""Endings we write as well."""


def read_table(path: Path, limits: Limits = DEFAULT_LIMITS) -> Table:
    """Read a file, or a folder of texts or graphs; the ending says how.

    Every ending may be followed by .gz or .zst.
    """
    path = Path(path)
    if path.is_dir():
        return read_folder(path, Watch(path.name, limits))
    reader = _READERS.get(endings(path)[0])
    if reader is None:
        raise _unknown(path, (*_READERS, *(f"these with {more}" for more in COMPRESSED)))
    if not path.exists():
        raise DataError(f"There is no file {path}. Check the name and the folder.")
    if not path.is_file():
        raise DataError(f"{path} is neither a file nor a folder.")
    try:
        return reader(path, Watch(path.name, limits, path.stat().st_size))
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror or problem}.") from None
    except MemoryError:
        raise DataError(
            f"{path.name} needs more memory to read than there is. Read a part of it, or lower the "
            "limits to be told earlier."
        ) from None
    finally:
        _give_memory_back()


def check_writable(path: Path, *others: str) -> None:
    """Refuse a path that no table can be written to, before work is spent on the table.

    ``others`` are endings that somebody else writes, for the message.
    """
    if path.suffix.lower() not in _WRITTEN:
        raise _unknown(path, (*_WRITTEN, *others))
    if path.is_dir():
        raise DataError(f"{path} is a folder, not a file.")
    if not path.absolute().parent.is_dir():
        raise DataError(f"{path} cannot be written: there is no folder {path.absolute().parent}.")


def write_table(table: Table, path: Path, *, raw: bool = False) -> None:
    """Write a table; the ending of the path says how. A file there is replaced only when whole.

    In .csv and .tsv files, cells that a spreadsheet would run as formulas get an apostrophe in
    front, which ``read_table`` takes off again; ``raw`` leaves them as they are.
    """
    check_writable(path)
    draft = path.with_name(f".{path.stem}.part{path.suffix}")
    ending = path.suffix.lower()
    try:
        if ending in (".csv", ".tsv"):
            write_csv(table, draft, raw=raw)
        elif ending == ".parquet":
            write_parquet(table, draft)
        else:
            write_jsonl(table, draft)
        draft.replace(path)
    except OSError as problem:
        raise DataError(f"{path} cannot be written: {problem.strerror or problem}.") from None
    finally:
        draft.unlink(missing_ok=True)


def _give_memory_back() -> None:
    """Hand to the system what Arrow needed for a moment and would keep for the next file."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()


def _unknown(path: Path, known: tuple[str, ...]) -> DataError:
    ending = endings(path)[0] or path.suffix
    return DataError(
        f"{path.name}: files ending in {ending or 'nothing'!r} are not known. "
        f"Expected one of {', '.join(known)}."
    )
