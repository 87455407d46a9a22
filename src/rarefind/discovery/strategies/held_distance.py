"""How far every record lies from those that people are looking at right now."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.discovery.auto.labelled_distance import LabelledDistance


class HeldDistance:
    """Distance of every point from the nearest one that is held.

    Many people hold many records, and each new question must keep clear of all of them. What was
    measured is remembered, so that only points held since then cost anything. A point that was
    labelled meanwhile does no harm there, since it counts as labelled anyway, and is forgotten;
    once one was let go without a label, all are measured anew.

    Attributes
    ----------
    points
        The points measured from.
    """

    def __init__(self, labelled: LabelledDistance, most: int) -> None:
        self._labelled, self._most = labelled, most
        self.reset()

    def reset(self) -> None:
        """Forget what was measured."""
        self.points: IntArray = np.empty(0, dtype=np.int64)
        self._least: FloatArray | None = None
        self._weights: FloatArray | None = None

    def bound(self, held: IntArray, asked: BoolArray) -> FloatArray | None:
        """Return what the distances do not exceed, up to rounding; None if nothing is held.

        They are the distances themselves as long as all features count the same. ``asked`` tells
        which points are labelled.
        """
        if not held.size:
            return None
        self.points = self.points[~asked[self.points]]
        if np.setdiff1d(self.points, held).size:
            self.reset()
        stretch = self._labelled.stretch(self._weights)
        if self._least is not None and stretch != 1.0:
            self._least = self._least * stretch
        self._weights = self._labelled.weights
        last = held[-self._most :]
        fresh = np.setdiff1d(last[~asked[last]], self.points)
        if fresh.size:
            near = self._labelled.distances_from(fresh)
            self._least = near if self._least is None else np.minimum(self._least, near)
            self.points = np.append(self.points, fresh)
        return self._least
