"""How wide a kernel to lay on each feature."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray

_MULTIPLES = 2.0 ** np.arange(-6.0, 2.5, 0.5)
"""Widths tried: Silverman's is for one Gaussian and too wide for many, so mostly narrower ones."""

_SAMPLE = 1000
"""Values tried, all against all: a million differences a feature and width."""


def silverman(vectors: FloatArray, weights: IntArray) -> FloatArray:
    """Silverman's rule for every feature: 1.06 standard deviations over the fifth root of n."""
    centred = vectors - np.average(vectors, axis=0, weights=weights)
    deviation = np.sqrt(np.average(centred**2, axis=0, weights=weights))
    return 1.06 * deviation * float(weights.sum()) ** -0.2


def cross_validated(vectors: FloatArray, weights: IntArray) -> FloatArray:
    """Bandwidths under which each value is most likely given the others, feature by feature.

    Multiples of Silverman's rule are tried on at most a thousand records. The likelihood of
    copies grows without end as the width shrinks, so no width is below the smallest step between
    the values of its feature.
    """
    start = silverman(vectors, weights)
    rows = np.repeat(vectors, weights, axis=0)
    chosen = np.random.default_rng(0).permutation(len(rows))[:_SAMPLE]
    best = np.empty_like(start)
    for feature in range(vectors.shape[1]):
        values = rows[chosen, feature]
        squared = (values[:, None] - values[None, :]) ** 2
        np.fill_diagonal(squared, np.inf)
        widths = start[feature] * _MULTIPLES
        fits = [_left_out_likelihood(squared, width) for width in widths]
        best[feature] = widths[int(np.argmax(fits))]
    return np.maximum(best, smallest_steps(vectors))


def smallest_steps(vectors: FloatArray) -> FloatArray:
    """Smallest positive difference between values of each feature; 0 if it is constant."""
    steps = np.diff(np.sort(vectors, axis=0), axis=0)
    least = np.where(steps > 0, steps, np.inf).min(axis=0, initial=np.inf)
    return np.where(np.isfinite(least), least, 0.0)


def _left_out_likelihood(squared: FloatArray, width: float) -> float:
    density = np.exp(-0.5 * squared / width**2).sum(axis=1) / width
    # A value nobody comes near is unlikely, not impossible.
    return float(np.log(np.maximum(density, 1e-300)).sum())
