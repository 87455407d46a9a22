"""ALICE and MALICE: ask where the density of records jumps (He and Carbonell, 2008).

For a rare class of about K records, r is the least distance from any record to its K-th
neighbour: the size of the tightest group of that many. A record with many neighbours within r,
next to one with few, lies at the edge of such a group. The search widens the neighbourhood in
which it compares, step by step, while its questions meet ordinary records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import ParameterError, Remedy
from rarefind.core.params import Constraint, Integer, OneOf, check_params
from rarefind.core.progress import announce, part_of_work
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.point_search import PointSearch
from rarefind.discovery.contract.priors import Priors
from rarefind.discovery.contract.strategy import Answer, Label, Problem, Proposal, Search, Strategy
from rarefind.discovery.strategies.jumps.density_falls import DensityJump
from rarefind.geometry import reach


class Malice(Strategy):
    """Ask at the largest jump of density, for one expected class after the other.

    Needs the shares of the rare classes (``priors``). A record is not asked about when it lies
    within the radius of an answered one, as it would show the same again.

    Parameters
    ----------
    first_scale
        How many radii wide the first neighbourhood is.
    order
        Which expected class is looked for first: ``"smallest-first"`` or ``"largest-first"``. The
        paper does not say.
    widen
        When neighbourhoods grow: ``"usual"``, as the paper's prose says, or ``"never"``, which is
        what its printed line ``t = t - 1`` comes to.
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "first_scale": [Integer(1)],
        "order": [OneOf("smallest-first", "largest-first")],
        "widen": [OneOf("usual", "never")],
    }
    _shadows = True

    def __init__(
        self,
        first_scale: int = 2,
        *,
        order: Literal["smallest-first", "largest-first"] = "smallest-first",
        widen: Literal["usual", "never"] = "usual",
    ) -> None:
        self.first_scale = first_scale
        self.order = order
        self.widen = widen

    def prepare(self, problem: Problem) -> Search:
        """Find the radius and the counts for every expected class."""
        check_params(self, self._params)
        require_priors(problem, type(self).__name__.lower())
        return JumpSearch(
            problem,
            self.first_scale,
            shadows=self._shadows,
            patient=self._shadows,
            descending=self.order == "largest-first",
            widens=self.widen == "usual",
        )


def require_priors(problem: Problem, strategy: str) -> Priors:
    """Return the priors, or say that the strategy cannot do without."""
    if problem.priors is None:
        raise ParameterError(
            f"The strategy {strategy!r} needs 'priors': the shares of the rare classes, as a "
            "mapping of class to share or a list of shares. The strategy 'auto' needs none."
        ).advising(Remedy("Give them with {priors}."))
    return problem.priors


class Alice(Malice):
    """The first form of MALICE: answered records cast no shadow, the scale grows on every miss."""

    _shadows = False


