"""Which column counts which word: a numbering of words that is learnt once and then kept."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.arrays import BoolArray, FloatArray, IntArray

LARGEST_CODE = 2**62
"""Words are numbered in 64 bits with a sign; a letter more must not overflow."""

TABLE_SIZE = 2**24  # look-ups by table up to here, by bisection beyond


class Vocabulary:
    """Numbers the words of one length over an alphabet of ``size`` letters.

    A word's code is the number its letters spell in base ``size``. Where that number would
    outgrow 63 bits, the beginnings of words are themselves numbered in the order of a sorted list
    of those that occur, so words of any length are told apart exactly.
    """

    def __init__(self, size: int) -> None:
        self.size = max(size, 1)
        self.seen: IntArray = np.empty(0, dtype=np.int64)
        self._beginnings: list[IntArray] = []

    def __len__(self) -> int:
        return self.seen.size

    def codes(self, letters: Sequence[Any], learn: bool) -> IntArray:
        """Code of every word, -1 where a letter or beginning is unknown.

        ``letters`` holds one array for the first letters of all words, one for the second, etc.
        """
        code = letters[0].astype(np.int64)
        unknown: BoolArray = code < 0
        bound, shortened = self.size, 0
        for following in letters[1:]:
            if bound * self.size >= LARGEST_CODE:
                if learn:
                    self._beginnings.append(np.unique(code[~unknown]))
                table = self._beginnings[shortened]
                code = _positions(table, code)
                unknown |= code < 0
                bound, shortened = max(table.size, 1), shortened + 1
            code = code * self.size + following
            unknown |= following < 0
            bound *= self.size
        code[unknown] = -1
        return code

    def columns(self, codes: IntArray, learn: bool) -> IntArray:
        """Column of every word, -1 for words that were not seen when learning."""
        largest = int(codes.max(initial=-1))
        if learn and largest < TABLE_SIZE:
            present = np.zeros(largest + 1, dtype=np.bool_)
            present[codes[codes >= 0]] = True
            self.seen = np.flatnonzero(present)
        elif learn:
            self.seen = np.unique(codes[codes >= 0])
        return _positions(self.seen, codes)


@dataclass
class Layout:
    """The columns of a feature matrix: an alphabet, and a vocabulary for each block of them."""

    letters: tuple[Hashable, ...]
    vocabularies: list[Vocabulary] = field(default_factory=list)


def rows_of_words(
    rows: IntArray, columns: IntArray, weights: FloatArray, shape: tuple[int, int]
) -> sparse.csr_array:
    """Put weights into a sparse matrix, adding up those in one place; column -1 is left out.

    Indices take 32 bits where they fit: half the memory, and linear models ask for it.
    """
    known = columns >= 0
    if not known.all():
        rows, columns, weights = rows[known], columns[known], weights[known]
    kind = np.int32 if max(*shape, rows.size) < 2**31 else np.int64
    places = (rows.astype(kind, copy=False), columns.astype(kind, copy=False))
    return sparse.coo_array((weights, places), shape=shape).tocsr()


def _positions(table: IntArray, values: IntArray) -> IntArray:
    """Position of every value in a sorted table, -1 for values that are not there."""
    if table.size == 0:
        return np.full(values.size, -1, dtype=np.int64)
    if table[-1] < TABLE_SIZE:
        place = np.full(int(table[-1]) + 2, -1, dtype=np.int64)
        place[table] = np.arange(table.size)
        inside = np.where((values < 0) | (values > table[-1]), place.size - 1, values)
        return place[inside]
    position = np.minimum(np.searchsorted(table, values), table.size - 1)
    return np.where(table[position] == values, position, -1)
