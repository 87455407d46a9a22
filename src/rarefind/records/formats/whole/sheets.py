"""The first sheet of a spreadsheet: .xlsx, .xls and .ods."""

from __future__ import annotations

import zipfile
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError, MissingPackageError
from rarefind.records.columns.first_line import LOOKED_AT, is_first_record
from rarefind.records.columns.head_and_foot import (
    LAST_LOOKED_AT,
    are_units,
    rows_above,
    rows_below,
)
from rarefind.records.columns.titles import (
    NO_HEADER,
    check_names,
    made_up_names,
    without_blank_name,
)
from rarefind.records.columns.words_read import read_words, with_gaps
from rarefind.records.formats.json_lines import values_column
from rarefind.records.formats.limits import Watch
from rarefind.records.formats.whole.weighed_sheets import unreadable, weigh_sheets
from rarefind.records.formats.whole.zipped import check_zip
from rarefind.records.read_as import USUAL, ReadAs
from rarefind.records.table import Table, Writing, as_word


def read_sheet(path: Path, watch: Watch, how: ReadAs = USUAL) -> Table:
    """Read the first sheet with a table: its first line has the names of the columns."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise MissingPackageError("Reading spreadsheets", "python-calamine", "excel") from None
    watch.size(path.stat().st_size)
    if zipfile.is_zipfile(path):
        check_zip(path, watch)
    weigh_sheets(path, watch)
    try:
        book = CalamineWorkbook.from_path(str(path))
        name, rows = _first_sheet(book, watch)
    except DataError:
        raise
    except (CalamineError, OSError, ValueError) as problem:
        raise unreadable(watch.name, problem) from None
    rows, said = _records(rows, how)
    titles, *below = _in_words(rows[: 1 + LOOKED_AT])
    headless = how.header is False or (how.header is None and is_first_record(titles, below))
    body = rows if headless else rows[1:]
    if not headless and below and are_units(below[0], below[1:]):
        body, said = body[1:], [*said, "without the line of units below the header"]
    names = made_up_names(len(titles)) if headless else without_blank_name(titles)
    if not body:
        raise DataError(f"{watch.name}: the sheet {name!r} has a header but no rows.")
    names = check_names(names, watch.name)
    cells = dict(zip(names, map(list, zip(*body, strict=True)), strict=True))
    columns = {title: values_column(values, title, watch.name) for title, values in cells.items()}
    sheet = f"from the sheet {name!r}" if len(book.sheet_names) > 1 else ""
    whole = tuple(note for note in (sheet, headless * NO_HEADER, *said) if note)
    table = Table(columns, watch.name, cells, "json", Writing(whole=whole))
    return with_gaps(read_words(table), how.gaps)


def _records(rows: list[list[Any]], how: ReadAs) -> tuple[list[list[Any]], list[str]]:
    """Leave out remarks above the header and sums below the records, and say so."""
    remarks = 0 if how.header is False else rows_above(_in_words(rows[: 1 + LOOKED_AT]))
    below, sums = rows_below(_in_words(rows[-LAST_LOOKED_AT:]))
    said = f"without {remarks} line{'s' * (remarks > 1)} above the header" if remarks else ""
    return rows[remarks : len(rows) - below], [note for note in (said, sums) if note]


def _in_words(rows: list[list[Any]]) -> list[list[str]]:
    return [[as_word(cell) or "" for cell in row] for row in rows]


def _first_sheet(book: Any, watch: Watch) -> tuple[str, list[list[Any]]]:
    """Return the first sheet with two columns or more, or else the first that holds anything.

    What stands in one column before a table is a remark. Empty lines and columns at the ends go.
    """
    remark: tuple[str, list[list[Any]]] | None = None
    for name in book.sheet_names:
        sheet = book.get_sheet_by_name(name)
        rows = [
            [_value(cell, watch) for cell in row] for row in sheet.to_python(skip_empty_area=False)
        ]
        _fill_merged(rows, sheet, watch)
        rows = [row for row in rows if any(cell is not None for cell in row)]
        filled = [any(cell is not None for cell in column) for column in zip_longest(*rows)]
        if rows:
            first, width = filled.index(True), len(filled) - filled[::-1].index(True)
            found = name, [row[first:width] for row in rows]
            if width - first > 1:
                return found
            remark = remark or found
        watch.time()
    if remark is not None:
        return remark
    raise DataError(f"{watch.name}: no sheet of the file holds anything.")


def _fill_merged(rows: list[list[Any]], sheet: Any, watch: Watch) -> None:
    """Put what a merged cell holds into every row that it stands beside.

    Only downwards: what stands above several columns is the name of none of them.
    """
    letters, filled = 0, dict[int, int]()
    for (top, left), (bottom, _) in sorted(getattr(sheet, "merged_cell_ranges", None) or ()):
        # No sound file has ranges on top of each other; one made to harm may have thousands.
        if filled.get(left, -1) < top < len(rows) and left < len(rows[top]):
            filled[left] = bottom
            cell = rows[top][left]
            letters += len(cell) * (bottom - top) if isinstance(cell, str) else 0
            watch.cells(0, words=letters)
            for row in rows[top + 1 : bottom + 1]:
                row[left] = cell


def _value(cell: Any, watch: Watch) -> Any:
    """Return a cell as a plain value; dates and times in words, an empty one as None."""
    if isinstance(cell, str):
        watch.cell(len(cell), "a cell of text")
        return cell if cell.strip() else None
    if cell is None or isinstance(cell, bool | int | float):
        return cell
    return str(cell)
