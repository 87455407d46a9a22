"""How far every record lies from those that people are looking at right now."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.discovery.labelled_distance import LabelledDistance


class HeldDistance:
    """Distance of every point from the nearest one that is labelled or held.

    Many people hold many records, and each new question must keep clear of all of them. What was
    measured is remembered, so that only points held since then cost anything. A point that was
    labelled meanwhile does no harm there, since it counts as labelled anyway; once one was let go
    without a label, or features count otherwise, all are measured anew.
    """

    def __init__(self, labelled: LabelledDistance, most: int) -> None:
        self._labelled, self._most = labelled, most
        self.reset()

    def reset(self) -> None:
        """Forget what was measured."""
        self._points: IntArray = np.empty(0, dtype=np.int64)
        self._least: FloatArray | None = None
        self._weights: FloatArray | None = None

    def away(self, held: IntArray, asked: BoolArray) -> FloatArray:
        """Return the distances, given the points held and which points are labelled."""
        if not held.size:
            return self._labelled.away
        gone = np.setdiff1d(self._points[~asked[self._points]], held)
        if gone.size or self._weights is not self._labelled.weights:
            self.reset()
            self._weights = self._labelled.weights
        for point in np.setdiff1d(held[-self._most :], self._points):
            near = self._labelled.distances(int(point))
            self._least = near if self._least is None else np.minimum(self._least, near)
            self._points = np.append(self._points, point)
        assert self._least is not None
        return np.minimum(self._labelled.away, self._least)
