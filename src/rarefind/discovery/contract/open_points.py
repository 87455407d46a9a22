"""Which points may still be asked about, and which of their rows to show.

Strategies think in points, the distinct records; people are asked about rows. A point whose copy
was answered is asked about again only when nothing else is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.discovery.contract.strategy import Problem


@dataclass(frozen=True)
class OpenPoints:
    """The points that may be asked about now.

    Attributes
    ----------
    allowed
        Whether each point may be asked about.
    row
        The row to show for each point.
    priority
        The random rank of that row: the lowest is asked first among equals.
    """

    allowed: BoolArray
    row: IntArray
    priority: IntArray

    def best(self, scores: FloatArray, allowed: BoolArray | None = None) -> int:
        """Return the allowed point with the highest score; ties go to the highest priority."""
        points = np.flatnonzero(self.allowed if allowed is None else allowed)
        mine = scores[points]
        top = points[mine == mine.max()]
        return int(top[np.argmin(self.priority[top])])


class PointRows:
    """The rows of every point, in the random order of the problem.

    Attributes
    ----------
    priority
        The lowest rank among the rows of each point.
    """

    def __init__(self, problem: Problem) -> None:
        point_of = problem.space.folded.point_of
        self._priority = problem.priority
        self._rows = np.lexsort((problem.priority, point_of))
        self._ends = np.cumsum(problem.space.engine.weights)
        self._leader = self._rows[np.r_[0, self._ends[:-1]]]
        self.priority = problem.priority[self._leader]

    def open(self, barred: BoolArray, seen: BoolArray) -> OpenPoints:
        """Points with a row not barred; only those not yet ``seen`` as long as there are any."""
        shut = np.zeros(len(self._leader), dtype=bool)
        row, priority = self._leader, self.priority
        touched = np.flatnonzero(barred[self._leader])
        if touched.size:
            row, priority = row.copy(), priority.copy()
        for point in touched:
            start = self._ends[point - 1] if point else 0
            rows = self._rows[start : self._ends[point]]
            rows = rows[~barred[rows]]
            shut[point] = rows.size == 0
            row[point] = rows[0] if rows.size else row[point]
        priority[touched] = self._priority[row[touched]]
        fresh = ~shut & ~seen
        return OpenPoints(fresh if fresh.any() else ~shut, row, priority)
