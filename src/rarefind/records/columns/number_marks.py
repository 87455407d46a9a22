"""Numbers written with a comma before the decimals, or with marks between the thousands.

Whether ``1,234`` is little more than one or more than a thousand no cell can tell by itself. A
column is read as numbers only if every cell fits one way of writing, and if nothing fits the other
way too: or else the rest of the file decides, and last the semicolons between its cells, which are
used where the comma is needed for decimals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rarefind.records.columns.cells import read_column, read_word
from rarefind.records.table import Column, Writing

_LONGEST = 400
"""As for plain numbers: a double never needs so many characters."""

_WITH_COMMAS = "with decimal commas"
"""Said of a column, and asked for when the others are read."""

_UNCERTAIN = "with commas that may stand before decimals or between thousands: write points"
"""Said of a column that could be read in two ways."""


@dataclass(frozen=True)
class Marks:
    """A way of writing numbers: what stands before the decimals, and what between thousands."""

    decimal: str
    thousands: str

    def read(self, word: str) -> float | None:
        """Read a number that is written this way.

        >>> COMMAS.read("1.234,5"), COMMAS.read("0,5"), COMMAS.read("1.5"), POINTS.read("1,234.5")
        (1234.5, 0.5, None, 1234.5)
        """
        if len(word) > _LONGEST or not self._pattern.fullmatch(word):
            return None
        plain = word.replace(self.thousands, "").replace(self.decimal, ".")
        number = float(plain)
        return number if math.isfinite(number) else None

    @property
    def _pattern(self) -> re.Pattern[str]:
        return _PATTERNS[self.decimal]


COMMAS = Marks(",", ".")
"""3,14 and 1.234,50."""

POINTS = Marks(".", ",")
"""3.14 and 1,234.50."""

_PATTERNS = {
    marks.decimal: re.compile(
        rf"[+-]?(0|[1-9]\d{{0,14}}|[1-9]\d{{0,2}}(\{marks.thousands}\d{{3}})+)"
        rf"(\{marks.decimal}\d+)?([eE][+-]?\d+)?",
        re.ASCII,
    )
    for marks in (COMMAS, POINTS)
}
"""Up to fifteen digits in a row, which a double holds, or groups of three; never a leading zero,
which stands in codes."""


def read_columns(
    cells: Mapping[str, Sequence[str]], delimiter: str
) -> tuple[dict[str, Column], Writing]:
    """Read the columns of a text file as numbers where all their cells are, else as words.

    Returns the columns, and how the file writes them.

    >>> columns, writing = read_columns({"price": ["3,14", "1.200,50", ""]}, ";")
    >>> columns["price"].tolist(), writing.decimal, writing.notes
    ([3.14, 1200.5, nan], ',', {'price': 'with decimal commas'})
    """
    columns = {name: read_column(values) for name, values in cells.items()}
    fits = {
        name: [marks for marks in (COMMAS, POINTS) if _all_fit(marks, cells[name])]
        for name, column in columns.items()
        if column.dtype == object
    }
    certain = {found[0] for found in fits.values() if len(found) == 1}
    usual = certain.pop() if len(certain) == 1 else COMMAS if delimiter == ";" else None
    notes: dict[str, str] = {}
    for name, found in fits.items():
        marks = found[0] if len(found) == 1 else usual
        if found and marks is not None:
            columns[name] = _numbers(cells[name], marks)
            notes[name] = _said(marks, cells[name])
        elif found:
            notes[name] = _UNCERTAIN
    commas = _WITH_COMMAS in notes.values()
    if commas:
        _read_thousands(columns, notes, cells)
    # Between commas, numbers of ours are written with a point: nobody has to quote them.
    decimal = "," if commas and delimiter != "," else "."
    return columns, Writing(delimiter, decimal, notes)


def _all_fit(marks: Marks, cells: Sequence[str]) -> bool:
    """Whether all cells that are no gaps are numbers written this way, and there are some."""
    some = False
    for word in map(read_word, cells):
        if word is not None:
            if marks.read(word) is None:
                return False
            some = True
    return some


def _numbers(cells: Sequence[str], marks: Marks) -> Column:
    numbers = np.full(len(cells), np.nan)
    for position, word in enumerate(map(read_word, cells)):
        if word is not None:
            numbers[position] = marks.read(word)
    return numbers


def _said(marks: Marks, cells: Sequence[str]) -> str:
    if marks == COMMAS and any("," in cell for cell in cells):
        return _WITH_COMMAS
    return f"with {'points' if marks == COMMAS else 'commas'} between thousands"


def _read_thousands(
    columns: dict[str, Column], notes: dict[str, str], cells: Mapping[str, Sequence[str]]
) -> None:
    """Read 1.234 as a thousand and more where another column of the file has decimal commas."""
    for name, column in columns.items():
        if column.dtype == object or name in notes:
            continue
        if _all_fit(COMMAS, [cell for cell in cells[name] if "." in cell]):
            columns[name] = _numbers(cells[name], COMMAS)
            notes[name] = "with points between thousands, as other columns have decimal commas"
