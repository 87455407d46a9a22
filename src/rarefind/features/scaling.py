"""Bring features to comparable scales."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray

_RANGES = ((0.25, 1.349), (0.1, 2.563), (0.05, 3.290), (0.02, 4.107), (0.01, 4.653))
"""Tail shares, and how many standard deviations a normal distribution has between the tails."""

_SOFT = 3.0
"""From this many scales on, values are pulled in like a logarithm."""


@dataclass(frozen=True)
class Standard:
    """What bringing columns to mean 0 and deviation 1 needs to know of them."""

    exponent: IntArray
    mean: FloatArray
    deviation: FloatArray

    @classmethod
    def learnt(cls, matrix: FloatArray) -> Standard:
        """Learn from these columns."""
        exponent = _exponent(matrix)
        matrix = _divided(matrix, exponent)
        mean = matrix.mean(axis=0)
        centred = matrix - mean
        deviation = np.sqrt(np.einsum("ij,ij->j", centred, centred) / max(1, len(matrix)))
        noise = 1e-12 * np.abs(matrix).max(axis=0, initial=0.0)
        return cls(exponent, mean, np.where(deviation > noise, deviation, np.inf))

    def __call__(self, matrix: FloatArray) -> FloatArray:
        """Bring these columns to the scale learnt."""
        centred: FloatArray = _divided(matrix, self.exponent) - self.mean
        return centred / self.deviation


@dataclass(frozen=True)
class Squash:
    """What bringing columns to a robust scale with far tails pulled in needs to know of them."""

    exponent: IntArray
    middle: FloatArray
    scale: FloatArray
    standard: Standard

    @classmethod
    def learnt(cls, matrix: FloatArray) -> Squash:
        """Learn from these columns."""
        exponent = _exponent(matrix)
        matrix = _divided(matrix, exponent)
        ordered = np.sort(matrix, axis=0)
        middle = middle_of(ordered)
        scale = np.zeros(matrix.shape[1])
        for tail, width in _RANGES:
            low, high = _at_share(ordered, tail), _at_share(ordered, 1.0 - tail)
            scale = np.where(scale > 0, scale, (high - low) / width)
            if (scale > 0).all():
                break
        if not (scale > 0).all():
            scale = np.where(scale > 0, scale, matrix.std(axis=0))
        noise = 1e-12 * np.abs(matrix).max(axis=0, initial=0.0)
        scale = np.where(scale > noise, scale, np.inf)
        standard = Standard.learnt(_SOFT * np.arcsinh((matrix - middle) / scale / _SOFT))
        return cls(exponent, middle, scale, standard)

    def __call__(self, matrix: FloatArray) -> FloatArray:
        """Bring these columns to the scale learnt."""
        relative = (_divided(matrix, self.exponent) - self.middle) / self.scale
        return self.standard(_SOFT * np.arcsinh(relative / _SOFT))


@dataclass(frozen=True)
class Unscaled:
    """Leaves columns as they are."""

    @classmethod
    def learnt(cls, matrix: FloatArray) -> Unscaled:
        """Learn nothing."""
        return cls()

    def __call__(self, matrix: FloatArray) -> FloatArray:
        """Return the columns."""
        return matrix


Scale: TypeAlias = Standard | Squash | Unscaled
"""What was learnt about the size of columns."""

SCALES: dict[str, type[Standard] | type[Squash] | type[Unscaled]] = {
    "standard": Standard,
    "squash": Squash,
    "none": Unscaled,
}
"""Ways to scale features, by name."""


def standardized(matrix: FloatArray) -> FloatArray:
    """Bring every column to mean 0 and standard deviation 1; constant columns become 0.

    >>> standardized(np.array([[1.0, 5.0], [3.0, 5.0]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    return Standard.learnt(matrix)(matrix)


def squashed(matrix: FloatArray) -> FloatArray:
    """Bring every column to a robust scale, pull its far tails in, and then to deviation 1.

    A few giants stretch a standard deviation until everything else in the column looks the same.
    Here the scale is the width of the middle of the column (of ever more of it, while that width
    is zero), and beyond three scales values grow like a logarithm.
    """
    return Squash.learnt(matrix)(matrix)


def middle_of(ordered: FloatArray) -> FloatArray:
    """Return the median of every ordered column, or of one."""
    n = len(ordered)
    return np.asarray((ordered[(n - 1) // 2] + ordered[n // 2]) / 2.0)


def _at_share(ordered: FloatArray, share: float) -> FloatArray:
    """Return the value below which this share of every ordered column lies, as numpy's quantile.

    Of one column numpy takes longer to look at its arguments than to find the value, which adds up
    to seconds in a table of twenty thousand columns.
    """
    place = share * (len(ordered) - 1)
    below = int(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    part, step = place - below, high - low
    return np.asarray(low + step * part if part < 0.5 else high - step * (1.0 - part))


def _exponent(matrix: FloatArray) -> IntArray:
    """Power of two that each column is divided by, so that squares neither overflow nor vanish."""
    _, exponent = np.frexp(np.abs(matrix).max(axis=0, initial=0.0))
    return exponent.astype(np.int64)


def _divided(matrix: FloatArray, exponent: IntArray) -> FloatArray:
    """Divide columns by powers of two; a product with the inverse is as exact, and quicker."""
    if np.abs(exponent).max(initial=0) > 1000:
        return np.ldexp(matrix, -exponent)
    return matrix * np.ldexp(1.0, -exponent)
