"""How one column becomes numbers, learnt from some records and kept for others.

Each encoder knows the names of the columns it makes. Records seen later are brought to the same
columns: a missing number is the median of those learnt from, a word never seen is all zeros.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import FloatArray
from rarefind.features.scaling import SCALES, Scale, middle_of

ONE_APART = float(np.sqrt(0.5))
"""Two words marked by this much in columns of their own are one apart, however rare they are:
docs/features.md tells which weights were tried."""

_DAY = 86_400.0
"""Seconds."""

_WEEK_BEGINS = 4 * _DAY
"""1970 began on a Thursday: Monday is four days later."""

_YEAR = 365.2425 * _DAY
"""Seconds, of the mean year of the calendar."""


class Encoder(Protocol):
    """Turns a column into numbers."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns made are called."""
        ...

    def __call__(self, column: NDArray[Any]) -> FloatArray:
        """Encode a column, one row per cell."""
        ...


@dataclass(frozen=True)
class Numbers:
    """Numbers on one scale, missing ones at the median; a second column tells which."""

    names: tuple[str, ...]
    median: float
    scale: Scale

    @classmethod
    def learnt(cls, name: str, column: FloatArray, scale: str = "squash") -> Numbers | None:
        """Learn from a column; None if it holds no number."""
        missing = ~np.isfinite(column)
        if missing.all():
            return None
        median = float(middle_of(np.sort(column[~missing])))
        filled = np.where(missing, median, column)[:, None]
        names = (name, f"{name} is missing") if missing.any() else (name,)
        return cls(names, median, SCALES[scale].learnt(filled))

    def __call__(self, column: NDArray[Any]) -> FloatArray:
        """Encode a column."""
        missing = ~np.isfinite(column)
        numbers = self.scale(np.where(missing, self.median, column)[:, None])
        return numbers if len(self.names) == 1 else np.hstack([numbers, missing[:, None] * 1.0])


@dataclass(frozen=True)
class Matrix:
    """Numbers side by side, none of which was missing; gaps seen later are at the median."""

    names: tuple[str, ...]
    medians: FloatArray
    scale: Scale

    @classmethod
    def learnt(cls, names: tuple[str, ...], matrix: FloatArray, scale: str) -> Matrix:
        """Learn from the columns."""
        return cls(names, np.median(matrix, axis=0), SCALES[scale].learnt(matrix))

    def __call__(self, column: NDArray[Any]) -> FloatArray:
        """Encode the columns."""
        missing = np.isnan(column)
        return self.scale(np.where(missing, self.medians, column) if missing.any() else column)


@dataclass(frozen=True)
class Words:
    """A column per word, so that two different words are one deviation of a number apart."""

    names: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def learnt(cls, name: str, column: NDArray[Any], most: int) -> Words | None:
        """Learn the words of a column, at most so many of the commonest; None if there are none."""
        counts = Counter(str(word) for word in column if word is not None)
        # Equally common words are taken in the order of the alphabet.
        common = sorted(counts, key=lambda word: (-counts[word], word))[:most]
        words = tuple(sorted(common))
        return cls(tuple(f"{name}={word}" for word in words), words) if words else None

    def __call__(self, column: NDArray[Any]) -> FloatArray:
        """Encode a column."""
        number_of = {word: number for number, word in enumerate(self.words)}
        places = np.fromiter(
            (-1 if word is None else number_of.get(str(word), -1) for word in column),
            dtype=np.int64,
            count=len(column),
        )
        numbers = np.zeros((len(column), len(self.words)))
        known = np.flatnonzero(places >= 0)
        numbers[known, places[known]] = ONE_APART
        return numbers


@dataclass(frozen=True)
class Dates:
    """Dates, given as seconds: when, and where on the clock, in the week and in the year.

    The last three lie on circles with opposite sides one apart (a missing date in the middle), and
    are there only where they differ: times of day, at least two weeks, at least two years.
    """

    names: tuple[str, ...]
    when: Numbers
    circles: tuple[tuple[float, float], ...]

    @classmethod
    def learnt(cls, name: str, seconds: FloatArray, scale: str = "squash") -> Dates | None:
        """Learn from a column; None if it holds no date. Dates that are not scaled are in days."""
        when = Numbers.learnt(name, seconds / _DAY, scale)
        if when is None:
            return None
        known = seconds[np.isfinite(seconds)]
        span = float(known.max() - known.min())
        turns = [
            ("time of day", _DAY, 0.0, bool((known % _DAY != known[0] % _DAY).any())),
            ("day of week", 7 * _DAY, _WEEK_BEGINS, span >= 14 * _DAY),
            ("time of year", _YEAR, 0.0, span >= 2 * _YEAR),
        ]
        used = [(title, period, begin) for title, period, begin, differs in turns if differs]
        names = [f"{name}: {title} ({side})" for title, _, _ in used for side in ("x", "y")]
        circles = tuple((period, begin) for _, period, begin in used)
        return cls((*when.names, *names), when, circles)

    def __call__(self, column: NDArray[Any]) -> FloatArray:
        """Encode a column."""
        parts = [self.when(column / _DAY)]
        missing = ~np.isfinite(column)
        filled = np.where(missing, 0.0, column)
        for period, begin in self.circles:
            shifted = filled - begin
            if period == 7 * _DAY:
                shifted = np.floor(shifted / _DAY) * _DAY
            angle = 2 * np.pi * (shifted % period) / period
            circle = 0.5 * np.column_stack([np.cos(angle), np.sin(angle)])
            parts.append(np.where(missing[:, None], 0.0, circle))
        return np.hstack(parts)


@dataclass(frozen=True)
class Pictures:
    """A grid or list of numbers with one scale for all: those that hardly vary stay quiet."""

    names: tuple[str, ...]
    middle: FloatArray
    deviation: float

    @classmethod
    def learnt(cls, names: tuple[str, ...], matrix: FloatArray, scale: str = "squash") -> Pictures:
        """Learn from the columns of the grid; without a scale they stay as they are."""
        if scale == "none":
            return cls(names, np.zeros(len(names)), 1.0)
        middle = np.nan_to_num(matrix, nan=0.0).mean(axis=0)
        centred = np.nan_to_num(matrix - middle, nan=0.0)
        varying = centred.any(axis=0)
        deviation = float(np.sqrt((centred[:, varying] ** 2).mean())) if varying.any() else 1.0
        return cls(names, middle, deviation)

    def __call__(self, column: NDArray[Any]) -> FloatArray:
        """Encode the columns of the grid; missing dots have their middle value."""
        centred: FloatArray = np.nan_to_num(column - self.middle, nan=0.0)
        return centred / self.deviation
