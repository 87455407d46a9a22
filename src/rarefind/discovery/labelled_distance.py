"""How far every record lies from the labelled ones, in the features that tell classes apart.

A feature that varies much inside the classes seen so far says little about a new class. As labels
come in, features count by one over their variance inside classes, drawn towards equal weights
while labels are few. Where there are no features, only a kernel, the distance stays as it is.
"""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.discovery.strategy import Label
from rarefind.geometry import Space

_EQUAL = 8.0
"""Equal weights count as much as this many labels of classes seen before."""

_GROWTH = 1.25
"""Weights are learnt anew when there is so many times as much to learn from."""

_BLOCK = 8192
"""Distances of so many records are computed at a time: few enough to stay in the cache."""


class LabelledDistance:
    """Distance of every point from the nearest labelled one.

    Attributes
    ----------
    away
        That distance; infinite while nothing is labelled.
    weights
        How much each feature counts, 1 on average; None while all count the same.
    """

    def __init__(self, space: Space) -> None:
        self._engine = space.engine
        # Centred, so that lengths and products of vectors give their distances exactly enough.
        self._vectors = None if space.vectors is None else space.vectors - space.vectors.mean(0)
        self.reset()

    def reset(self) -> None:
        """Forget all labels."""
        self.away: FloatArray = np.full(self._engine.n, np.inf)
        self.weights: FloatArray | None = None
        self._lengths: FloatArray = np.zeros(self._engine.n)
        self._points: list[int] = []
        self._classes: dict[Label, tuple[int, FloatArray]] = {}
        self._inside: FloatArray = np.zeros(1)
        self._repeats, self._learnt = 0, 0

    def tell(self, point: int, label: Label) -> None:
        """Learn the label of a point."""
        self._points.append(point)
        if self._vectors is not None:
            self._spread(self._vectors[point], label)
        if self._repeats >= max(1.0, _GROWTH * self._learnt) and self._inside.any():
            self._learnt = self._repeats
            self._learn()
            self.away = self._weighted(self._points)
        else:
            self.away = np.minimum(self.away, self.distances(point))

    def distances(self, point: int) -> FloatArray:
        """Distances of one point from all, as features count now."""
        return self._engine.distances(point) if self.weights is None else self._weighted([point])

    def _spread(self, vector: FloatArray, label: Label) -> None:
        """Add a label to the squared deviations from the means of the classes."""
        seen, mean = self._classes.get(label, (0, np.zeros(len(vector))))
        if seen:
            self._inside = self._inside + seen / (seen + 1) * (vector - mean) ** 2
            self._repeats += 1
        self._classes[label] = seen + 1, mean + (vector - mean) / (seen + 1)

    def _learn(self) -> None:
        assert self._vectors is not None
        within = self._inside / self._repeats
        weights = 1.0 / (_EQUAL * within.mean() + self._repeats * within)
        self.weights = weights / weights.mean()
        self._lengths = np.einsum("ij,ij,j->i", self._vectors, self._vectors, self.weights)

    def _weighted(self, points: list[int]) -> FloatArray:
        """Distance of every point from the nearest of these."""
        assert self._vectors is not None
        near = (self._vectors[points] * self.weights).T
        least = np.empty(self._engine.n)
        for start in range(0, self._engine.n, _BLOCK):
            rows = slice(start, start + _BLOCK)
            products = self._vectors[rows] @ near
            least[rows] = (self._lengths[points] - 2.0 * products).min(axis=1)
        return np.sqrt(np.maximum(least + self._lengths, 0.0))
