"""Ask where a small group ends abruptly: the next record is far beyond the few nearest.

The score of interactive rare-category mining (IRim, 2020): the distance to the first record
outside a group of k, divided by the mean distance inside it. A group counts its own record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.core.params import Constraint, Integer, Number, check_params
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.point_search import PointSearch
from rarefind.discovery.contract.strategy import Answer, Problem, Proposal, Search, Strategy
from rarefind.geometry import Engine


class GapRatio(Strategy):
    """Ask in the order of the gap after each record's group of nearest records.

    Needs no priors, but a guess of the size of the groups. The scores do not change with the
    answers; the group of an answered record is left out until nothing else is left.

    Parameters
    ----------
    group
        How many records make a group, the one in its middle included.
    floor
        Added to the mean distance inside, so that copies do not make a gap of their own.

    Examples
    --------
    >>> from rarefind.discovery import Hunt
    >>> hunt = Hunt([[0.0], [1.0], [2.0], [3.0], [9.0], [9.1]], GapRatio(group=2))
    >>> hunt.ask().row in (4, 5)
    True
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "group": [Integer(1)],
        "floor": [Number(0, closed="neither")],
    }

    def __init__(self, group: int = 5, floor: float = 0.01) -> None:
        self.group = group
        self.floor = floor

    def prepare(self, problem: Problem) -> Search:
        """Find the nearest records of all."""
        check_params(self, self._params)
        return _GapSearch(problem, self.group, self.floor)


class Groups:
    """The group of the k records around each point, its spread and the gap after it.

    Attributes
    ----------
    k
        How many records a group has: no more than there are.
    everybody
        Whether that is all of them.
    members
        The other points of each group, nearest first.
    inside
        Which of them hold any of the k records.
    mean
        Mean distance of the k records, the middle one and its copies at zero.
    beyond
        Distance of the first record outside; of the farthest if there is none.
    """

    def __init__(self, engine: Engine, k: int) -> None:
        k = min(k, engine.total)
        self.k, self.everybody = k, k == engine.total
        distances, self.members = engine.nearest(k)
        others = engine.weights[self.members]
        before = engine.weights[:, None] + np.cumsum(others, axis=1) - others
        held = np.clip(k - before, 0, others)
        self.inside: BoolArray = before < k
        self.mean: FloatArray = (held * distances).sum(axis=1) / k
        # Where even the last neighbour listed begins within the first k records, all are listed.
        first = np.argmax(before + others > k, axis=1)
        first[before[:, -1] + others[:, -1] <= k] = distances.shape[1] - 1
        self.beyond: FloatArray = distances[np.arange(engine.n), first]
        self.beyond[engine.weights > k] = 0.0

    def of(self, point: int) -> IntArray:
        """List the points in the group of a point, itself first."""
        return np.r_[point, self.members[point][self.inside[point]]]


class _GapSearch(PointSearch):
    def __init__(self, problem: Problem, k: int, floor: float) -> None:
        super().__init__(problem)
        self._groups = Groups(problem.space.engine, k)
        self._scores: FloatArray = self._groups.beyond / (self._groups.mean + floor)
        self.reset()

    def forget(self) -> None:
        self._shadow = np.zeros(self.space.engine.n, dtype=bool)

    def choose(self, points: OpenPoints) -> Proposal:
        lit = points.allowed & ~self._shadow
        point = points.best(self._scores, lit if lit.any() else None)
        inside, beyond = float(self._groups.mean[point]), float(self._groups.beyond[point])
        size = self._groups.k
        why = (
            f"It is the middle of a group of {size} record{'s' if size != 1 else ''} that lie "
            f"{inside:.3g} away on average, itself included; the next one lies {beyond:.3g} away."
        )
        if self._groups.everybody:
            why = (
                f"The {size} records there are make one group: they lie {inside:.3g} away on "
                f"average, itself included, and the farthest {beyond:.3g}."
            )
        return Proposal(
            int(points.row[point]),
            why,
            {
                "group": size,
                "mean_distance_inside": inside,
                "distance_of_next": beyond,
                "gap_ratio": float(self._scores[point]),
                "groups_lifted": int(not lit.any()),
            },
        )

    def learn(self, point: int, answer: Answer) -> None:
        self._shadow[self._groups.of(point)] = True
