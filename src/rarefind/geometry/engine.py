"""The questions discovery asks of the data, and what answers them.

An engine knows a set of records, each standing for one or more identical ones (its weight), and
answers how far, how many and how dense. Radii are compared with a slack of one part in a billion,
so that a record at exactly the radius counts as inside whichever way its distance was computed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray

_SLACK = 1e-9
_SAMPLE = 16


def reach(radius: float) -> float:
    """Return the radius with the slack that makes its own border count as inside."""
    return radius * (1.0 + _SLACK)


class Engine(ABC):
    """Answers questions about distances among ``n`` weighted records."""

    def __init__(self, n: int, weights: IntArray | None) -> None:
        self.n = n
        self.weights = np.ones(n, dtype=np.int64) if weights is None else weights
        self.total = int(self.weights.sum())

    @abstractmethod
    def distances(self, point: int) -> FloatArray:
        """Distances of one record from all."""

    @abstractmethod
    def counts(self, radius: float, points: IntArray | None = None) -> IntArray:
        """Tell how many records lie within ``radius`` of each of these (of all), itself too."""

    @abstractmethod
    def nearest(self, k: int, points: IntArray | None = None) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others of each of these records (of all)."""

    def smallest_within(self, values: FloatArray, point: int, radius: float) -> tuple[float, int]:
        """Find the least of ``values`` within ``radius`` of one record, and whose it is."""
        inside = np.flatnonzero(self.distances(point) <= reach(radius))
        best = int(inside[np.argmin(values[inside])])
        return float(values[best]), best

    def kth_distance(self, k: int, point: int) -> float:
        """Distance from one record to the k-th of the others, copies of itself included."""
        distances = self.distances(point)
        order = np.argsort(distances, kind="stable")
        others = np.cumsum(self.weights[order]) - 1
        return float(distances[order[np.searchsorted(others, k)]])

    def least_kth_distance(self, k: int) -> float:
        """Least positive distance from any record to the k-th of the others.

        Only the minimum is wanted, so no record's neighbours are kept: a few exact distances give
        a radius, records with too few neighbours within it cannot be the minimum, and the search
        goes on among the rest.
        """
        candidates = np.flatnonzero(self.weights <= k)
        if candidates.size == 0:
            # Every record has k copies: the nearest different record sets the scale.
            return float(self.nearest(1)[0].min())
        order = np.random.default_rng(0).permutation(candidates)
        best = np.inf
        while order.size:
            sample, order = order[:_SAMPLE], order[_SAMPLE:]
            found = min(self.kth_distance(k, int(point)) for point in sample)
            if found < best:
                best = found
                # A hair below the best, so that ties with it are not searched one by one.
                order = order[self.counts(best * (1.0 - 10 * _SLACK), order) > k]
        return best

    def diameter_bound(self) -> float:
        """Return a distance that no two records exceed."""
        return 2.0 * float(self.distances(0).max())
