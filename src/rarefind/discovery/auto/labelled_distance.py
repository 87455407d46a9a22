"""How far every record lies from the labelled ones, in the features that tell classes apart.

A feature that varies much inside the classes seen so far says little about a new class. As labels
come in, features count by one over their variance inside classes, drawn towards equal weights
while labels are few. Where there are no features, only a kernel, the distance stays as it is.

Distances from all labels are not measured again whenever features count otherwise: a distance
grows at most as much as the feature that gained most. So there is a bound for every record, and
only those records whose bound is of interest are measured.

Labels told one after another, with no question in between, are measured together when somebody
looks: thousands of records may be labelled at once.
"""

from __future__ import annotations

from array import array
from functools import reduce

import numpy as np
from scipy.spatial.distance import cdist

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.discovery.contract.strategy import Label
from rarefind.geometry import Space, row_blocks

_EQUAL = 8.0
"""Equal weights count as much as this many labels of classes seen before."""

_GROWTH = 1.25
"""Weights are learnt anew when there is so many times as much to learn from."""

_BLOCK_BYTES = 2**19
"""Distances are computed in blocks of this size, which stay in the cache."""


class LabelledDistance:
    """Distance of every point from the nearest labelled one.

    Attributes
    ----------
    weights
        How much each feature counts, 1 on average; None while all count the same. The bound is
        the distance itself as long as they do.
    """

    def __init__(self, space: Space) -> None:
        self._engine = space.engine
        self._vectors = space.vectors
        self.reset()

    def reset(self) -> None:
        """Forget all labels."""
        self.weights: FloatArray | None = None
        self._bound: FloatArray = np.full(self._engine.n, np.inf)
        self._nearest: IntArray = np.zeros(self._engine.n, dtype=np.int64)
        self._points = array("q")  # numbers alone: there may be very many
        self._measured = 0  # so many of them are in the bound
        self._classes: dict[Label, tuple[int, FloatArray]] = {}
        self._inside: FloatArray = np.zeros(1)
        self._repeats, self._learnt = 0, 0

    def tell(self, point: int, label: Label) -> None:
        """Learn the label of a point."""
        self._points.append(point)
        if self._vectors is not None:
            self._spread(self._vectors[point], label)
        if self._repeats >= max(1.0, _GROWTH * self._learnt) and self._inside.any():
            self._measure(len(self._points) - 1)
            before, self._learnt = self.weights, self._repeats
            self._learn()
            self._bound = self._bound * self.stretch(before)

    @property
    def bound(self) -> FloatArray:
        """What that distance does not exceed, up to rounding; infinite without any label."""
        self._measure(len(self._points))
        return self._bound

    @property
    def nearest(self) -> IntArray:
        """Which label is the nearest of every point, counted from 0 in the order they were told.

        Only as long as all features count the same.
        """
        self._measure(len(self._points))
        return self._nearest

    def _measure(self, count: int) -> None:
        """Let the bound heed the first labels, so many, as features count now."""
        if self.weights is not None and count > self._measured:
            fresh = self._told[self._measured : count]
            self._bound = np.minimum(self._bound, self.between(None, fresh))
            self._measured = count
        for place in range(self._measured, count):
            measured = self._engine.distances(self._points[place])
            self._nearest[measured < self._bound] = place
            self._bound = np.minimum(self._bound, measured)
        self._measured = count

    @property
    def away(self) -> FloatArray:
        """The distance of every point, measured from all labels where it is not known."""
        return self.bound if self.weights is None else self.between(None, self._told)

    def measured(self, points: IntArray) -> FloatArray:
        """Distances of these points from the nearest labelled one; their bounds become as good."""
        if self.weights is not None:
            self.bound[points] = self.between(points, self._told)
        return self.bound[points]

    @property
    def _told(self) -> IntArray:
        return np.array(self._points, dtype=np.int64)

    def between(self, points: IntArray | None, others: IntArray) -> FloatArray:
        """Distances of these points (of all) from the nearest of others, as features count now."""
        assert self._vectors is not None
        root = np.sqrt(np.ones(1) if self.weights is None else self.weights)
        near = self._vectors[others] * root
        least = np.empty(self._engine.n if points is None else len(points))
        for part in row_blocks(len(least), sum(near.shape), block_bytes=_BLOCK_BYTES):
            rows = self._vectors[part if points is None else points[part]]
            # Compared coordinate by coordinate, equal distances stay equal to the last digit.
            least[part] = cdist(near, rows * root).min(axis=0)
        return least

    def distances_from(self, others: IntArray) -> FloatArray:
        """Distances of all points from the nearest of others, as features count now."""
        if self.weights is not None:
            return self.between(None, others)
        each = (self._engine.distances(int(point)) for point in others)
        return reduce(np.minimum, each)

    def stretch(self, before: FloatArray | None) -> float:
        """How many times as long a distance may be as it was when these weights counted."""
        if self.weights is None or self.weights is before:
            return 1.0
        return float(np.sqrt((self.weights / (1.0 if before is None else before)).max()))

    def _spread(self, vector: FloatArray, label: Label) -> None:
        """Add a label to the squared deviations from the means of the classes."""
        seen, mean = self._classes.get(label, (0, np.zeros(len(vector))))
        if seen:
            self._inside = self._inside + seen / (seen + 1) * (vector - mean) ** 2
            self._repeats += 1
        self._classes[label] = seen + 1, mean + (vector - mean) / (seen + 1)

    def _learn(self) -> None:
        within = self._inside / self._repeats
        weights = 1.0 / (_EQUAL * within.mean() + self._repeats * within)
        self.weights = weights / weights.mean()
