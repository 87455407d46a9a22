"""What is usual in a column, so that the unusual can be marked."""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import FloatArray

MARKED = 0.02
"""A field that at most this share of all records is like is marked."""

_COMMON = 0.1
"""A number that so many records have is told by their share, not by those below it."""

_SAMPLE = 20_000
"""Values that show a column's spread: its quantiles are certain to less than a percent."""

_BINS = 24
"""Bars of a small histogram beside a field."""

_WORD = re.compile(r"[^\W\d_]{3,}")
"""Words of three letters or more: shorter ones say little."""


@dataclass(frozen=True)
class Unusual:
    """How unusual a cell is: the share of records like it, from 0 to 1, and in words."""

    share: float
    words: str

    @property
    def level(self) -> float:
        """0 for what everybody has, 0.5 for one in a hundred, 1 for one in ten thousand."""
        return float(np.clip(-math.log10(max(self.share, 1e-9)) / 4.0, 0.0, 1.0)) + 0.0

    @property
    def marked(self) -> bool:
        """Whether a person should be pointed to it."""
        return self.share <= MARKED


class NumberFacts:
    """The spread of a column of numbers, from a sample where it is long.

    >>> facts = NumberFacts(np.arange(1000.0))
    >>> facts.unusual(999.0).words
    'higher than all others'
    >>> facts.unusual(500.0).marked
    False
    >>> NumberFacts(np.arange(1000.0), words=("earlier", "later")).unusual(0.0).words
    'earlier than all others'
    >>> NumberFacts(np.exp(np.arange(1000.0) / 100)).unusual(1.0).marked  # far from few, but lowest
    True
    """

    def __init__(self, column: FloatArray, words: tuple[str, str] = ("lower", "higher")) -> None:
        self._lower, self._higher = words
        known = column[np.isfinite(column)]
        self.missing = 1.0 - len(known) / max(len(column), 1)
        if len(known) > _SAMPLE:
            known = known[np.linspace(0, len(known) - 1, _SAMPLE).astype(np.int64)]
        known = np.sort(known)
        self._middle = float(np.median(known)) if len(known) else 0.0
        # Looked up some hundred times a question: numpy would hand the interpreter's lock to
        # somebody else each time.
        self._sorted = array("d", known.tobytes())
        self._away = array("d", np.sort(np.abs(known - self._middle)).tobytes())
        self._bins = _binned(known)

    def unusual(self, value: float) -> Unusual:
        """Tell how many records are at least as far from the middle, or as near to an end.

        Where a few values are very high, no low one is far from the middle: then it counts how
        many are as low, twice, since either end would have been noticed.
        """
        n = len(self._sorted)
        if not math.isfinite(value):
            return Unusual(self.missing, f"missing here, as in {_percent(self.missing)} of records")
        if n < 2:
            return Unusual(1.0, "")
        as_far = n - bisect_left(self._away, abs(value - self._middle))
        first = bisect_left(self._sorted, value)
        last = bisect_right(self._sorted, value)
        as_near = 2 * (n - first if value >= self._middle else last)
        share = max(min(as_far, as_near), 1) / n
        if last - first >= _COMMON * n:  # "higher than 0 %" would say nothing of it
            return Unusual(share, f"{_percent((last - first) / n)} of records have this")
        if value >= self._middle:
            return Unusual(share, f"{self._higher} than {_most(first / n, n)}")
        return Unusual(share, f"{self._lower} than {_most(1.0 - last / n, n)}")

    def apart(self, one: float, other: float) -> float:
        """Tell which share of the records lies between two values; 1 if one of them is missing.

        >>> NumberFacts(np.arange(100.0)).apart(10.0, 35.0)
        0.25
        """
        if one == other or not (math.isfinite(one) or math.isfinite(other)):
            return 0.0
        if not (math.isfinite(one) and math.isfinite(other)):
            return 1.0
        between = abs(bisect_left(self._sorted, other) - bisect_left(self._sorted, one))
        return max(float(between), 1.0) / max(len(self._sorted), 1)

    def histogram(self, value: float) -> Mapping[str, Any] | None:
        """Count the records in bins over the usual range, and say which bin the value is in."""
        if self._bins is None:
            return None
        low, high, counts = self._bins
        place = None
        if math.isfinite(value):
            share = min(max((value - low) / (high - low), 0.0), 1.0)
            place = min(int(share * _BINS), _BINS - 1)
        return {"low": low, "high": high, "counts": counts, "bin": place}


