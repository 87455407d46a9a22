"""How dense is it around every record: a Gaussian kernel density over all of them."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import announce
from rarefind.discovery.contract.strategy import Problem

_NEIGHBOURS = 10
"""Neighbours that count exactly, the last of which sets the bandwidth. A choice."""

_EXACT = 2000
"""Up to this many points the density is exact."""

_SAMPLE = 1000
"""Beyond, records other than the nearest are seen through a sample of this size."""


class KernelDensity:
    """Mean Gaussian similarity of every point to all records.

    The nearest ten points count exactly. Beyond a few thousand points the others are represented
    by a random sample: what lies farther off is smooth, and the estimate has no bias.

    Attributes
    ----------
    bandwidth
        ``factor`` times the median distance to the tenth neighbour.
    values
        The density at every point, relative to that of a record upon itself.
    """

    def __init__(self, problem: Problem, factor: float, exact_up_to: int = _EXACT) -> None:
        engine = problem.space.engine
        self._engine = engine
        distances, near = engine.nearest(_NEIGHBOURS)
        tenth = distances[:, -1]
        # Different records may be at distance zero under a kernel; they set no scale.
        positive = tenth[tenth > 0]
        self.bandwidth = factor * (float(np.median(positive)) if positive.size else 1.0)
        if engine.n <= exact_up_to:
            everybody = np.arange(engine.n)
            total, _ = self._beyond(np.full(engine.n, -1.0), everybody, engine.weights)
        else:
            rows = np.argsort(problem.priority, kind="stable")[:_SAMPLE]
            drawn = np.unique(problem.space.folded.point_of[rows], return_counts=True)
            far, seen = self._beyond(tenth, *drawn)
            others = engine.total - engine.weights - engine.weights[near].sum(axis=1)
            np.divide(far * others, seen, out=far, where=seen > 0)
            close = (self._similarity(distances) * engine.weights[near]).sum(axis=1)
            total = engine.weights + close + far
        self.values: FloatArray = total / engine.total

    def _beyond(
        self, horizon: FloatArray, points: IntArray, times: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Sum of similarities to these points where they lie beyond the horizon, and how many."""
        total, seen = np.zeros(self._engine.n), np.zeros(self._engine.n)
        for done, (point, often) in enumerate(zip(points, times, strict=True)):
            if done % 100 == 0:
                announce("measuring density", done, len(points))
            away = self._engine.distances(int(point))
            outside = away > horizon
            total += often * outside * self._similarity(away)
            seen += often * outside
        return total, seen

    def log_similarity(self, point: int) -> FloatArray:
        """Logarithm of the similarity of one point to all."""
        logarithm: FloatArray = -0.5 * (self._engine.distances(point) / self.bandwidth) ** 2
        return logarithm

    def _similarity(self, distances: FloatArray) -> FloatArray:
        similarity: FloatArray = np.exp(-0.5 * (distances / self.bandwidth) ** 2)
        return similarity
