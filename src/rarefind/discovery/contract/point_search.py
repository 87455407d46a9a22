"""A search among points: what most strategies are made of."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from rarefind.core.arrays import BoolArray
from rarefind.discovery.contract.open_points import OpenPoints, PointRows
from rarefind.discovery.contract.strategy import Answer, Problem, Proposal, Search


class PointSearch(Search):
    """Chooses among points, the distinct records, and leaves rows and copies to this class.

    A subclass says which point to ask about (``choose``), what an answer teaches (``learn``), and
    how to begin again (``forget``). Its own set-up calls ``super().__init__(problem)`` first and
    ``self.reset()`` last.

    Attributes
    ----------
    space
        The records and their geometry.
    asked
        Whether each point has been answered.
    """

    def __init__(self, problem: Problem) -> None:
        self.space = problem.space
        self.asked: BoolArray = np.zeros(problem.space.engine.n, dtype=bool)
        self._rows = PointRows(problem)

    @abstractmethod
    def choose(self, points: OpenPoints) -> Proposal:
        """Choose among the points that may be asked about; there is at least one.

        ``points.best(scores)`` breaks ties as the problem wants it, and ``points.row`` is the row
        to show for each point. A point whose copy was answered comes only when no other is left.
        """

    def learn(self, point: int, answer: Answer) -> None:
        """Learn from the answer to a row of this point; by default nothing."""

    def forget(self) -> None:
        """Forget what the answers taught; by default there is nothing to forget."""

    def propose(self, barred: BoolArray) -> Proposal:
        """Name the best row to ask about next among those not barred."""
        return self.choose(self._rows.open(barred, self.asked))

    def observe(self, answer: Answer) -> None:
        """Learn from an answer."""
        point = int(self.space.folded.point_of[answer.row])
        self.asked[point] = True
        self.learn(point, answer)

    def reset(self) -> None:
        """Forget all answers."""
        self.asked = np.zeros(self.space.engine.n, dtype=bool)
        self.forget()
