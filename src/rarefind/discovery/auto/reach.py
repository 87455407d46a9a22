"""Reach: which record has most room around it, and lies farthest from labelled and held ones.

Where there are several views of the records, the distance is the geometric mean of those in each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.discovery.auto.labelled_distance import LabelledDistance
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.strategy import Label
from rarefind.discovery.strategies.held_distance import HeldDistance
from rarefind.geometry import Space

_HELD = 64
"""Of the records held by others, this many keep questions away from their surroundings."""

FIRST, MORE = 256, 8192
"""Records measured first, and then at a time: those whose distances may be largest."""

_SLACK = 1.0 + 1e-9
"""Bounds are compared so much more generously as rounding may have put them off."""


class Reach:
    """Finds the point with the largest product of its room and its distance from labelled ones.

    Only points that may be the largest, by the bounds of their distances, are measured.

    Parameters
    ----------
    views
        Where the records are, in every view of them.
    room
        How empty the surroundings of every point are.
    """

    def __init__(self, views: Sequence[Space], room: FloatArray) -> None:
        self._room = room
        self.views = [_View(space, 1.0 / len(views)) for space in views]

    def reset(self) -> None:
        """Forget all labels."""
        for view in self.views:
            view.labelled.reset()
            view.held.reset()

    def tell(self, point: int, label: Label) -> None:
        """Learn the label of a point."""
        for view in self.views:
            view.labelled.tell(point, label)

    def away(self, held: IntArray, asked: BoolArray) -> FloatArray:
        """Return how far every point is, at most, from those labelled and held in the first view.

        That is the distance itself where features do not count by the labels.
        """
        return self.views[0].within(held, asked)

    @property
    def nearest(self) -> IntArray:
        """Which label is the nearest of every point in the first view, by the order of telling.

        Only where features do not count by the labels.
        """
        return self.views[0].labelled.nearest

    def best(
        self,
        points: OpenPoints,
        held: IntArray,
        asked: BoolArray,
        weight: FloatArray | None = None,
    ) -> int:
        """Return the point to ask about, given those held and which are labelled.

        ``weight`` makes some points count more than others.
        """
        room = scores = self._room if weight is None else self._room * weight
        for view in self.views:
            scores = scores * view.bound(held, asked)
        if all(view.labelled.weights is None for view in self.views):
            return points.best(scores)
        left = np.flatnonzero(points.allowed)
        scores, best, top, step = scores[left] * _SLACK, -np.inf, left[:0], FIRST
        while left.size:
            chosen = np.arange(left.size)
            if left.size > step:
                chosen = np.argpartition(-scores, step)[:step]
            measured = room[left[chosen]]
            for view in self.views:
                measured = measured * view.measured(left[chosen])
            highest = measured.max()
            if highest >= best:
                ties = top if highest == best else top[:0]
                top = np.append(ties, left[chosen][measured == highest])
                best = highest
            may_win = scores >= best
            may_win[chosen] = False
            open_still = np.flatnonzero(may_win)
            left, scores, step = left[open_still], scores[open_still], MORE
        return int(top[np.argmin(points.priority[top])])


class _View:
    """Distances from labelled and held points in one view, to the power of its share."""

    def __init__(self, space: Space, share: float) -> None:
        self.labelled = LabelledDistance(space)
        self.held = HeldDistance(self.labelled, _HELD)
        self._share = share
        self._holds = False

    def within(self, held: IntArray, asked: BoolArray) -> FloatArray:
        """Return what the distances of all points do not exceed."""
        away, near_held = self.labelled.bound, self.held.bound(held, asked)
        self._holds = near_held is not None
        return away if near_held is None else np.minimum(away, near_held)

    def bound(self, held: IntArray, asked: BoolArray) -> FloatArray:
        """Return the same to the power of the share."""
        return self.within(held, asked) ** self._share

    def measured(self, points: IntArray) -> FloatArray:
        """Measure the distances of these points."""
        away = self.labelled.measured(points)
        if self._holds:
            away = np.minimum(away, self.labelled.between(points, self.held.points))
        return away**self._share
