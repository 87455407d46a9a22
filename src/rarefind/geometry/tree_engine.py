"""Answers from a k-d tree: for vectors of few dimensions."""

from __future__ import annotations

import os

import numpy as np
from scipy.spatial import cKDTree

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import report
from rarefind.geometry.engine import Engine, reach
from rarefind.geometry.measures import row_blocks

_CHUNK = 50_000
"""Records per call into the tree, so that progress can be told."""

_THINNED_K, _THINNED_ROWS = 2, 2000
"""A thinned copy is thick enough if so many neighbours stand for k, and it has so many rows."""

_PRODUCT_GAIN = 40
"""A product with all n records takes as long as a walk through the tree to n / 40 neighbours."""


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

    def counts(self, radius: float | FloatArray, points: IntArray | None = None) -> IntArray:
        """Tell how many records lie within ``radius`` of each of these (of all).

        The tree counts only records of equal weight, so weights are counted bit by bit: one tree
        for each power of two holds the records whose weight has that bit.
        """
        vectors = self.vectors if points is None else self.vectors[points]
        limits = np.broadcast_to(reach(radius), len(vectors))
        found = np.zeros(len(vectors), dtype=np.int64)
        for start in range(0, len(vectors), _CHUNK):
            part = slice(start, start + _CHUNK)
            for value, tree in self._by_bit:
                inside = tree.query_ball_point(
                    vectors[part], limits[part], return_length=True, workers=self._workers
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

    def subset(self, points: IntArray) -> TreeEngine:
        """Return an engine that knows only these records."""
        return TreeEngine(self.vectors[points], self.weights[points])

    def smallest_within(self, values: FloatArray, point: int, radius: float) -> tuple[float, int]:
        """Find the least of ``values`` within ``radius`` of one record, and whose it is."""
        inside = self.tree.query_ball_point(self.vectors[point], reach(radius), return_sorted=True)
        best = inside[int(np.argmin(values[inside]))]
        return float(values[best]), int(best)

    def counts_bound(self, radius: float, points: IntArray, expected: int) -> IntArray:
        """Return numbers that the counts within ``radius`` of these records do not exceed.

        Where so many neighbours are expected that the tree would visit most of itself, one matrix
        product in single precision is faster. Its radius is widened by the rounding error.
        """
        if expected * _PRODUCT_GAIN < self.n or self.total > self.n:
            return self.counts(radius, points)
        lengths = np.einsum("ij,ij->i", self.vectors, self.vectors)
        ones = np.ones(self.n)
        right = np.c_[-2.0 * self.vectors, ones, lengths].astype(np.float32).T
        left = np.c_[self.vectors, lengths, ones].astype(np.float32)[points]
        slack = 4e-7 * self.vectors.shape[1] * (np.sqrt(lengths[points]) + radius) ** 2
        limit = (radius**2 + slack).astype(np.float32)
        found = np.empty(len(points), dtype=np.int64)
        for part in row_blocks(len(points), self.n // 2):
            inside = np.packbits(left[part] @ right <= limit[part, None], axis=1)
            found[part] = np.bitwise_count(inside).sum(axis=1, dtype=np.int64)
        return found

    def dense_sample(self, k: int, candidates: IntArray, size: int) -> IntArray:
        """Guess which records have their k-th neighbour close by, from a thinned copy."""
        share = min(1.0, max(_THINNED_K / k, _THINNED_ROWS / len(candidates)))
        drawn = np.random.default_rng(0).permutation(candidates)[: round(share * len(candidates))]
        near = min(len(drawn), max(2, round(k * share) + 1))
        found, _ = cKDTree(self.vectors[drawn]).query(
            self.vectors[drawn], k=[near], workers=self._workers
        )
        return drawn[np.argsort(found[:, 0], kind="stable")[:size]]
