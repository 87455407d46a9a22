"""Ask one record of every group that stands for long while groups are merged.

Records are merged bottom up into ever larger groups. A group that forms at a small distance and
is swallowed only at a much larger one is a class candidate, at whatever scale it lives: its
lifetime is the logarithm of the ratio of the two (a quick form of Vatturi and Wong's hierarchy of
mean shifts, 2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.params import Constraint, Integer, OneOf, check_params
from rarefind.core.progress import announce
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.point_search import PointSearch
from rarefind.discovery.contract.strategy import Problem, Proposal, Search, Strategy
from rarefind.discovery.strategies.centrality import eccentricity
from rarefind.discovery.strategies.groups.representatives import cover


class Linkage(Strategy):
    """Ask the most central record of the longest-lived group nobody has looked into.

    Needs no priors and nothing but distances. A single record is a group, too.

    Parameters
    ----------
    method
        Distance of two groups: that of their farthest members (``"complete"``) or the
        ``"average"``.
    representatives
        Beyond this many different records, so many stand for all, chosen farthest first. Memory
        and time grow with the square of this number.

    Examples
    --------
    >>> from rarefind.discovery import Hunt
    >>> Hunt([[0.0], [1.0], [2.0], [9.0], [9.1]], "linkage").ask().row in (3, 4)
    True
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "method": [OneOf("complete", "average")],
        "representatives": [Integer(2)],
    }

    def __init__(self, method: str = "complete", representatives: int = 3000) -> None:
        self.method = method
        self.representatives = representatives

    def prepare(self, problem: Problem) -> Search:
        """Build the hierarchy."""
        check_params(self, self._params)
        return _LinkageSearch(problem, self.method, self.representatives)


class Hierarchy:
    """Nested groups of leaves, each a stretch of one order of the leaves.

    Attributes
    ----------
    order
        The leaves, so ordered that every group is a stretch.
    start, stop
        The stretch of every group; single leaves first, then in the order of merging.
    born, dies
        At which distance a group forms and is swallowed. A leaf is born at the smallest positive
        distance of any merger. The whole dies where it is born.
    """

    def __init__(self, between: FloatArray, method: str) -> None:
        from scipy.cluster.hierarchy import leaves_list, linkage
        from scipy.spatial.distance import squareform

        announce("merging groups", 0, 1)
        merged = linkage(squareform(between, checks=False), method)
        leaves = len(between)
        self.order: IntArray = leaves_list(merged).astype(np.int64)
        self.start = np.empty(2 * leaves - 1, dtype=np.int64)
        self.start[self.order] = np.arange(leaves)
        self.stop = self.start + 1
        heights = merged[:, 2]
        positive = heights[heights > 0]
        least = float(positive.min()) if positive.size else 1.0
        self.born: FloatArray = np.full(2 * leaves - 1, least)
        self.born[leaves:] = np.maximum(heights, least)
        self.dies: FloatArray = self.born.copy()
        for step, (left, right) in enumerate(merged[:, :2].astype(np.int64)):
            group = leaves + step
            self.start[group] = min(self.start[left], self.start[right])
            self.stop[group] = max(self.stop[left], self.stop[right])
            self.dies[[left, right]] = self.born[group]

    @property
    def lifetime(self) -> FloatArray:
        """Logarithm of the factor by which distances grow while the group stands."""
        lived: FloatArray = np.log(self.dies / self.born)
        return lived


class _LinkageSearch(PointSearch):
    def __init__(self, problem: Problem, method: str, representatives: int) -> None:
        super().__init__(problem)
        engine = problem.space.engine
        middle = int(np.argmin(eccentricity(problem)))
        self._cover = cover(engine, representatives, middle)
        self._tree = Hierarchy(self._cover.between, method)
        self._lifetime = self._tree.lifetime
        self._weights = np.bincount(
            self._cover.owner, weights=engine.weights, minlength=len(self._cover.points)
        )
        self.reset()

    def choose(self, points: OpenPoints) -> Proposal:
        leaf_free = points.allowed[self._cover.points]
        if not leaf_free.any():
            return self._from_the_rest(points)
        tree = self._tree
        looked = np.r_[0, np.cumsum(~leaf_free[tree.order])]
        untouched = looked[tree.stop] == looked[tree.start]
        life = np.where(untouched, self._lifetime, -1.0)
        tied = np.flatnonzero(life == life.max())
        # Equal groups: the one with the record that is first in the random order.
        rank = points.priority[self._cover.points[tree.order]]
        first = np.array([rank[tree.start[g] : tree.stop[g]].min() for g in tied])
        group = int(tied[np.argmin(first)])
        leaves = tree.order[tree.start[group] : tree.stop[group]]
        point = self._central(leaves, points)
        size = int(self._weights[leaves].sum())
        born, dies = float(tree.born[group]), float(tree.dies[group])
        return Proposal(
            int(points.row[point]),
            _sentence(size, born, dies),
            {
                "records_in_group": size,
                "distance_inside": born if len(leaves) > 1 else 0.0,
                "distance_to_next": dies,
                "lifetime": float(self._lifetime[group]),
            },
        )

    def _central(self, leaves: IntArray, points: OpenPoints) -> int:
        """Most central point of a group: least sum of squared distances to its records."""
        spread = (self._cover.between[np.ix_(leaves, leaves)] ** 2) @ self._weights[leaves]
        inside = self._cover.points[leaves]
        scores = np.full(self.space.engine.n, -np.inf)
        scores[inside] = -spread
        return points.best(scores)

    def _from_the_rest(self, points: OpenPoints) -> Proposal:
        """Every representative has been looked at: go on with what lies farthest from them."""
        point = points.best(self._cover.away)
        away = float(self._cover.away[point])
        return Proposal(
            int(points.row[point]),
            f"A record from every group has been looked at; it lies {away:.3g} from the nearest "
            "of those, farther than any other.",
            {"distance_to_representative": away},
        )


def _sentence(size: int, born: float, dies: float) -> str:
    if size == 1:
        return f"It joins other records only at a distance of {dies:.3g}: it stands alone."
    return (
        f"It is the middle of a group of {size} records within {born:.3g} of each other that "
        f"joins others only at {dies:.3g}, and nobody has looked into that group."
    )
