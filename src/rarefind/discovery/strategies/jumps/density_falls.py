"""Where the density of records falls most, for a rare class of about so many records."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.geometry import Engine

_FEW = 64
"""How many of the densest points are put in order first."""


class DensityJump:
    """How far the density falls next to each record, for one expected class size."""

    def __init__(self, engine: Engine, size: int) -> None:
        self.engine = engine
        self.size = size
        self.radius = engine.least_kth_distance(size)
        self._reached = np.zeros(engine.n)

    @cached_property
    def counts(self) -> FloatArray:
        """How many records lie within the radius of each point; counted when first needed."""
        return self.engine.counts(self.radius).astype(np.float64)

    @cached_property
    def _least(self) -> FloatArray:
        return self.counts.copy()

    @cached_property
    def _fewest(self) -> float:
        return float(self.counts.min())

    def best(self, allowed: BoolArray, scale: int, priority: IntArray) -> int:
        """Return the allowed point with the largest fall within ``scale`` radii.

        No fall exceeds the one to the sparsest record of all, so points are looked at in the order
        of that bound, and the search ends when no bound is left above the best fall found. What
        was found for a smaller scale is reused: the fall can only have grown.
        """
        points = np.flatnonzero(allowed)
        best, best_key = -1, (-np.inf, np.inf)
        for point in self._densest_first(points, priority):
            bound = self.counts[point] - self._fewest
            if (bound, -priority[point]) < (best_key[0], -best_key[1]):
                break
            key = (self.fall(int(point), scale), priority[point])
            if best < 0 or (key[0], -key[1]) > (best_key[0], -best_key[1]):
                best, best_key = int(point), key
        return best

    def _densest_first(self, points: IntArray, priority: IntArray) -> Iterator[int]:
        """Yield points by falling counts, equal ones by priority; only those asked for are sorted.

        A few suffice as a rule, so the densest are split off first, and more only when needed.
        """
        few = _FEW
        while points.size:
            counts = self.counts[points]
            if points.size > few:
                top = counts >= np.partition(counts, points.size - few)[points.size - few]
                first, points = points[top], points[~top]
            else:
                first, points = points, points[:0]
            yield from first[np.lexsort((priority[first], -self.counts[first]))]
            few *= 8

    def fall(self, point: int, scale: int) -> float:
        """Neighbours of a point less the fewest of any point within ``scale`` radii of it."""
        sure = self._least[point] == self._fewest and self._reached[point] < scale
        if not sure and self._reached[point] != scale:
            self._least[point], _ = self.engine.smallest_within(
                self.counts, point, scale * self.radius
            )
            self._reached[point] = scale
        return float(self.counts[point] - self._least[point])

    def sparsest(self, point: int, scale: int) -> tuple[int, int]:
        """Return the fewest neighbours within ``scale`` radii of a point, and who has them."""
        fewest, where = self.engine.smallest_within(self.counts, point, scale * self.radius)
        return int(fewest), where
