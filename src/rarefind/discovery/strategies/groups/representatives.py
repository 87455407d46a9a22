"""A few records that stand for all: none lies far from one of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import announce
from rarefind.geometry import Engine


@dataclass(frozen=True)
class Cover:
    """Points that stand for all.

    Attributes
    ----------
    points
        The chosen points.
    between
        Distances among them.
    owner
        For every point, which of the chosen is nearest (its place in ``points``).
    away
        How far from it.
    """

    points: IntArray
    between: FloatArray
    owner: IntArray
    away: FloatArray


def cover(engine: Engine, size: int, start: int) -> Cover:
    """Choose points farthest first, so that lonely records are among them; all if they are few."""
    if engine.n <= size:
        everybody = np.arange(engine.n)
        between = np.array([engine.distances(point) for point in range(engine.n)])
        return Cover(everybody, between, everybody, np.zeros(engine.n))
    chosen = np.empty(size, dtype=np.int64)
    between = np.zeros((size, size))
    owner = np.zeros(engine.n, dtype=np.int64)
    away = np.full(engine.n, np.inf)
    point = start
    for place in range(size):
        if place % 100 == 0:
            announce("choosing representatives", place, size)
        chosen[place] = point
        distances = engine.distances(point)
        between[place, : place + 1] = between[: place + 1, place] = distances[chosen[: place + 1]]
        nearer = distances < away
        owner[nearer] = place
        away[nearer] = distances[nearer]
        point = int(np.argmax(away))
    return Cover(chosen, between, owner, away)
