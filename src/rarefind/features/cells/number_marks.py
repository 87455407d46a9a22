"""Numbers written with a comma before the decimals, or with marks between the thousands.

Whether ``1,234`` is little more than one or more than a thousand no cell can tell by itself. A
column is read the one way that every cell fits. If both fit the rest of the file decides, then the
semicolons between its cells, which are used where the comma is needed for decimals, and last what
is usual: where every cell has three digits behind the mark, the numbers are in the same proportions
either way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.features.cells.dates import is_date
from rarefind.features.cells.dressed_numbers import Bare, bare_numbers
from rarefind.features.cells.gaps import notes_on_gaps
from rarefind.features.cells.number_word_or_gap import read_column, read_word
from rarefind.features.cells.writing import Writing, word_array

_LONGEST = 400
"""As for plain numbers: a double never needs so many characters."""

_LOOKED_AT = 50
"""Words of which one must be a date before all of a column are looked at."""

_WITH_COMMAS = "with decimal commas"
"""Said of a column, and asked for when the others are read."""


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
    cells: Mapping[str, Sequence[str]],
    delimiter: str,
    counts: Callable[[str], IntArray] | None = None,
    missing: Collection[str] = (),
) -> tuple[dict[str, NDArray[Any]], Writing]:
    """Read the columns of a text file as numbers where their cells are, else as words.

    Returns the columns, and how the file writes them. ``counts`` says for a column in how many rows
    each of its cells is, where every different cell is given once; ``missing`` which words stand
    for a gap besides the usual ones.

    >>> columns, writing = read_columns({"price": ["3,14", "1.200,50", ""]}, ";")
    >>> columns["price"].tolist(), writing.decimal, writing.notes
    ([3.14, 1200.5, nan], ',', {'price': 'with decimal commas'})
    """
    columns = {name: read_column(values, missing) for name, values in cells.items()}
    bare: dict[str, Bare] = {}
    notes: dict[str, str] = {}
    for name, column in columns.items():
        if column.dtype == object:
            rows = None if counts is None else counts(name)
            found = bare_numbers(column.tolist(), rows)
            if found is not None:
                bare[name] = found
            else:
                columns[name], notes[name] = _with_gaps(column, rows)
    fits = {name: _fitting(found.digits) for name, found in bare.items()}
    certain = {found[0] for found in fits.values() if len(found) == 1}
    usual = certain.pop() if len(certain) == 1 else COMMAS if delimiter == ";" else None
    commas, decimals = False, {}
    for name, found in bare.items():
        if fits[name]:
            marks = fits[name][0] if len(fits[name]) == 1 else usual or _likely(found)
            decimals[name] = marks.decimal
            columns[name] = numbers_of(found, marks)
            said = _said(marks, found.digits)
            commas = commas or said == _WITH_COMMAS
            notes[name] = ", ".join(note for note in (said, *found.notes) if note)
    notes = {name: note for name, note in notes.items() if note}
    if commas:
        for name in _read_thousands(columns, notes, cells, missing):
            decimals[name] = COMMAS.decimal
    # Between commas, numbers of ours are written with a point: nobody has to quote them.
    decimal = "," if commas and delimiter != "," else "."
    return columns, Writing(delimiter, decimal, notes, decimals)


def forced_numbers(words: Sequence[str | None]) -> tuple[FloatArray, str, str] | None:
    """Read words as numbers because somebody said so, with what is to be said and the decimal mark.

    None if no more than half of them can be read.

    >>> forced_numbers(["1", "two", "$3", "4"])[0].tolist()
    [1.0, nan, 3.0, 4.0]
    """
    bare = bare_numbers(words, force=True)
    known = sum(word is not None for word in words)
    if bare is None or 2 * sum(digits is not None for digits in bare.digits) <= known:
        return None
    fits = _fitting(bare.digits) or [POINTS]
    marks = fits[0] if len(fits) == 1 else _likely(bare)
    return numbers_of(bare, marks), ", ".join(bare.notes), marks.decimal


def _with_gaps(column: NDArray[Any], counts: IntArray | None) -> tuple[NDArray[Any], str]:
    """Make gaps of the few words among dates that are none."""
    words = column.tolist()
    some = [word for word in words[:_LOOKED_AT] if word is not None]
    if not any(map(is_date, some)):
        return column, ""
    fits = [word is not None and is_date(word) for word in words]
    notes = notes_on_gaps(words, fits, counts)
    if not notes:
        return column, ""
    kept = [word if fit else None for word, fit in zip(words, fits, strict=True)]
    return word_array(kept), ", ".join(notes)


def _fitting(digits: Sequence[str | None]) -> list[Marks]:
    """Return the ways of writing that all numbers of a column fit."""
    return [marks for marks in (COMMAS, POINTS) if _all_fit(marks, digits)]


def _all_fit(marks: Marks, words: Sequence[str | None]) -> bool:
    """Whether all words that are no gaps are numbers written this way, and there are some."""
    known = [word for word in words if word is not None]
    return bool(known) and all(marks.read(word) is not None for word in known)


def _likely(bare: Bare) -> Marks:
    """Choose between two ways that fit: a comma stands between thousands, a point before decimals.

    Money has no three decimals, so there the point stands between thousands as well.
    """
    points = any(word is not None and "." in word for word in bare.digits)
    return COMMAS if points and bare.money else POINTS


def numbers_of(bare: Bare, marks: Marks) -> FloatArray:
    """Read the digits of a column that writes its numbers this way; a gap is NaN."""
    numbers = np.full(len(bare.digits), np.nan)
    for position, digits in enumerate(bare.digits):
        number = None if digits is None else marks.read(digits)
        if number is not None:
            numbers[position] = number
    return numbers * bare.factors


def _said(marks: Marks, digits: Sequence[str | None]) -> str:
    written = "".join(word for word in digits if word is not None)
    if marks == COMMAS and "," in written:
        return _WITH_COMMAS
    between = {".": "points", ",": "commas"}[marks.thousands]
    return f"with {between} between thousands" if marks.thousands in written else ""


def _read_thousands(
    columns: dict[str, NDArray[Any]],
    notes: dict[str, str],
    cells: Mapping[str, Sequence[str]],
    missing: Collection[str],
) -> Iterator[str]:
    """Read 1.234 as a thousand and more where another column of the file has decimal commas."""
    for name, column in list(columns.items()):
        if column.dtype == object or name in notes:
            continue
        words = [read_word(cell, missing) for cell in cells[name]]
        if _all_fit(COMMAS, [word for word in words if word is not None and "." in word]):
            bare = Bare(words, np.ones(len(words)), money=False, notes=())
            columns[name] = numbers_of(bare, COMMAS)
            notes[name] = "with points between thousands, as other columns have decimal commas"
            yield name
