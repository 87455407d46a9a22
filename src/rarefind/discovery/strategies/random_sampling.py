"""Ask about records drawn at random: what every strategy is measured against."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import BoolArray
from rarefind.discovery.contract.strategy import Answer, Problem, Proposal, Search, Strategy


class RandomSampling(Strategy):
    """Every record is as likely as any other to be asked about next."""

    def prepare(self, problem: Problem) -> Search:
        """Return a search that follows a random order."""
        return _RandomSearch(problem)


class _RandomSearch(Search):
    def __init__(self, problem: Problem) -> None:
        self._order = np.argsort(problem.priority, kind="stable")

    def propose(self, barred: BoolArray) -> Proposal:
        open_rows = self._order[~barred[self._order]]
        left = len(open_rows)
        return Proposal(
            int(open_rows[0]),
            f"It was drawn at random from the {left} records not yet looked at.",
            {"records_left": left},
        )

    def observe(self, answer: Answer) -> None:
        """Learn nothing: chance has no memory."""

    def reset(self) -> None:
        """Forget nothing."""
