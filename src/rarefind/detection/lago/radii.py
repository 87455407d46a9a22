"""How far each known example's vote reaches: the mean distance to its nearest background."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.errors import DataError
from rarefind.geometry import Measure, row_blocks
from rarefind.geometry.neighbours.nearest import nearest

RADIUS_FLOOR = 1e-3
"""No radius is smaller than this part of the median radius: duplicates would vote for nothing."""


@dataclass(frozen=True)
class NearestBackground:
    """The nearest background records of every centre, nearest first.

    ``distances``, ``rows`` (into the background) and ``weights`` have one row per centre;
    ``typical`` is a middling distance from a centre to the background.
    """

    distances: FloatArray
    rows: IntArray
    weights: FloatArray
    typical: float

    def radii(self, n_neighbors: float) -> FloatArray:
        """Mean distance of every centre to its nearest background records."""
        shares = self._shares(n_neighbors)
        radii = (shares * self.distances).sum(axis=1) / shares.sum(axis=1)
        return _floored(radii, self.typical)

    def shrinkage(self, n_neighbors: float) -> tuple[IntArray, IntArray, FloatArray]:
        """How much each radius owes to each neighbour that counts in it.

        Returned are centres, background rows, and the radius divided by what it would be if that
        row were not known (a row that stands for several loses one of them). Without this, a
        background record would seem better told apart than a new one, most of all with K=1.
        """
        before = np.cumsum(self.weights, axis=1) - self.weights
        centres, places = np.nonzero(before < n_neighbors)
        own = np.minimum(self.weights[centres, places], 1.0)
        reach = np.minimum(n_neighbors + own, before[centres, -1] + self.weights[centres, -1])
        shares = np.clip(reach[:, None] - before[centres], 0.0, self.weights[centres])
        sums = np.einsum("pk,pk->p", shares, self.distances[centres])
        rest = reach - own
        plain = self.radii(n_neighbors)
        others = (sums - own * self.distances[centres, places]) / np.where(rest > 0, rest, 1.0)
        others = np.where(rest > 0, np.maximum(others, plain.min()), plain[centres])
        return centres, self.rows[centres, places], plain[centres] / others

    def part(self, centres: IntArray) -> NearestBackground:
        """Do the same for some of the centres."""
        return NearestBackground(
            self.distances[centres], self.rows[centres], self.weights[centres], self.typical
        )

    def radii_by_feature(
        self, n_neighbors: float, centres: FloatArray, background: FloatArray
    ) -> FloatArray:
        """Mean difference of every centre from its nearest background, feature by feature."""
        shares = self._shares(n_neighbors)
        shares /= shares.sum(axis=1, keepdims=True)
        radii = np.empty(centres.shape)
        used = int(np.flatnonzero(shares.any(axis=0))[-1]) + 1
        for part in row_blocks(len(centres), used * centres.shape[1]):
            neighbours = background[self.rows[part, :used]]
            differences = np.abs(neighbours - np.expand_dims(centres[part], 1))
            radii[part] = np.einsum("ik,ikj->ij", shares[part, :used], differences)
        # A feature in which a centre equals its neighbours would otherwise forbid any difference.
        positive = radii > 0
        if not positive.any():
            return _floored(radii, self.typical)
        overall = float(np.median(radii[positive]))
        for feature in range(centres.shape[1]):
            values = radii[positive[:, feature], feature]
            usual = float(np.median(values)) if len(values) else overall
            radii[:, feature] = _floored(radii[:, feature], usual)
        return radii

    def _shares(self, n_neighbors: float) -> FloatArray:
        """How much of each neighbour's weight lies within the first ``n_neighbors`` units."""
        before = np.cumsum(self.weights, axis=1) - self.weights
        shares: FloatArray = np.clip(n_neighbors - before, 0.0, self.weights)
        return shares


def find_nearest(
    centres: Records, background: Records, weights: FloatArray, measure: Measure, how_many: float
) -> NearestBackground:
    """Find for every centre the background records that hold ``how_many`` units of weight."""
    n0 = count(background)
    needed = int(np.searchsorted(np.cumsum(np.sort(weights)), how_many)) + 1
    k = min(n0, max(needed, 1))
    distances, rows = nearest(centres, background, k, measure)
    return NearestBackground(
        distances, rows, weights[rows], _typical(centres, background, measure, distances)
    )


def _typical(
    centres: Records, background: Records, measure: Measure, distances: FloatArray
) -> float:
    """Find a distance to fall back on where every radius is zero."""
    if distances.any():
        return float(np.median(distances[distances > 0]))
    n0 = count(background)
    some = np.unique(np.linspace(0, n0 - 1, min(n0, 1000)).astype(np.int64))
    block = measure(take(background, some), take(centres, slice(0, 100)))
    return float(np.median(block[block > 0])) if block.any() else 0.0


def _floored(radii: FloatArray, fallback: float) -> FloatArray:
    usual = float(np.median(radii)) or fallback
    if usual <= 0.0:
        raise DataError(
            "Lago found no distance at all between the rare records and the background: they are "
            "equal in every feature, or the kernel gives all of them the same similarity. "
            "Check the features or the kernel."
        )
    return np.maximum(radii, RADIUS_FLOOR * usual)