class JumpSearch(PointSearch):
    """Looks for the largest fall of density, for one expected class after the other.

    ``shadows`` keeps it away from what lies within the radius of an answered record;
    ``patient`` compares more widely only when a question met an ordinary record, else on every
    miss, and not at all unless it ``widens``. ``descending`` begins with the largest class.
    """

    def __init__(
        self,
        problem: Problem,
        first_scale: int,
        *,
        shadows: bool,
        patient: bool,
        descending: bool = False,
        widens: bool = True,
    ) -> None:
        super().__init__(problem)
        assert problem.priors is not None
        self._priors = problem.priors
        self._patient = patient
        self._widens = widens
        self._step = -1 if descending else 1
        self._first_scale = first_scale
        self._shadows = shadows
        self._jumps: list[DensityJump] = []
        for done, size in enumerate(self._priors.sizes):
            announce("preparing the search", done, len(self._priors.sizes))
            known = [jump for jump in self._jumps if jump.size == size]
            with part_of_work(done / len(self._priors.sizes), (done + 1) / len(self._priors.sizes)):
                self._jumps.append(known[0] if known else DensityJump(problem.space.engine, size))
        radii = [jump.radius for jump in self._jumps]
        self._widest, self._middle = max(radii), float(np.median(radii))
        self._end = problem.space.engine.diameter_bound()
        self.reset()

    def forget(self) -> None:
        """Forget all answers."""
        n = self.space.engine.n
        self._shadow = np.zeros(n, dtype=bool)
        self._background_shadow = np.zeros(n, dtype=bool)
        self._slot_of: dict[Label, int] = {}
        self._slot = 0 if self._step > 0 else len(self._jumps) - 1
        self._scale = self._first_scale

    def choose(self, points: OpenPoints) -> Proposal:
        """Name the row at the largest fall outside all shadows."""
        lit = points.allowed & ~self._shadow & ~self._background_shadow
        shadows_lifted = 0
        if not lit.any():
            # Nothing is left outside all shadows: lift those of the ordinary records first.
            lit, shadows_lifted = points.allowed & ~self._shadow, 1
        if not lit.any():
            lit, shadows_lifted = points.allowed, 2
        jump = self._jumps[self._slot]
        scale = self._scale
        point = jump.best(lit, scale, points.priority)
        proposal = self.proposal(jump, point, scale, int(points.row[point]), shadows_lifted)
        return replace(proposal, asked_by=AskedBy("expected class", {"slot": self._slot}))

    def proposal(
        self, jump: DensityJump, point: int, scale: int, row: int, shadows_lifted: int
    ) -> Proposal:
        """Put the choice of a point into words."""
        return jump_proposal(jump, point, scale, row, shadows_lifted=shadows_lifted)

    def learn(self, point: int, answer: Answer) -> None:
        """Cast a shadow, and turn to the next class or compare more widely."""
        found_before = set(self._slot_of.values())
        if not answer.background:
            self._slot_of.setdefault(answer.label, self._claimed_slot(answer.label))
        if self._shadows:
            near = self.space.engine.distances(point)
            if answer.background:
                self._background_shadow |= near <= reach(self._widest)
            else:
                slot = self._slot_of[answer.label]
                radius = self._jumps[slot].radius if slot >= 0 else self._middle
                self._shadow |= near <= reach(radius)
        if self._slot in self._slot_of.values() and self._slot not in found_before:
            self._next_slot()
        elif self._asked_here(answer) and (answer.background or not self._patient):
            self._widen()

    def _asked_here(self, answer: Answer) -> bool:
        """Tell whether the class now searched for asked; if it is not known who did, it counts."""
        if answer.asked_by is None:
            return False
        return answer.asked_by.notes.get("slot", self._slot) == self._slot

    def _claimed_slot(self, label: Label) -> int:
        """Slot of the class: its own if priors have names, else the one being searched for."""
        if self._priors.names is None:
            taken = set(self._slot_of.values())
            return self._slot if self._slot not in taken else -1
        return self._priors.names.index(label) if label in self._priors.names else -1

    def _next_slot(self) -> None:
        """Turn to the next class in order that was not yet seen, after the last to the first."""
        slots = len(self._jumps)
        found = set(self._slot_of.values())
        ahead = [(self._slot + self._step * far) % slots for far in range(1, slots + 1)]
        self._slot = next((slot for slot in ahead if slot not in found), self._slot)
        self._scale = self._first_scale

    def _widen(self) -> None:
        """Compare more widely; a neighbourhood as wide as the data means the class is not here."""
        if not self._widens:
            return
        self._scale += 1
        if self._scale * self._jumps[self._slot].radius > self._end:
            self._next_slot()


def jump_proposal(
    jump: DensityJump, point: int, scale: int, row: int, *, shadows_lifted: int
) -> Proposal:
    """Say how the density falls next to a point."""
    fewest, where = jump.sparsest(point, scale)
    apart = jump.engine.distance(point, where)
    inside = int(jump.counts[point])
    return Proposal(
        row,
        _sentence(inside, jump.radius, fewest, apart),
        {
            "radius": jump.radius,
            "records_within_radius": inside,
            "fewest_nearby": fewest,
            "distance_to_fewest": apart,
            "expected_size": jump.size,
            "scale": scale,
            "shadows_lifted": shadows_lifted,
        },
    )


def _sentence(inside: int, radius: float, fewest: int, apart: float) -> str:
    if inside == 1:
        return f"It stands alone: no other record lies within {radius:.3g} of it."
    crowd = f"{_records(inside - 1)} within {radius:.3g} of it"
    if fewest >= inside:
        return f"{crowd}, and nowhere left does the density fall more sharply."
    others = _records(fewest - 1) if fewest > 1 else "none lies"
    return f"{crowd}, but {others} around its neighbour at {apart:.3g}: the density jumps here."


def _records(number: int) -> str:
    return f"{number} other record{' lies' if number == 1 else 's lie'}"
