"""Answers from a k-d tree: for vectors of few dimensions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from time import thread_time
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import announce
from rarefind.core.threads import workers
from rarefind.geometry import thresholds
from rarefind.geometry.engines.contract import Engine, reach
from rarefind.geometry.fingerprint import fingerprint
from rarefind.geometry.kept_answers import kept
from rarefind.geometry.neighbours.tiles import Tiles
from rarefind.geometry.neighbours.tree_order import nearest_in_order

if TYPE_CHECKING:
    from rarefind.geometry.neighbours.boxes import BoxSearch

_CHUNK = 5_000
"""Records per call into the tree, so that progress can be told every second or so."""

_THINNED_K, _THINNED_ROWS = 2, 2000
"""A thinned copy is thick enough if so many neighbours stand for k, and it has so many rows."""

_TRIED = 32
"""Walks through the tree that are timed before it is used for more."""

_AT_LEAST = 50
"""At most one walk in so many is timed."""

_SECONDS_PER_PAIR = 4e-9
"""What a pair of vectors costs in tiles."""


class TreeEngine(Engine):
    """Euclidean distances among vectors, through SciPy's k-d tree.

    Parameters
    ----------
    vectors
        The records.
    weights
        How many each of them stands for.
    boxed
        Whether to find and count neighbours in boxes; None if that depends on how many records
        there are. The answers are the same.
    """

    def __init__(
        self, vectors: FloatArray, weights: IntArray | None = None, boxed: bool | None = None
    ) -> None:
        super().__init__(len(vectors), weights)
        if boxed is None:
            boxed = (
                self.n >= thresholds.BOXED_ROWS and vectors.shape[1] in thresholds.BOXED_DIMENSIONS
            )
        self.boxed = boxed
        self.vectors = np.ascontiguousarray(vectors)
        # Splitting at the middle of the box, not at the median, keeps the tree shallow where
        # many coordinates are equal.
        self.tree = cKDTree(self.vectors, balanced_tree=False)

    @cached_property
    def fingerprint(self) -> str:  # noqa: D102  (as in the contract)
        return fingerprint("vectors in a tree", self.vectors, self.weights)

    def distances(self, point: int) -> FloatArray:
        """Distances of one record from all."""
        return cdist(self.vectors[point : point + 1], self.vectors)[0]

    def distances_to(self, point: int, others: IntArray) -> FloatArray:
        """Distances of one record from some others."""
        return cdist(self.vectors[point : point + 1], self.vectors[others])[0]

    def distance(self, point: int, other: int) -> float:
        """Distance of two records."""
        return float(cdist(self.vectors[[point]], self.vectors[[other]])[0, 0])

    @kept
    def counts(self, radius: float | FloatArray, points: IntArray | None = None) -> IntArray:
        """Tell how many records lie within ``radius`` of each of these (of all)."""
        if self.boxed:
            asked = np.arange(self.n) if points is None else points
            return self._boxes.counts(asked, np.broadcast_to(reach(radius), len(asked)))
        order, rows = self.in_tree_order(points)
        limits = np.broadcast_to(reach(radius), len(rows))
        found = np.empty(len(rows), dtype=np.int64)
        walk = self.tree_is_faster(rows, limits[order])
        for start in range(0, len(rows), _CHUNK):
            part = order[start : start + _CHUNK]
            queries = self.vectors[rows[start : start + _CHUNK]]
            if walk:
                found[part] = self._walked(queries, limits[part], workers())
            else:
                found[part] = self.tiles.counts(queries, limits[part])
            announce("counting neighbours", start + len(part), len(rows))
        return found

    @kept
    def counts_bound(self, radius: float, points: IntArray) -> IntArray:
        """Return numbers that the counts within ``radius`` of these records do not exceed."""
        if self.boxed:
            return self.counts(radius, points)
        order, rows = self.in_tree_order(points)
        found = np.empty(len(rows), dtype=np.int64)
        for start in range(0, len(rows), _CHUNK):
            part = rows[start : start + _CHUNK]
            limits = np.full(len(part), reach(radius))
            found[order[start : start + _CHUNK]] = self.tiles.counts(
                self.vectors[part], limits, exact=False
            )
            announce("counting neighbours", start + len(part), len(rows))
        return found

    @kept
    def nearest(self, k: int, points: IntArray | None = None) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others of each of these records (of all)."""
        k = min(k, self.n - 1)
        size = self.n if points is None else len(points)
        if self.boxed and 0 < k <= thresholds.BOXED_NEIGHBOURS and size >= thresholds.BOXED_QUERIES:
            return self._nearest_in_boxes(k, np.arange(self.n) if points is None else points)
        order, rows = self.in_tree_order(points)
        distances = np.empty((size, k))
        numbers = np.empty((size, k), dtype=np.int64)
        for start in range(0, size, _CHUNK):
            asked = rows[start : start + _CHUNK]
            found, near = nearest_in_order(self.tree, self.vectors[asked], k + 1)
            # Distinct records are not at distance zero, so each finds itself first, unless their
            # distance is too small for a floating-point number.
            odd = np.flatnonzero(near[:, 0] != asked)
            if odd.size:
                keep = np.argsort(near[odd] == asked[odd, None], axis=1, kind="stable")
                keep = np.column_stack([keep[:, -1:], keep[:, :-1]])
                found[odd] = np.take_along_axis(found[odd], keep, axis=1)
                near[odd] = np.take_along_axis(near[odd], keep, axis=1)
            part = order[start : start + _CHUNK]
            distances[part] = found[:, 1:]
            numbers[part] = near[:, 1:]
            announce("finding neighbours", start + len(asked), size)
        return distances, numbers

    def _nearest_in_boxes(self, k: int, rows: IntArray) -> tuple[FloatArray, IntArray]:
        distances, numbers, solved = self._boxes.nearest(rows, k)
        left = np.flatnonzero(~solved)
        for start in range(0, len(left), thresholds.BOXED_QUERIES - 1):
            part = left[start : start + thresholds.BOXED_QUERIES - 1]
            distances[part], numbers[part] = self.nearest(k, rows[part])
        return distances, numbers

    def subset(self, points: IntArray) -> TreeEngine:
        """Return an engine that knows only these records."""
        return TreeEngine(self.vectors[points], self.weights[points], self.boxed)

    def smallest_within(self, values: FloatArray, point: int, radius: float) -> tuple[float, int]:
        """Find the least of ``values`` within ``radius`` of one record, and whose it is."""
        inside = self.tree.query_ball_point(self.vectors[point], reach(radius), return_sorted=True)
        best = inside[int(np.argmin(values[inside]))]
        return float(values[best]), int(best)

    def dense_sample(self, k: int, candidates: IntArray, size: int) -> IntArray:
        """Guess which records have their k-th neighbour close by, from a thinned copy."""
        return densest_drawn(lambda drawn: self.vectors[drawn], k, candidates, size)

    def in_tree_order(self, points: IntArray | None) -> tuple[IntArray, IntArray]:
        """Order these records (all) as the tree does, so that neighbours come together.

        Returns their places among ``points``, and their numbers.
        """
        if points is None:
            return self.tree.indices, self.tree.indices
        order = np.argsort(self._place[points], kind="stable")
        return order, points[order]

    @cached_property
    def _place(self) -> IntArray:
        """Where each record stands in the order of the tree."""
        place = np.empty(self.n, dtype=np.int64)
        place[self.tree.indices] = np.arange(self.n)
        return place

    @cached_property
    def _boxes(self) -> BoxSearch:
        from rarefind.geometry.neighbours.boxes import (
            BoxSearch,  # compiled loops, only where they pay
        )

        return BoxSearch(self.vectors, self.weights)

    @cached_property
    def tiles(self) -> Tiles:
        """The records in boxes, to count in."""
        return Tiles(self.vectors, self.weights, self.tree.indices)

    @cached_property
    def _by_bit(self) -> list[tuple[int, cKDTree]]:
        """For each power of two, a tree of the records whose weight has that bit.

        A tree counts records of equal weight only, so weights are counted bit by bit.
        """
        if self.total == self.n:
            return [(1, self.tree)]
        return [
            (1 << bit, cKDTree(self.vectors[chosen], balanced_tree=False))
            for bit in range(int(self.weights.max()).bit_length())
            if (chosen := np.flatnonzero(self.weights >> bit & 1)).size
        ]

    def _walked(self, queries: FloatArray, limits: FloatArray, threads: int) -> IntArray:
        """Count by walks through the tree, one for each query."""
        found = np.zeros(len(queries), dtype=np.int64)
        for value, tree in self._by_bit:
            found += value * tree.query_ball_point(
                queries, limits, return_length=True, workers=threads
            )
        return found

    def tree_is_faster(self, rows: IntArray, limits: FloatArray) -> bool:
        """Time a few walks and look how many records tiles would compare; both count the same."""
        if len(rows) < _AT_LEAST:
            return True
        tried = slice(0, None, max(len(rows) // _TRIED, _AT_LEAST))
        begun = thread_time()
        self._walked(self.vectors[rows[tried]], limits[tried], 1)
        walk = (thread_time() - begun) / len(limits[tried])
        return walk < _SECONDS_PER_PAIR * self.tiles.compared(self.vectors[rows], limits)


def densest_drawn(
    coordinates: Callable[[IntArray], FloatArray], k: int, candidates: IntArray, size: int
) -> IntArray:
    """Guess which candidates have their k-th neighbour close by, from a thinned copy of them."""
    share = min(1.0, max(_THINNED_K / k, _THINNED_ROWS / len(candidates)))
    drawn = np.random.default_rng(0).permutation(candidates)[: round(share * len(candidates))]
    near = min(len(drawn), max(2, round(k * share) + 1))
    vectors = coordinates(drawn)
    found, _ = cKDTree(vectors).query(vectors, k=[near], workers=workers())
    return drawn[np.argsort(found[:, 0], kind="stable")[:size]]
