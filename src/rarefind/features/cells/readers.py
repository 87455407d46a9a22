"""How a column writes its numbers or dates, learnt from some cells, to read others alike.

A cell alone seldom tells all: whether 1,234 is more than a thousand, 3/4/2024 in March, or 5 m in
metres follows from its column. So a column's reader remembers it, or some telling words to read
others beside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.features.cells.dates import are_dates, month_comes_first, read_moment
from rarefind.features.cells.dressed_numbers import bare_numbers
from rarefind.features.cells.number_marks import COMMAS, POINTS, numbers_of, read_columns
from rarefind.features.cells.number_word_or_gap import read_number, read_word
from rarefind.features.cells.yes_or_no import YES_OR_NO

_DIGITS = re.compile(r"[\d.,'\u2019_\s]+")
"""What differs between numbers that are written alike."""

_MOST = 50
"""Ways of writing remembered of one column: units, signs of money and what times are made of."""


@dataclass(frozen=True)
class NumberReader:
    """Reads numbers as a column writes them; what is none is a gap."""

    decimal: str
    telling: tuple[str, ...]

    @classmethod
    def learnt(cls, words: Sequence[str | None], decimal: str) -> NumberReader:
        """Learn from the words of a column with this decimal mark."""
        read = [None if word is None else read_word(word) for word in words]
        numbers = cls(decimal, ())(words)
        ways: dict[str, str] = {}
        for word, number in zip(read, numbers, strict=True):
            if word is not None and not np.isnan(number) and len(ways) < _MOST:
                ways.setdefault(_DIGITS.sub("0", word).lower(), word)
        return cls(decimal, tuple(ways.values()))

    def __call__(self, words: Sequence[str | None]) -> FloatArray:
        """Read words as numbers."""
        read = [None if word is None else read_word(word) for word in words]
        bare = bare_numbers([*read, *self.telling], force=True)
        numbers = np.full(len(read), np.nan)
        if bare is not None:
            numbers = numbers_of(bare, COMMAS if self.decimal == "," else POINTS)[: len(read)]
        if self.decimal == ".":
            # A plain number is one even where it has zeros in front, as 0012.5.
            for place in np.flatnonzero(np.isnan(numbers)):
                word = read[place]
                number = None if word is None else read_number(word)
                numbers[place] = np.nan if number is None else number
        return numbers


@dataclass(frozen=True)
class DateReader:
    """Reads dates, as seconds since 1970, as a column writes them; what is none is a gap."""

    month_first: bool

    @classmethod
    def learnt(cls, words: Sequence[str | None]) -> DateReader:
        """Learn from the words of a column."""
        return cls(month_comes_first(word for word in words if word is not None))

    def __call__(self, words: Sequence[str | None]) -> FloatArray:
        """Read words as dates."""
        read = (None if word is None else self._read(word) for word in words)
        return np.array([np.nan if moment is None else moment for moment in read])

    def _read(self, word: str) -> float | None:
        return read_moment(word.strip(), month_first=self.month_first)


@dataclass(frozen=True)
class FlagReader:
    """Reads words for yes and no as ones and zeros; what is neither is a gap."""

    def __call__(self, words: Sequence[str | None]) -> FloatArray:
        """Read words as yes or no."""
        flags = (None if word is None else YES_OR_NO.get(word.strip().lower()) for word in words)
        return np.array([np.nan if flag is None else flag for flag in flags])


Reader: TypeAlias = NumberReader | DateReader | FlagReader


@dataclass(frozen=True)
class Found:
    """What columns of words turn out to hold: numbers or dates, each with what is to be said."""

    readers: Mapping[str, Reader]
    notes: Mapping[str, str]


def find_readers(words: Mapping[str, Sequence[str]], counts: Mapping[str, IntArray]) -> Found:
    """Find the columns that hold numbers or dates, by the rules that files are read by.

    ``words`` are the different words of each column, ``counts`` in how many rows each of them is.

    >>> cells = {"price": ["$1,200.50", "$3"], "day": ["3 May 2024", "1 May 2024"], "k": ["a", "b"]}
    >>> found = find_readers(cells, {name: np.ones(2, dtype=int) for name in cells})
    >>> sorted(found.readers), found.readers["price"](["($7)"]).tolist()
    (['day', 'price'], [-7.0])
    """
    columns, writing = read_columns(words, ",", lambda name: counts[name])
    readers: dict[str, Reader] = {}
    for name, column in columns.items():
        if column.dtype.kind == "f":
            if not np.isnan(column).all():
                readers[name] = NumberReader.learnt(words[name], writing.decimals.get(name, "."))
        elif are_dates(word for word in column if word is not None):
            readers[name] = DateReader.learnt([word for word in column if word is not None])
    return Found(readers, {name: writing.notes.get(name, "") for name in readers})
