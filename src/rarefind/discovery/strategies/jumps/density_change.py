"""Ask where the density jumps, at several scales in turn, without priors.

MALICE's score needs the size of the class looked for. Here a few sizes stand in for the unknown
ones and take turns. Every answer counts for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from rarefind.core.asked_by import AskedBy
from rarefind.core.params import Constraint, Integer, Is, check_params
from rarefind.core.progress import announce, part_of_work
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.point_search import PointSearch
from rarefind.discovery.contract.strategy import Answer, Problem, Proposal, Search, Strategy
from rarefind.discovery.strategies.jumps.density_falls import DensityJump
from rarefind.discovery.strategies.jumps.malice import jump_proposal
from rarefind.geometry import reach

_MEMBER = "size"
"""By this its questions are known among the answers."""


def _whole_sizes(value: object) -> bool:
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(Integer(1).allows(size) for size in value)


class DensityChange(Strategy):
    """Ask at the largest jump of density for classes of several sizes, one size after the other.

    For classes buried in the crowd, where nobody knows how large they are. A size leaves out
    records within its radius of any answered record, and compares more widely after each
    question of its own that met an ordinary record.

    Parameters
    ----------
    sizes
        Numbers of records a class may have.
    first_scale
        How many radii wide the first neighbourhood is.

    Examples
    --------
    >>> from rarefind.discovery import Hunt
    >>> X = [[float(i)] for i in range(20)] + [[7.0 + i / 100] for i in range(1, 6)]
    >>> Hunt(X, DensityChange(sizes=[5])).ask().row >= 20
    True
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "sizes": [Is("a list of whole numbers from 1", _whole_sizes)],
        "first_scale": [Integer(1)],
    }

    def __init__(self, sizes: Sequence[int] = (5, 10, 20, 50), first_scale: int = 2) -> None:
        self.sizes = sizes
        self.first_scale = first_scale

    def prepare(self, problem: Problem) -> Search:
        """Find the radius and the counts for every size."""
        check_params(self, self._params)
        return _ChangeSearch(problem, self.sizes, self.first_scale)


class _ChangeSearch(PointSearch):
    def __init__(self, problem: Problem, sizes: Sequence[int], first_scale: int) -> None:
        super().__init__(problem)
        engine = problem.space.engine
        self._first_scale = first_scale
        # A class of all records is none, so sizes end below that.
        tried = sorted({min(int(size), engine.total - 1) for size in sizes})
        self._jumps: list[DensityJump] = []
        for done, size in enumerate(tried):
            announce("preparing the search", done, len(tried))
            with part_of_work(done / len(tried), (done + 1) / len(tried)):
                self._jumps.append(DensityJump(engine, size))
        self._end = engine.diameter_bound()
        self.reset()

    def forget(self) -> None:
        n = self.space.engine.n
        self._shadows = np.zeros((len(self._jumps), n), dtype=bool)
        self._scales = [self._first_scale] * len(self._jumps)
        self._turn, self._waiting = 0, 0

    def hold(self, held: Mapping[int, AskedBy]) -> None:
        self._waiting = sum(by.member == _MEMBER for by in held.values())

    def choose(self, points: OpenPoints) -> Proposal:
        turn = (self._turn + self._waiting) % len(self._jumps)
        lit = points.allowed & ~self._shadows[turn]
        jump, scale = self._jumps[turn], self._scales[turn]
        point = jump.best(lit if lit.any() else points.allowed, scale, points.priority)
        row = int(points.row[point])
        proposal = jump_proposal(jump, point, scale, row, shadows_lifted=int(not lit.any()))
        return replace(proposal, asked_by=AskedBy(_MEMBER, {"size": jump.size}))

    def learn(self, point: int, answer: Answer) -> None:
        near = self.space.engine.distances(point)
        for shadow, jump in zip(self._shadows, self._jumps, strict=True):
            shadow |= near <= reach(jump.radius)
        if answer.asked_by is None:
            return
        turn = self._turn_of(answer.asked_by)
        if answer.background:
            self._scales[turn] += 1
            if self._scales[turn] * self._jumps[turn].radius > self._end:
                self._scales[turn] = self._first_scale
        self._turn = (self._turn + 1) % len(self._jumps)

    def _turn_of(self, asked_by: AskedBy) -> int:
        """Tell which size asked; of one that is not known, that whose turn it is."""
        sizes = [jump.size for jump in self._jumps]
        size = asked_by.notes.get("size")
        return sizes.index(int(size)) if size in sizes else self._turn