class WordFacts:
    """How often each word of a column occurs.

    >>> facts = WordFacts(np.array(["a"] * 99 + ["b"], dtype=object))
    >>> facts.unusual("b").words
    'only 1% of records have this'
    """

    def __init__(self, column: NDArray[Any]) -> None:
        self._counts = Counter("" if cell is None else str(cell) for cell in column)
        self._n = max(len(column), 1)

    def unusual(self, word: str | None) -> Unusual:
        """Tell how many records have the same word."""
        share = self._counts[word or ""] / self._n
        if word is None:
            return Unusual(share, f"missing here, as in {_percent(share)} of records")
        return Unusual(
            share, f"{'only ' if share <= MARKED else ''}{_percent(share)} of records have this"
        )


class StringFacts:
    """Which short pieces of a column of sequences are rare."""

    def __init__(self, column: NDArray[Any], length: int = 3) -> None:
        cells = _sampled([str(cell) for cell in column if cell is not None])
        self._length = length
        self._n = max(len(cells), 1)
        self._with: Counter[str] = Counter()
        for cell in cells:
            self._with.update({cell[i : i + length] for i in range(len(cell) - length + 1)})

    def marks(self, text: str, most: int = 5) -> list[tuple[int, int]]:
        """Return where the rarest pieces are, as (start, end), joined where they touch."""
        k = self._length
        rare = sorted((self._with[text[i : i + k]] / self._n, i) for i in range(len(text) - k + 1))
        places = sorted(i for share, i in rare[:most] if share <= MARKED)
        marks: list[tuple[int, int]] = []
        for start in places:
            if marks and start <= marks[-1][1]:
                marks[-1] = (marks[-1][0], start + k)
            else:
                marks.append((start, start + k))
        return marks


class TermFacts:
    """Which words of a column of texts are rare.

    >>> facts = TermFacts(np.array(["the paper tray"] * 99 + ["the leaked tray"], dtype=object))
    >>> facts.marks("the leaked tray")
    [(4, 10)]
    """

    def __init__(self, column: NDArray[Any]) -> None:
        cells = _sampled([str(cell) for cell in column if cell is not None])
        self._n = max(len(cells), 1)
        self._with: Counter[str] = Counter()
        for cell in cells:
            self._with.update({word.lower() for word in _WORD.findall(cell)})

    def marks(self, text: str, most: int = 8) -> list[tuple[int, int]]:
        """Return where the most telling rare words are, as (start, end) in UTF-16 units.

        A word tells the more, the oftener it is here and the rarer elsewhere.
        """
        places = [(found.group().lower(), found.span()) for found in _WORD.finditer(text)]
        often = Counter(word for word, _ in places)
        telling = {
            word: number * math.log(self._n / max(self._with[word], 1))
            for word, number in often.items()
            if self._with[word] <= MARKED * self._n
        }
        best = set(sorted(telling, key=lambda word: (-telling[word], word))[:most])
        return [
            (_units(text, start), _units(text, end))
            for word, (start, end) in places
            if word in best
        ]


def _binned(known: FloatArray) -> tuple[float, float, list[int]] | None:
    """Count sorted numbers in bins over their usual range."""
    if len(known) < 2:
        return None
    low, high = (float(edge) for edge in np.quantile(known, [0.005, 0.995]))
    if not high > low:
        low, high = float(known[0]), float(known[-1])
    if not high > low:
        return None
    counts, _ = np.histogram(np.clip(known, low, high), bins=_BINS, range=(low, high))
    return low, high, counts.tolist()


def _units(text: str, place: int) -> int:
    """Return a place in a text as browsers count: letters beyond 16 bits count twice."""
    return place + sum(letter > "\uffff" for letter in text[:place])


def _sampled(cells: list[str]) -> list[str]:
    most = _SAMPLE // 4
    if len(cells) <= most:
        return cells
    return [cells[int(i * len(cells) / most)] for i in range(most)]


def _percent(share: float) -> str:
    """Write a share for people.

    >>> _percent(0.5), _percent(0.0123), _percent(0.00001)
    ('50%', '1.2%', '0.001%')
    >>> _percent(0.997), _percent(1.0)  # what is not true of all is not told of all
    ('99.70%', '100%')
    """
    if 0.99 < share < 1:
        return f"{min(share, 0.9999):.2%}"
    if share >= 0.1 or share == 0:
        return f"{share:.0%}"
    return f"{float(f'{100 * share:.2g}'):.10g}%"


def _most(beyond: float, n: int) -> str:
    if beyond >= 1.0 - 1.5 / n:
        return "all others"
    if beyond > 0.99:
        return f"{min(beyond, 0.9999):.2%} of records"
    return f"{beyond:.0%} of records"
