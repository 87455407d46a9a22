"""How lists of strings are read: letters become small whole numbers, one after the other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Number
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import IntArray, Records
from rarefind.core.errors import DataError

LetterArray: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True)
class Strings:
    """Strings over a common alphabet.

    ``codes`` holds the letters of all strings as positions in ``letters`` (-1 for a letter that is
    not among them); string ``i`` is ``codes[starts[i]:starts[i + 1]]``.
    """

    codes: LetterArray
    starts: IntArray
    letters: tuple[Hashable, ...]

    def __len__(self) -> int:
        return self.starts.size - 1

    @cached_property
    def lengths(self) -> IntArray:
        """Number of letters of every string."""
        return np.diff(self.starts)

    @cached_property
    def longest(self) -> int:
        """Number of letters of the longest string."""
        return int(self.lengths.max(initial=0))

    @cached_property
    def rows(self) -> IntArray:
        """Which string every letter belongs to."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @cached_property
    def own_letters(self) -> tuple[IntArray, IntArray, IntArray]:
        """The letters of each string, numbered by themselves.

        Gives the letters so numbered, the strings' own alphabets one after the other, and where
        each of these begins. Letters outside the alphabet (-1) are one letter like any other.
        """
        size = len(self.letters) + 1
        keys, places = np.unique(self.rows * size + self.codes + 1, return_inverse=True)
        begins = np.searchsorted(keys, np.arange(len(self) + 1) * size)
        return places - begins[self.rows], keys % size - 1, begins

    def over(self, letters: tuple[Hashable, ...]) -> Strings:
        """Return the same strings over another alphabet; letters outside it become -1."""
        if letters == self.letters:
            return self
        place = {letter: code for code, letter in enumerate(letters)}
        table = np.array([place.get(letter, -1) for letter in self.letters] + [-1], dtype=np.int32)
        return Strings(table[self.codes], self.starts, letters)


def joined(left: Strings, right: Strings | None) -> Strings:
    """Put the strings of two lists one after the other, over the letters of both."""
    if right is None:
        return left
    letters = tuple(dict.fromkeys(left.letters + right.letters))
    codes = np.concatenate([left.over(letters).codes, right.over(letters).codes])
    starts = np.concatenate([left.starts, right.starts[1:] + left.starts[-1]])
    return Strings(codes, starts, letters)


def read_strings(A: Records, owner: str) -> Strings:
    """Read a list, array or column of strings, or of lists of words."""
    if isinstance(A, str | bytes):
        raise DataError(
            f"{owner} needs a list of strings. Got the single string {_shown(A)}; "
            "put it into a list."
        )
    if getattr(A, "ndim", 1) != 1 or hasattr(A, "columns"):
        raise DataError(
            f"{owner} needs one list of strings. Got a {type(A).__name__} with rows and columns; "
            "select the column that holds the strings, as in X['sequence']."
        )
    try:
        records = A.to_list() if hasattr(A, "to_list") else list(A)
    except TypeError:
        raise DataError(
            f"{owner} needs a list of strings. Got {_shown(A)} ({type(A).__name__})."
        ) from None
    only_strings = all(issubclass(kind, str) for kind in set(map(type, records)))
    if not only_strings:
        for row, record in enumerate(records):
            _check_words(row, record, owner)
    lengths = np.fromiter(map(len, records), dtype=np.int64, count=len(records))
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
    if only_strings:
        codes, letters = _characters("".join(records))
    else:
        codes, letters = _words(records)
    return Strings(codes, starts, letters)


def _characters(text: str) -> tuple[LetterArray, tuple[Hashable, ...]]:
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    present = np.zeros(int(points.max(initial=0)) + 1, dtype=np.bool_)
    present[points] = True
    code = np.cumsum(present, dtype=np.int32) - np.int32(1)
    return code[points], tuple(chr(point) for point in np.flatnonzero(present))


def _words(records: Sequence[Sequence[Hashable]]) -> tuple[LetterArray, tuple[Hashable, ...]]:
    place: dict[Hashable, int] = {}
    codes = [place.setdefault(word, len(place)) for record in records for word in record]
    return np.array(codes, dtype=np.int32), tuple(place)


def _check_words(row: int, record: Any, owner: str) -> None:
    """Allow a list or tuple of words in place of a string; refuse everything else."""
    if isinstance(record, str):
        return
    if isinstance(record, list | tuple):
        for word in record:
            if word is None or isinstance(word, Number) or not isinstance(word, Hashable):
                raise DataError(
                    f"{owner} needs strings, or lists of words. Row {row} holds a "
                    f"{type(record).__name__} with {_shown(word)} ({type(word).__name__}); "
                    "turn its items into strings, or use a kernel on vectors if they are numbers."
                )
        return
    raise DataError(
        f"{owner} needs strings. Row {row} holds {_shown(record)} ({type(record).__name__}); "
        "leave the row out or turn it into a string."
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
