"""Answers from a k-d tree: for vectors of few dimensions."""

from __future__ import annotations

import os

import numpy as np
from scipy.spatial import cKDTree

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import report
from rarefind.geometry.engine import Engine, reach

_CHUNK = 50_000
"""Records per call into the tree, so that progress can be told."""


class TreeEngine(Engine):
    """Euclidean distances among vectors, through SciPy's k-d tree."""

    def __init__(self, vectors: FloatArray, weights: IntArray | None = None) -> None:
        super().__init__(len(vectors), weights)
        self.vectors = np.ascontiguousarray(vectors)
        # Splitting at the middle of the box, not at the median, keeps the tree shallow where
        # many coordinates are equal.
        self.tree = cKDTree(self.vectors, balanced_tree=False)
        self._workers = os.cpu_count() or 1
        self._by_bit = [
            (1 << bit, cKDTree(self.vectors[chosen], balanced_tree=False))
            for bit in range(int(self.weights.max()).bit_length())
            if (chosen := np.flatnonzero(self.weights >> bit & 1)).size
        ]

    def distances(self, point: int) -> FloatArray:
        """Distances of one record from all."""
        difference = self.vectors - self.vectors[point]
        return np.sqrt(np.einsum("ij,ij->i", difference, difference))

    def counts(self, radius: float, points: IntArray | None = None) -> IntArray:
        """Tell how many records lie within ``radius`` of each of these (of all).

        The tree counts only records of equal weight, so weights are counted bit by bit: one tree
        for each power of two holds the records whose weight has that bit.
        """
        vectors = self.vectors if points is None else self.vectors[points]
        found = np.zeros(len(vectors), dtype=np.int64)
        for start in range(0, len(vectors), _CHUNK):
            part = slice(start, start + _CHUNK)
            for value, tree in self._by_bit:
                inside = tree.query_ball_point(
                    vectors[part], reach(radius), return_length=True, workers=self._workers
                )
                found[part] += value * inside
            report("counting neighbours", min(part.stop, len(vectors)), len(vectors))
        return found

    def nearest(self, k: int, points: IntArray | None = None) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others of each of these records (of all)."""
        k = min(k, self.n - 1)
        rows = np.arange(self.n) if points is None else points
        distances = np.empty((len(rows), k))
        numbers = np.empty((len(rows), k), dtype=np.int64)
        for start in range(0, len(rows), _CHUNK):
            part = slice(start, start + _CHUNK)
            found, near = self.tree.query(
                self.vectors[rows[part]], k=np.arange(1, k + 2), workers=self._workers
            )
            others = near != rows[part, None]
            # Distinct records are never at distance zero, so each finds itself first.
            keep = np.argsort(~others, axis=1, kind="stable")[:, :k]
            distances[part] = np.take_along_axis(found, keep, axis=1)
            numbers[part] = np.take_along_axis(near, keep, axis=1)
            report("finding neighbours", min(part.stop, len(rows)), len(rows))
        return distances, numbers

    def smallest_within(self, values: FloatArray, point: int, radius: float) -> tuple[float, int]:
        """Find the least of ``values`` within ``radius`` of one record, and whose it is."""
        inside = self.tree.query_ball_point(self.vectors[point], reach(radius), return_sorted=True)
        best = inside[int(np.argmin(values[inside]))]
        return float(values[best]), int(best)
