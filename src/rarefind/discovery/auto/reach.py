"""Reach: which record has most room around it, and lies farthest from labelled and held ones."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.discovery.auto.labelled_distance import LabelledDistance
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.strategy import Label
from rarefind.discovery.strategies.held_distance import HeldDistance
from rarefind.geometry import Space

_HELD = 64
"""Of the records held by others, this many keep questions away from their surroundings."""

_FIRST, _MORE = 256, 8192
"""Records measured first, and then at a time: those whose distances may be largest."""

_SLACK = 1.0 + 1e-9
"""Bounds are compared so much more generously as rounding may have put them off."""


class Reach:
    """Finds the point with the largest product of its room and its distance from labelled ones.

    Only points that may be the largest, by the bounds of their distances, are measured.

    Parameters
    ----------
    space
        Where the records are.
    room
        How empty the surroundings of every point are.
    """

    def __init__(self, space: Space, room: FloatArray) -> None:
        self._room = room
        self._labelled = LabelledDistance(space)
        self._held = HeldDistance(self._labelled, _HELD)

    def reset(self) -> None:
        """Forget all labels."""
        self._labelled.reset()
        self._held.reset()

    def tell(self, point: int, label: Label) -> None:
        """Learn the label of a point."""
        self._labelled.tell(point, label)

    def best(self, points: OpenPoints, held: IntArray, asked: BoolArray) -> int:
        """Return the point to ask about, given those held and which are labelled."""
        away, near_held = self._labelled.bound, self._held.bound(held, asked)
        if near_held is not None:
            away = np.minimum(away, near_held)
        scores = self._room * away
        if self._labelled.weights is None:
            return points.best(scores)
        others = held[:0] if near_held is None else self._held.points
        left = np.flatnonzero(points.allowed)
        scores, best, top, step = scores[left] * _SLACK, -np.inf, left[:0], _FIRST
        while left.size:
            chosen = np.arange(left.size)
            if left.size > step:
                chosen = np.argpartition(-scores, step)[:step]
            measured = self._room[left[chosen]] * self._measured(left[chosen], others)
            highest = measured.max()
            if highest >= best:
                ties = top if highest == best else top[:0]
                top = np.append(ties, left[chosen][measured == highest])
                best = highest
            may_win = scores >= best
            may_win[chosen] = False
            open_still = np.flatnonzero(may_win)
            left, scores, step = left[open_still], scores[open_still], _MORE
        return int(top[np.argmin(points.priority[top])])

    def _measured(self, points: IntArray, others: IntArray) -> FloatArray:
        away = self._labelled.measured(points)
        if others.size:
            away = np.minimum(away, self._labelled.between(points, others))
        return away
