"""Bring features to comparable scales."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray

_RANGES = ((0.25, 1.349), (0.1, 2.563), (0.05, 3.290), (0.02, 4.107), (0.01, 4.653))
"""Tail shares, and how many standard deviations a normal distribution has between the tails."""

_SOFT = 3.0
"""From this many scales on, values are pulled in like a logarithm."""


def standardized(matrix: FloatArray) -> FloatArray:
    """Bring every column to mean 0 and standard deviation 1; constant columns become 0.

    >>> standardized(np.array([[1.0, 5.0], [3.0, 5.0]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    matrix = _tamed(matrix)
    centred = matrix - matrix.mean(axis=0)
    deviation = np.sqrt(np.einsum("ij,ij->j", centred, centred) / max(1, len(matrix)))
    noise = 1e-12 * np.abs(matrix).max(axis=0, initial=0.0)
    return centred / np.where(deviation > noise, deviation, np.inf)


def squashed(matrix: FloatArray) -> FloatArray:
    """Bring every column to a robust scale, pull its far tails in, and then to deviation 1.

    A few giants stretch a standard deviation until everything else in the column looks the same.
    Here the scale is the width of the middle of the column (of ever more of it, while that width
    is zero), and beyond three scales values grow like a logarithm.
    """
    matrix = _tamed(matrix)
    middle = np.median(matrix, axis=0)
    scale = np.zeros(matrix.shape[1])
    for tail, width in _RANGES:
        low, high = np.quantile(matrix, [tail, 1.0 - tail], axis=0)
        scale = np.where(scale > 0, scale, (high - low) / width)
    scale = np.where(scale > 0, scale, matrix.std(axis=0))
    noise = 1e-12 * np.abs(matrix).max(axis=0, initial=0.0)
    relative = (matrix - middle) / np.where(scale > noise, scale, np.inf)
    return standardized(_SOFT * np.arcsinh(relative / _SOFT))


def _tamed(matrix: FloatArray) -> FloatArray:
    """Divide every column by a power of two so that its squares neither overflow nor vanish."""
    _, exponent = np.frexp(np.abs(matrix).max(axis=0, initial=0.0))
    return np.ldexp(matrix, -exponent)
