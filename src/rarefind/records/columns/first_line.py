"""Whether the first line of a file holds the names of the columns, or a record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from rarefind.features.cells.dates import is_date
from rarefind.features.cells.dressed_numbers import bare_numbers
from rarefind.features.cells.durations import read_duration
from rarefind.features.cells.gaps import GAPS
from rarefind.features.cells.number_marks import COMMAS, POINTS
from rarefind.features.cells.number_word_or_gap import read_number, read_word

LOOKED_AT = 30
"""Lines below the first that are compared with it. A choice: enough to see what a column holds."""

_DIGITS = re.compile(r"[\d.,'\s+\-()]+")
"""What differs from amount to amount; the sign or unit stays."""

_YEARS = range(1900, 2101)
"""Years that columns are called by."""

_ALIKE = 1e-6
"""Steps between numbers that differ by no more, as a share, are the same."""


def is_first_record(names: Sequence[str], below: Sequence[Sequence[str]] = ()) -> bool:
    """Whether what should be names is a first record; ``below`` are some of the lines that follow.

    Where all names are numbers these decide alone: names may be years, or what pandas gives columns
    without names, but are whole, not negative, and all different. Other first lines are records if
    a cell is a number, amount, date or time as those below it, and none is a word above such ones,
    or if each of several words is found again below itself.

    >>> is_first_record(["0.5", "3"]), is_first_record(["0", "1"]), is_first_record(["x", "0.5"])
    (True, False, False)
    >>> is_first_record(["7 May 2024", "shoes"], [["8 May 2024", "hats"]])
    True
    >>> is_first_record(["day", "7 May 2024"], [["8 May 2024", "hats"]])
    False
    >>> is_first_record(["Shell", "FR"], [["Lidl", "DE"], ["Shell", "DE"], ["Lidl", "FR"]])
    True
    """
    numbers = [read_number(name) for name in names]
    if None not in numbers:
        whole = all(name.isdigit() for name in names)
        return len(numbers) > 1 and (not whole or len(set(numbers)) < len(numbers))
    rows = [row for row in below if len(row) == len(names)]
    # pandas leaves the first name empty above the numbers of rows.
    return bool(names[0].strip() and rows) and _fits(names, list(zip(*rows, strict=True)))


def _fits(names: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether the first line goes with the columns below it."""
    seen = Counter(name.strip() for name in names if name.strip())
    alike, numbers, again = False, [], []
    for name, cells in zip(names, columns, strict=True):
        kind, kinds = (
            kind_of_cell(name),
            [found for cell in cells if (found := kind_of_cell(cell)) is not None],
        )
        if kind is None or not kinds:
            continue
        usual, count = Counter(found.split()[0] for found in kinds).most_common(1)[0]
        if usual == "word" or 2 * count <= len(kinds):
            # Two names are never the same, and none is among the words it stands above.
            again.append(name.strip() in {cell.strip() for cell in cells})
            alike = alike or (seen[name.strip()] > 1 and again[-1])
        elif kind.split()[0] != usual:
            return False  # a word above numbers or dates is a name
        elif usual == "number":
            numbers.append((_number(name), [_number(cell) for cell in cells]))
        else:
            alike = alike or kind in kinds
    # One word alone may be found below itself by chance, as "name" in a list of words.
    alike = alike or (len(again) > 1 and all(again))
    return alike or (bool(numbers) and not _may_be_names(numbers))


def _may_be_names(numbers: Sequence[tuple[float | None, Sequence[float | None]]]) -> bool:
    """Whether columns of numbers may be called by those above them, as by years or wavelengths."""
    above = [number for number, _ in numbers if number is not None]
    if all(number in _YEARS for number in above):
        return not any(all(year in _YEARS for year in cells) for _, cells in numbers)
    steps = [after - before for before, after in pairwise(above)]
    if len(above) > 2:
        return steps[0] > 0 and max(steps) - min(steps) <= _ALIKE * max(steps)
    # pandas counts columns without names; but numbers that go on below count the records.
    counted = above[0] in (0, 1) and all(step == 1 for step in steps)
    return counted and not any(
        first is not None and list(cells) == [first + 1 + row for row in range(len(cells))]
        for first, cells in numbers
    )


def kind_of_cell(cell: str) -> str | None:
    """Return what a cell is, amounts with their sign or unit; None for a gap."""
    word = read_word(cell)
    if word is None or word.lower() in GAPS:
        return None
    if _number(word) is not None:
        return "number"
    if is_date(word):
        return "date"
    if read_duration(word) is not None:
        return "time"
    amount = bare_numbers([word]) is not None
    return f"amount {_DIGITS.sub('', word).lower()}" if amount else "word"


def _number(cell: str) -> float | None:
    """Read a number with marks or without."""
    word = cell.strip()
    for read in (read_number, POINTS.read, COMMAS.read):
        number = read(word)
        if number is not None:
            return number
    return None
