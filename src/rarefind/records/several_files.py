"""Several files, or a folder of them, as one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError
from rarefind.features.cells.number_marks import read_columns
from rarefind.features.cells.writing import Writing
from rarefind.records.columns.gap_words import GapWords
from rarefind.records.columns.words_read import read_words, with_gaps
from rarefind.records.formats.json_lines import values_column
from rarefind.records.read_as import ReadAs
from rarefind.records.table import Table


def read_several(
    files: Sequence[Path], source: str, how: ReadAs, read: Callable[[Path], Table]
) -> Table:
    """Put the records of several files under each other; all need the same columns, in any order.

    What their cells say is decided from all of them together.
    """
    tables = [read(file) for file in files]
    first = tables[0]
    for file, table in zip(files, tables, strict=True):
        if set(table.columns) != set(first.columns):
            different = sorted(set(table.columns) ^ set(first.columns))[0]
            raise DataError(
                f"{source}: {file.name} and {files[0].name} are to be one table and differ in the "
                f"column {different!r}. Give them the same columns."
            )
    cells = {name: [*_cells(name, tables)] for name in first.columns}
    said = _said(tables, how.gaps)
    if all(table.form == "text" for table in tables):
        columns, writing = read_columns(cells, first.writing.delimiter, missing=how.gaps)
        writing = replace(writing, whole=said)
        return Table(columns, source, cells, "text", writing).noted(how.gaps.unmatched([cells]))
    columns = {name: values_column(values, name, source) for name, values in cells.items()}
    table = Table(columns, source, cells, "json", Writing(whole=said))
    return with_gaps(read_words(table), how.gaps)


def _said(tables: Sequence[Table], gaps: GapWords) -> tuple[str, ...]:
    """Return what was said of the files, once each; which gaps they have all decide together."""
    notes = [
        note
        for table in tables
        for note in table.writing.whole
        if note != gaps.unmatched([table.columns, table.original])
        and note != gaps.unmatched([table.original])
    ]
    return tuple(dict.fromkeys(notes))


def _cells(name: str, tables: Sequence[Table]) -> list[Any]:
    cells: list[Any] = []
    for table in tables:
        given = table.original.get(name, table.columns[name])
        listed = given.to_pylist() if hasattr(given, "to_pylist") else list(given)
        cells += [_plain(cell) for cell in listed]
    return cells


def _plain(cell: Any) -> Any:
    """Return a cell that is of no JSON type as words or a list."""
    if hasattr(cell, "tolist"):
        return cell.tolist()
    known = cell is None or isinstance(cell, str | bool | int | float | list | dict)
    return cell if known else str(cell)
