"""Files by their ending."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rarefind.core.errors import DataError
from rarefind.records.columns.words_read import with_gaps
from rarefind.records.embedding.joining import (
    file_and_key,
    with_embeddings,
    with_made_embeddings,
)
from rarefind.records.formats.delimited import read_csv
from rarefind.records.formats.delimited_writing import write_csv
from rarefind.records.formats.digests import file_digest
from rarefind.records.formats.graphml import read_graphml
from rarefind.records.formats.json_lines import read_jsonl, write_jsonl
from rarefind.records.formats.limits import DEFAULT_LIMITS, Limits, Watch
from rarefind.records.formats.parquet import read_arrow, read_parquet, write_parquet
from rarefind.records.formats.plain_text import read_fasta, read_folder, read_smiles, read_texts
from rarefind.records.formats.streams import COMPRESSED, endings
from rarefind.records.formats.whole.json_array import read_json
from rarefind.records.formats.whole.number_arrays import read_npy, read_npz
from rarefind.records.formats.whole.sheets import read_sheet
from rarefind.records.frames import read_frame
from rarefind.records.pictures.finding import (
    read_picture_folder,
    read_picture_zip,
    with_pictures,
)
from rarefind.records.pictures.places import pictures_in
from rarefind.records.read_as import USUAL, ReadAs
from rarefind.records.several_files import read_several
from rarefind.records.several_names import found_files
from rarefind.records.table import Table
from rarefind.records.table_folders import tables_in, told_beside_tables

__all__ = ["check_writable", "file_digest", "read_frame", "read_table", "write_table"]

_READERS: dict[str, Callable[[Path, Watch], Table]] = {
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
    ".json": read_json,
    ".npy": read_npy,
    ".npz": read_npz,
    ".zip": read_picture_zip,
}
"""Who reads which ending."""

_TOLD: dict[str, Callable[[Path, Watch, ReadAs], Table]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".xlsx": read_sheet,
    ".xls": read_sheet,
    ".xlsb": read_sheet,
    ".ods": read_sheet,
}
"""Who reads endings of which one may say how they are read."""

_WRITTEN = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
"""Endings we write as well."""


def read_table(path: Path, limits: Limits = DEFAULT_LIMITS, how: ReadAs = USUAL) -> Table:
    """Read a file, several as one table, or a folder; the ending says how, and ``how`` the rest.

    Every ending of a text file may be followed by .gz or .zst. Several files are named by wildcards
    (``2024-*.csv``), by braces (``{a.csv,b.csv}``) or as a folder of tables of one kind, with a few
    remarks beside them; a folder may also hold texts, graphs or pictures.
    """
    path, how = Path(path), how.check()
    table = with_pictures(_plain_table(path, limits, how), path.parent, how.pictures)
    if how.embeddings is not None:
        files = [file for file in (path, file_and_key(how.embeddings)[0]) if file.is_file()]
        watch = Watch(path.name, limits, sum(file.stat().st_size for file in files))
        return with_embeddings(
            table, how.embeddings, lambda file: read_table(file, limits), watch.cells
        )
    return table if how.embed is None else with_made_embeddings(table, how.embed)


def _plain_table(path: Path, limits: Limits, how: ReadAs) -> Table:
    files, beside = found_files(path), ""
    if files is None and path.is_dir():
        files, beside = tables_in(path), told_beside_tables(path)
        if files is None:
            watch = Watch(path.name, limits)
            pictures = pictures_in(path)
            if len(pictures) > _others_in(path):
                return read_picture_folder(path, pictures, watch)
            return read_folder(path, watch)
    if files is not None:
        if not files:
            raise DataError(f"There is no file {path}. Check the name and the folder.")
        # Words for a gap are looked for in all of the files together.
        each = replace(how, missing=())
        table = read_several(files, path.name, how, lambda file: _read(file, limits, each))
        return table.noted(beside)
    return _read(path, limits, how)


def _others_in(folder: Path) -> int:
    """Count the texts and graphs of a folder, which are records as well."""
    return sum(endings(file)[0] in (".txt", ".graphml") for file in folder.iterdir())


def _read(path: Path, limits: Limits, how: ReadAs) -> Table:
    size = path.stat().st_size if path.is_file() else None
    watch, ending = Watch(path.name, limits, size), endings(path)[0]
    if ending not in _TOLD and ending not in _READERS:
        known = (".csv", ".tsv", *_READERS, *list(_TOLD)[2:])
        raise _unknown(path, (*known, *(f"these with {more}" for more in COMPRESSED)))
    if not path.exists():
        raise DataError(f"There is no file {path}. Check the name and the folder.")
    if not path.is_file():
        raise DataError(f"{path} is neither a file nor a folder.")
    try:
        if ending in _TOLD:
            return _TOLD[ending](path, watch, how)
        if how.delimiter or how.encoding or how.header is not None:
            raise DataError(
                f"{path.name}: a delimiter, an encoding or a header is said of .csv and .tsv files "
                f"only, and this ends in {ending}. Leave it out."
            )
        return with_gaps(_READERS[ending](path, watch), how.gaps)
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
