"""Ask about the record farthest from all that have been looked at (Gonzalez, 1985)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.params import Constraint, OneOf, check_params
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.point_search import PointSearch
from rarefind.discovery.contract.strategy import Answer, Problem, Proposal, Search, Strategy
from rarefind.discovery.strategies.centrality import eccentricity

_HELD = 64
"""So many records in other hands, at most, are kept away from, too."""


class FarthestFirst(Strategy):
    """Ask about the record farthest from every record answered: classes that lie apart come first.

    Needs no priors and nothing but distances.

    Parameters
    ----------
    start
        The first question: ``"middle"`` for the record nearest the mean of all, which is as
        ordinary as a record can be and leaves every far corner to be looked at; ``"random"`` for
        any.

    Examples
    --------
    >>> from rarefind.discovery import Hunt
    >>> hunt = Hunt([[0.0], [0.1], [0.2], [5.0]], "farthest-first")
    >>> hunt.tell(hunt.ask().row, "ordinary")
    >>> hunt.ask().row
    3
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"start": [OneOf("middle", "random")]}

    def __init__(self, start: str = "middle") -> None:
        self.start = start

    def prepare(self, problem: Problem) -> Search:
        """Find the record to start from."""
        check_params(self, self._params)
        return _FarthestSearch(problem, from_middle=self.start == "middle")


class _FarthestSearch(PointSearch):
    def __init__(self, problem: Problem, *, from_middle: bool) -> None:
        super().__init__(problem)
        n = problem.space.engine.n
        self._start = -eccentricity(problem) if from_middle else np.zeros(n)
        self._middle = from_middle
        self.reset()

    def forget(self) -> None:
        self._gap = np.full(self.space.engine.n, np.inf)

    def choose(self, points: OpenPoints) -> Proposal:
        gap = self._gap
        # Records in somebody else's hands, or skipped, count as looked at: several questions
        # asked at once should not crowd together.
        held = np.flatnonzero(~points.allowed & ~self.asked)
        if held.size <= _HELD:
            for other in held:
                gap = np.minimum(gap, self.space.engine.distances(int(other)))
        if not np.isfinite(gap).any():
            point = points.best(self._start)
            what = (
                "is the record nearest the middle of all" if self._middle else "was drawn at random"
            )
            return Proposal(
                int(points.row[point]), f"It {what}: the search starts here.", {"records_asked": 0}
            )
        point = points.best(gap)
        away = float(gap[point])
        return Proposal(
            int(points.row[point]),
            f"It lies {away:.3g} from the nearest record looked at so far, farther than any other.",
            {"distance_to_looked_at": away, "records_asked": int(self.asked.sum())},
        )

    def learn(self, point: int, answer: Answer) -> None:
        np.minimum(self._gap, self.space.engine.distances(point), out=self._gap)
