"""Pictures found: in a folder, in a zip archive, or named in a column of a table."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError, Remedy
from rarefind.core.memory_guard import readable_size
from rarefind.records.formats.limits import Watch
from rarefind.records.pictures.cell import ENDINGS, Picture, begins_a_picture, names_a_picture
from rarefind.records.pictures.places import is_hidden
from rarefind.records.table import Column, Table, word_array

FOLDER = "folder"
"""The column that tells in which folder a picture lies, where there are several."""

_SAMPLE = 100
"""Cells looked at to tell whether they are names of pictures."""

_LOOKED_FOR = 20
"""Files looked for before a column is taken for one of pictures: a disk far away is slow."""


def read_picture_folder(folder: Path, files: list[Path], watch: Watch) -> Table:
    """Make a record of each picture; its name is its id, and the folder within is a column."""
    watch.rows(len(files))
    names = [file.relative_to(folder).as_posix() for file in files]
    made = (Picture(name, file.absolute()) for name, file in zip(names, files, strict=True))
    return _table(list(made), watch.name)


def read_picture_zip(path: Path, watch: Watch) -> Table:
    """Read a .zip file of pictures, each a record."""
    watch.size(path.stat().st_size)
    cells: list[Picture] = []
    total = 0
    try:
        with zipfile.ZipFile(path) as archive:
            parts = sorted(archive.infolist(), key=lambda part: part.filename)
            for part in parts:
                if not names_a_picture(part.filename) or is_hidden(Path(part.filename).parts):
                    continue
                with archive.open(part) as stream:
                    blocks = []
                    while block := stream.read(2**18):
                        total += len(block)
                        watch.size(total, path.stat().st_size)
                        blocks.append(block)
                cells.append(Picture(part.filename, b"".join(blocks)))
                watch.rows(len(cells))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as problem:
        raise DataError(f"{watch.name} is damaged: {problem}.") from None
    if not cells:
        raise DataError(
            f"{watch.name} holds no pictures. Expected files ending in {', '.join(ENDINGS)}; a "
            "table is read without being zipped, or with .gz."
        )
    return _table(cells, watch.name)


def with_pictures(table: Table, folder: Path, said: str | None = None) -> Table:
    """Turn the columns that name pictures into pictures.

    Names begin in the folder of the table, or in the one that was ``said``, and lead to nowhere
    else: a table may come from anybody.
    """
    begin = folder if said is None else Path(said)
    columns = dict(table.columns)
    notes = dict(table.writing.notes)
    for name, column in table.columns.items():
        some = [cell for cell in column[: 10 * _SAMPLE] if cell is not None][:_SAMPLE]
        if not some or not all(type(cell) is str and names_a_picture(cell) for cell in some):
            continue
        places = {cell: _place(begin, cell) for cell in some[:_LOOKED_FOR]}
        lost = next((cell for cell, place in places.items() if place is None), None)
        if lost is None:
            columns[name] = word_array(_cell(begin, cell) for cell in column)
        elif said is not None:
            raise DataError(
                f"{table.source}: there is no picture {lost!r:.80} of column {name!r} in {begin}."
            ).advising(Remedy("Check the folder given with {pictures}."))
        else:
            notes[name] = "names of pictures that are not found beside the file"
    return replace(table, columns=columns, writing=replace(table.writing, notes=notes))


def held_pictures(cells: Iterable[Any]) -> Column | None:
    """Make pictures of cells of bytes, or of bytes with a path; None if they are none."""
    made: list[Picture | None] = []
    for cell in cells:
        data, name = cell, ""
        if isinstance(cell, dict):
            data, name = cell.get("bytes"), cell.get("path") or ""
        if data is None and not name:
            made.append(None)
        elif isinstance(data, bytes) and begins_a_picture(data):
            made.append(Picture(name or f"a picture of {readable_size(len(data))}", data))
        else:
            return None
    return word_array(made) if any(made) else None


def holds_pictures(column: Column) -> bool:
    """Whether the cells of a column are pictures."""
    if column.dtype != object:
        return False
    return isinstance(next((cell for cell in column if cell is not None), None), Picture)


def _table(cells: list[Picture], source: str) -> Table:
    folders = [name.rpartition("/")[0] for name in cells]
    columns = {"file": word_array(cells)}
    if len(set(folders)) > 1:
        columns[FOLDER] = word_array(name or None for name in folders)
    return Table(columns, source, form="pictures")


def _cell(begin: Path, cell: Any) -> Picture | None:
    if cell is None:
        return None
    # One that is missing among others is a picture that cannot be opened.
    return Picture(str(cell), _place(begin, str(cell)) or b"")


def _place(begin: Path, name: str) -> Path | None:
    """Return the file of a picture, None if it is not there or not within the folder."""
    try:
        place = (begin / name).resolve()
        return place if place.is_relative_to(begin.resolve()) and place.is_file() else None
    except (OSError, ValueError):
        return None
