"""How dense the background is around a record, seen from its nearest background records.

LAGO takes the background's density at the known examples and assumes it stays the same around
them. Where it does not, two corrections help, and leave-one-out decides how much of each:
the *share* of the scored record's own radius ``r(x)`` in the bandwidth,
``α r_i^(1-s) r(x)^s``, and the *power* of it that multiplies the score, ``f(x) r(x)^p``.
"""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.detection.lago.radii import RADIUS_FLOOR, find_nearest
from rarefind.geometry import Measure

DENSITY_NEIGHBOURS = 5
"""Background records around a record that show its density: LAGO's own usual number of
neighbours."""

_MOST_RECORDS = 50_000
"""So many background records, drawn at random, show its density; more would only cost time."""


def density_rows(n_background: int) -> IntArray:
    """Choose the background records that density is measured by."""
    if n_background <= _MOST_RECORDS:
        return np.arange(n_background)
    rng = np.random.default_rng(0)
    return np.sort(rng.choice(n_background, _MOST_RECORDS, replace=False))


def density_floor(radii: FloatArray) -> float:
    """Find the least radius of a record, from those of the known examples."""
    return RADIUS_FLOOR * float(np.median(radii))


def local_radii(
    records: Records,
    background: Records,
    weights: FloatArray,
    measure: Measure,
    least: float,
    *,
    own: FloatArray | None = None,
) -> FloatArray:
    """Mean distance of every record to its nearest background records.

    ``own`` are the weights of the records in the background if they belong to it, else zero: one
    of each is not counted.
    """
    wanted = float(min(DENSITY_NEIGHBOURS, max(weights.sum() - (own is not None), 1.0)))
    nearest = find_nearest(records, background, weights, measure, wanted + 1.0)
    left_out = 0.0 if own is None else np.minimum(own, 1.0)[:, None]
    before = np.cumsum(nearest.weights, axis=1) - nearest.weights
    # A record that belongs to the background is its own nearest, at distance zero.
    counted = np.clip(wanted + left_out - before, 0.0, nearest.weights)
    radii: FloatArray = (counted * nearest.distances).sum(axis=1) / wanted
    return np.maximum(radii, least)
