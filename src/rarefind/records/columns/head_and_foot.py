"""Lines above and below the records of a table that are none: remarks, units, sums, nothing."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from rarefind.features.cells.number_word_or_gap import read_word
from rarefind.features.cells.units import UNITS
from rarefind.records.columns.first_line import kind_of_cell

LAST_LOOKED_AT = 30
"""Rows at the end that may be none. A choice: more than a spreadsheet leaves below a table."""

_SEPARATOR = re.compile(r'"?sep=(.)"?[;,\t]*\s*', re.I)
"""How Excel is told what stands between cells."""

_SUM = re.compile(
    r"(?:grand |sub)?totals?|sums?|summe|gesamt(?:summe)?|insgesamt|totaal|totalt|totale",
    re.I,
)
"""What stands before sums, in the first cell that holds anything."""

_IN_BRACKETS = re.compile(r"\([^()]{0,20}\)|\[[^\[\]]{0,20}\]")
"""A unit as it stands below a name."""

_GAPS = 3
"""Columns that are empty in a row before it is none: one or two may be gaps of a record."""

_FEWEST = 3
"""Rows of one width before what is above them can be called a remark."""


def said_separator(line: str) -> str | None:
    """Return the delimiter that the first line of a file names, if it does nothing else."""
    found = _SEPARATOR.fullmatch(line)
    return None if found is None else found[1]


def lines_above(ahead: Sequence[str], delimiters: Sequence[str]) -> int:
    r"""Count the lines above the header that hold remarks, of the first lines of a file.

    >>> lines_above(["Payments\n", "a,b\n", "1,x\n", "2,y\n", "3,x\n"], ",")
    1
    """
    found = 0
    for delimiter in delimiters:
        rows, ends = [], [0]
        with suppress(csv.Error):
            reader = csv.reader(ahead, delimiter=delimiter, strict=True)
            for row in reader:
                rows.append(row)
                ends.append(reader.line_num)
        if len(rows) > 1 and 1 < _filled(rows[0]) == len(rows[0]) == len(rows[1]):
            return 0  # the first line is a header as it should be
        found = found or ends[rows_above(rows)]
    return found


def rows_above(rows: Sequence[Sequence[str]]) -> int:
    """Count the rows above the header: all but they are as wide as most, and names are words.

    >>> rows_above([["Payments", ""], ["", ""], ["a", "b"], ["1", "x"], ["2", "y"], ["3", "x"]])
    2
    """
    widths = Counter(_filled(row) for row in rows if row)
    width = max((len(row) for row in rows), default=0)
    if width < 2 or widths[width] < _FEWEST:
        return 0
    place = next(place for place, row in enumerate(rows) if _filled(row) == width)
    kinds = [kind_of_cell(cell) for cell in rows[place]]
    names = {cell.strip() for cell in rows[place]}
    numbers = any(
        kind_of_cell(cell) not in ("word", None) for row in rows[place + 1 :] for cell in row
    )
    return place if set(kinds) == {"word"} and len(names) == width and numbers else 0


def are_units(cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the row below the names says in which units the numbers below it are.

    >>> are_units(["(EUR)", "kg", ""], [["3.5", "70", "se"]])
    True
    """
    named = [place for place, cell in enumerate(cells) if cell.strip()]
    fit = all(_IN_BRACKETS.fullmatch(word) or _is_unit(word) for word in map(str.strip, cells))
    rows = [row for row in below if len(row) == len(cells)]
    return bool(fit and named and rows) and all(
        kind_of_cell(row[place]) not in ("word",) for row in rows for place in named
    )


def rows_below(last: Sequence[Sequence[str]]) -> tuple[int, str]:
    """Count the last rows that are no records, and say what they are.

    >>> rows_below([["1", "3.5", "a"], ["2", "4.0", "b"], ["Total", "7.5", ""], ["", "", ""]])
    (2, "the last row ('Total') left out, as it sums up the others, and 1 empty row below")
    """
    empty = 0
    if not last:
        return 0, ""
    while len(last[0]) >= _GAPS and empty < len(last) and not _filled(last[-1 - empty]):
        empty += 1
    if empty == len(last):
        return 0, ""
    rows = "row" if empty == 1 else "rows"
    cells = last[-1 - empty]
    place = next((place for place, cell in enumerate(cells) if cell.strip()), 0)
    word = cells[place].strip().rstrip(":")
    others = [row[place].strip() for row in last[: -1 - empty]]
    numbers = all(kind_of_cell(cell) != "word" for cell in cells[place + 1 :])
    if _SUM.fullmatch(word) and numbers and others and not any(map(_SUM.fullmatch, others)):
        below = f", and {empty} empty {rows} below" if empty else ""
        return empty + 1, f"the last row ({word!r}) left out, as it sums up the others{below}"
    return empty, f"{empty} empty {rows} at the end left out" if empty else ""


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _is_unit(word: str) -> bool:
    return not word or (word.lower() in UNITS and read_word(word) is not None)
