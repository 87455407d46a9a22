"""How far each known example's vote reaches: the mean distance to its nearest background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial import cKDTree

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.errors import DataError
from rarefind.core.progress import announce
from rarefind.detection.blas import undivided_products
from rarefind.geometry import Euclidean, Measure, row_blocks

RADIUS_FLOOR = 1e-3
"""No radius is smaller than this part of the median radius: duplicates would vote for nothing."""

_TREE_DIMENSIONS = 8
"""Up to this many dimensions a tree finds neighbours faster than comparing all pairs."""

_PRECISIONS: tuple[tuple[Any, float], ...] = ((np.float32, 1e-6), (np.float64, 1e-12))
"""Number types, and the share of the greatest squared length that products in them may be off."""


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
    dense = isinstance(background, np.ndarray) and not sparse.issparse(background)
    if type(measure) is Euclidean and dense:
        rows = _vector_neighbours(centres, background, k)
        differences = np.empty(rows.shape)
        for part in row_blocks(len(rows), k * background.shape[1]):
            gap = background[rows[part]] - centres[part, None, :]
            differences[part] = np.sqrt(np.einsum("ikj,ikj->ik", gap, gap))
        distances = differences
    else:
        distances, rows = _neighbours_by_blocks(centres, background, measure, k)
    order = np.argsort(distances, axis=1, kind="stable")
    distances = np.take_along_axis(distances, order, axis=1)
    rows = np.take_along_axis(rows, order, axis=1)
    return NearestBackground(
        distances, rows, weights[rows], _typical(centres, background, measure, distances)
    )


def _vector_neighbours(centres: FloatArray, background: FloatArray, k: int) -> IntArray:
    # Moved to the middle, so that squared lengths do not swallow small distances.
    middle = centres.mean(axis=0)
    centres, background = centres - middle, background - middle
    if background.shape[1] <= _TREE_DIMENSIONS:
        found = cKDTree(background).query(centres, k)[1].reshape(-1, k)
    else:
        with undivided_products():
            found = _by_bound(centres, background, k)
    rows: IntArray = found.astype(np.int64)
    # Equal distances are kept in the order of the records, whatever found them.
    rows.sort(axis=1)
    return rows


def _by_bound(centres: FloatArray, background: FloatArray, k: int) -> IntArray:
    """Find the k nearest rows: a bound from some of them leaves few candidates among the rest."""
    n0 = len(background)
    lengths = np.einsum("ij,ij->i", background, background)
    # Few rows make the bound cheap and loose, many make it dear and tight.
    step = max(1, min(n0 // (4 * k), 200 // k))
    found = np.empty((len(centres), k), dtype=np.int64)
    # Squared distances less the centre's own squared length, which changes no order: the other
    # lengths go through the product as one more feature.
    right = np.hstack([background, lengths[:, None]])
    left = np.hstack([-2.0 * centres, np.ones((len(centres), 1))])
    rough: dict[Any, FloatArray] = {np.float32: right.astype(np.float32), np.float64: right}
    some = {kind: np.ascontiguousarray(rows[::step]) for kind, rows in rough.items()}
    for part in row_blocks(len(centres), max(n0 // step, 64), block_bytes=2**22):
        mine = centres[part]
        for kind, share in _PRECISIONS:
            factors = left[part].astype(kind)
            bound = np.partition(factors @ some[kind].T, k - 1, axis=1)[:, k - 1 : k]
            slack = share * _longest(mine, lengths)
            if kind is np.float64 or slack < 0.01 * _usual(mine, bound):
                break
        # The bound itself and what is compared with it may both be off by the slack.
        limit = bound + kind(2.0 * slack)
        rows, columns = [], []
        for block in row_blocks(n0, len(mine), block_bytes=2**21):
            squared = factors @ rough[kind][block].T
            row, column = np.divmod(np.flatnonzero(squared <= limit), squared.shape[1])
            rows.append(row)
            columns.append(column + block.start)
        found[part] = _nearest_of(
            mine, background, np.concatenate(rows), np.concatenate(columns), k
        )
    return found


def _longest(mine: FloatArray, lengths: FloatArray) -> float:
    return max(float(lengths.max()), float(np.einsum("ij,ij->i", mine, mine).max()))


def _usual(mine: FloatArray, bound: FloatArray) -> float:
    """Find the squared distance that most centres have to look for neighbours within."""
    return float(np.median(bound[:, 0] + np.einsum("ij,ij->i", mine, mine)))


def _nearest_of(
    centres: FloatArray, background: FloatArray, rows: IntArray, columns: IntArray, k: int
) -> IntArray:
    """Of each centre's candidates, the k nearest, by exact distances."""
    squared = np.empty(len(rows))
    for part in row_blocks(len(rows), background.shape[1], block_bytes=2**21):
        gap = background[columns[part]] - centres[rows[part]]
        squared[part] = np.einsum("ij,ij->i", gap, gap)
    # Small integers are sorted by their digits, in no time; then every centre gets a line.
    order = np.argsort(rows.astype(np.int16), kind="stable")
    rows, columns, squared = rows[order], columns[order], squared[order]
    starts = np.searchsorted(rows, np.arange(len(centres)))
    places = np.arange(len(rows)) - starts[rows]
    lines = np.full((len(centres), int(places.max()) + 1), np.inf)
    lines[rows, places] = squared
    best = np.argpartition(lines, k - 1, axis=1)[:, :k]
    return columns[starts[:, None] + best]


def _neighbours_by_blocks(
    centres: Records, background: Records, measure: Measure, k: int
) -> tuple[FloatArray, IntArray]:
    n1, n0 = count(centres), count(background)
    distances, rows = np.empty((n1, 0)), np.empty((n1, 0), dtype=np.int64)
    for part in row_blocks(n0, n1):
        block = np.arange(part.start, part.stop)
        distances = np.hstack([distances, measure(take(background, part), centres).T])
        rows = np.hstack([rows, np.broadcast_to(block, (n1, len(block)))])
        if distances.shape[1] > k:
            best = np.sort(np.argpartition(distances, k - 1, axis=1)[:, :k], axis=1)
            distances = np.take_along_axis(distances, best, axis=1)
            rows = np.take_along_axis(rows, best, axis=1)
        announce("measuring distances to the background", part.stop, n0)
    return distances, rows


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
