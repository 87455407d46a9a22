"""Words that somebody says stand for a gap."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from rarefind.features.cells.number_word_or_gap import read_number


class GapWords(Collection[str]):
    """Words for a gap; one that is a number is found however it is written.

    >>> words = GapWords(["-999", "Unknown"])
    >>> "-999.0" in words, "unknown" in words, "-99" in words
    (True, True, False)
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(word.strip().lower() for word in words)
        read = map(read_number, self._words)
        self.numbers = frozenset(number for number in read if number is not None)
        """The numbers among them."""

    def __contains__(self, word: object) -> bool:
        """Whether a word, in small letters, stands for a gap."""
        if word in self._words:
            return True
        return bool(self.numbers) and isinstance(word, str) and read_number(word) in self.numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def unmatched(self, cells: Iterable[Mapping[str, Any]]) -> str:
        """Say which of the words stand in no column; nothing if all do.

        >>> GapWords(["-999", "x"]).unmatched([{"a": ["-999.0", "3"]}])
        "no cell is 'x', said to stand for a gap"
        """
        left = {word: GapWords([word]) for word in sorted(self)}
        for columns in cells:
            for column in columns.values() if left else ():
                different = _different(column)
                left = {word: one for word, one in left.items() if not one._is_among(different)}
        words = " or ".join(map(repr, left))
        return f"no cell is {words}, said to stand for a gap" if left else ""

    def _is_among(self, cells: Collection[Any]) -> bool:
        if not self.numbers.isdisjoint(cells):
            return True
        return any(isinstance(cell, str) and cell.strip().lower() in self for cell in cells)


def _different(cells: Any) -> set[Any]:
    """Return the different words and numbers of a column."""
    if isinstance(cells, np.ndarray):
        cells = np.unique(cells).tolist() if cells.dtype.kind == "f" else cells.tolist()
    elif hasattr(cells, "unique"):
        try:
            cells = cells.unique().to_pylist()
        except NotImplementedError:  # Arrow compares no lists and no structures
            return set()
    return {cell for cell in cells if isinstance(cell, str | int | float)}
