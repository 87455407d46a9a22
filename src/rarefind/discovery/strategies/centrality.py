"""Which record is in the middle of all?"""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.discovery.contract.strategy import Problem

_WITNESSES = 200
"""Records that show where the middle is: a rough one does, and each costs a look at all. A
choice."""


def eccentricity(problem: Problem) -> FloatArray:
    """Mean squared distance of every point from all records: least in the middle.

    Up to a constant this is the squared distance from the mean, in any kernel's space too. Large
    sets are judged by two hundred records drawn at random.
    """
    engine = problem.space.engine
    rows = np.argsort(problem.priority, kind="stable")[:_WITNESSES]
    points, times = np.unique(problem.space.folded.point_of[rows], return_counts=True)
    total = np.zeros(engine.n)
    for point, often in zip(points, times, strict=True):
        total += often * engine.distances(int(point)) ** 2
    return total / times.sum()
