"""The questions discovery asks of the data, and what answers them.

An engine knows a set of records, each standing for one or more identical ones (its weight), and
answers how far, how many and how dense. Radii are compared with a slack of one part in a billion,
so that a record at exactly the radius counts as inside whichever way its distance was computed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.geometry.fingerprint import NoFingerprintError
from rarefind.geometry.kept_answers import kept

_SLACK = 1e-9
"""Distances computed in two ways differ in their last digits; a border this wide is the same for
every engine, and far below what measured data tell apart."""

_SAMPLE = 16
"""How many records are looked at exactly, at a time, in the search for the least of all."""

_WORTHWHILE = 10
"""Neighbours are counted once an exact value rules out fewer records than this."""


def reach(radius: Any) -> Any:
    """Return the radius (or radii) with the slack that makes its own border count as inside."""
    return radius * (1.0 + _SLACK)


class Engine(ABC):
    """Answers questions about distances among ``n`` weighted records."""

    def __init__(self, n: int, weights: IntArray | None) -> None:
        self.n = n
        self.weights = np.ones(n, dtype=np.int64) if weights is None else weights
        self.total = int(self.weights.sum())

    @property
    def fingerprint(self) -> str:
        """What all answers follow from, in short; without one they are not kept for next time."""
        raise NoFingerprintError(f"{type(self).__name__} has no fingerprint.")

    @abstractmethod
    def distances(self, point: int) -> FloatArray:
        """Distances of one record from all."""

    def distances_to(self, point: int, others: IntArray) -> FloatArray:
        """Distances of one record from some others."""
        return self.distances(point)[others]

    def distance(self, point: int, other: int) -> float:
        """Distance of two records."""
        return float(self.distances(point)[other])

    @abstractmethod
    def counts(self, radius: float | FloatArray, points: IntArray | None = None) -> IntArray:
        """Tell how many records lie within ``radius`` of each of these (of all), itself too.

        The radius is one for all or one for each.
        """

    @abstractmethod
    def nearest(self, k: int, points: IntArray | None = None) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others of each of these records (of all)."""

    @abstractmethod
    def subset(self, points: IntArray) -> Engine:
        """Return an engine that knows only these records, renumbered from 0."""

    def smallest_within(self, values: FloatArray, point: int, radius: float) -> tuple[float, int]:
        """Find the least of ``values`` within ``radius`` of one record, and whose it is."""
        inside = np.flatnonzero(self.distances(point) <= reach(radius))
        best = int(inside[np.argmin(values[inside])])
        return float(values[best]), best

    def kth_distance(self, k: int, distances: FloatArray) -> float:
        """Distance to the k-th of the others, given a record's distances from all."""
        if self.total == self.n:
            return float(np.partition(distances, k)[k])
        order = np.argsort(distances, kind="stable")
        others = np.cumsum(self.weights[order]) - 1
        return float(distances[order[np.searchsorted(others, k)]])

    @kept
    def least_kth_distance(self, k: int) -> float:
        """Least positive distance from any record to the k-th of the others.

        Only the minimum is wanted, so nobody's neighbours are kept. Exact values at a few records
        in dense places give an upper bound. They also bound the others from below, as the value
        of a record differs from that of another by no more than their distance. Of what is left,
        records with fewer than k neighbours within the upper bound cannot be the minimum.
        """
        candidates = np.flatnonzero(self.weights <= k)
        if candidates.size == 0:
            return self._least_positive_distance()
        best = np.inf
        lower = np.zeros(self.n)
        random = np.random.default_rng(0)
        queue = self.dense_sample(k, candidates, _SAMPLE)
        while True:
            for point in queue:
                distances = self.distances(int(point))
                value = self.kth_distance(k, distances)
                np.maximum(lower, value - distances, out=lower)
                lower[point] = np.inf
                # Zero where k others are the same but could not be folded: no radius.
                best = min(best, value) if value > 0 else best
            # A hair below the best, so that ties with it are not searched one by one.
            below = best * (1.0 - 10 * _SLACK)
            left = candidates[lower[candidates] < below]
            ruled_out = (candidates.size - left.size) / len(queue)
            candidates = left
            if ruled_out < _WORTHWHILE and np.isfinite(best):
                candidates = candidates[self.counts_bound(below, candidates) > k]
            if candidates.size == 0:
                return best if np.isfinite(best) else self._least_positive_distance()
            queue = random.permutation(candidates)[:_SAMPLE]

    def _least_positive_distance(self) -> float:
        """Set the scale where every record has k copies: by the nearest different record."""
        rows = (self.distances(point) for point in range(self.n))
        least = min(float(row[row > 0].min(initial=np.inf)) for row in rows)
        # Where a kernel sees no difference at all, every radius holds everybody.
        return least if np.isfinite(least) else 1.0

    def counts_bound(self, radius: float, points: IntArray) -> IntArray:
        """Return numbers that the counts within ``radius`` of these records do not exceed."""
        return self.counts(radius, points)

    def dense_sample(self, k: int, candidates: IntArray, size: int) -> IntArray:
        """Guess which records have their k-th neighbour close by."""
        return np.random.default_rng(0).permutation(candidates)[:size]

    def diameter_bound(self) -> float:
        """Return a distance that no two records exceed."""
        return 2.0 * float(self.distances(0).max())
