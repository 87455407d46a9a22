"""Auto: ask about the record most likely to show a class that nobody has named yet.

Rare classes lie apart from the crowd or hide inside it, and no single rule finds both. Four
members share every answer. *Reach* looks outside: it asks about the record farthest from all
labelled ones, weighted by how empty its surroundings are, in several views of the records at once;
less so where the nearest label is of a class told often, of which there is probably more.
*Knot* looks inside: it asks at the centre of a knot of records denser than what is around it,
untouched by any label. *Crowd* asks where records are close together and labels far, so that a
class in no knot, amid the others, is met as well. *Gap* asks about a few records with a gap around
them, too few to be a knot. Whoever's next question promises more asks it.
No priors, no number of classes, no scale to choose.

Real data are full of knots that are no class of their own. So what a question about a knot promises
is the chance that the knot shows a new class if these data hide classes in knots at all, times the
belief that they do; a few good knots that show nothing new end that belief.

People err, and a wrong name in a knot would hide its class for good. So it looks again into a
knot that showed a class, at another record, once nothing else promises more than that the first
answer was wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray
from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.core.progress import part_of_work
from rarefind.discovery.auto.credit import (
    CROWD,
    GAP,
    KNOT,
    OPENING,
    PAYS,
    REACH,
    SECOND_LOOK,
    Credit,
    Hope,
)
from rarefind.discovery.auto.emptiness import log_room
from rarefind.discovery.auto.gaps import Gaps
from rarefind.discovery.auto.knots import NEIGHBOURS, find_knots
from rarefind.discovery.auto.reach import Reach
from rarefind.discovery.auto.reasons import (
    Neighbours,
    Reason,
    crowd_reason,
    gap_reason,
    knot_reason,
    outside_reason,
)
from rarefind.discovery.auto.unexplained import WRONG, UnexplainedKnots, full_of_knots
from rarefind.discovery.auto.views import number_of_other_views, other_views
from rarefind.discovery.contract.open_points import OpenPoints, PointRows
from rarefind.discovery.contract.strategy import (
    Answer,
    Label,
    Problem,
    Proposal,
    Search,
    Strategy,
)
from rarefind.geometry import Space

_CROWD_NEIGHBOUR, _CROWDED = 4, -0.6
"""Crowd weighs a distance from labels by that to this neighbour, to this power."""

_KNOTS_TAKE = 1.8
"""How long knots take beside the neighbours of every record in one view: between the 1.25 and 2.3
measured among 26,000 and 95,000 different records of kdd99_10."""


@dataclass(frozen=True)
class _Manner:
    """How a search looks at records, and what it hopes for of its members.

    ``room`` lists the neighbours whose distances tell how empty the surroundings of a record are,
    and ``emptiness`` is the power to which these count beside the distance from labels.
    ``familiar`` is the power of how often the class of the nearest label was told, by which
    distances are divided. ``beside_others``: knots are compared where surprise says little.
    """

    room: tuple[int, ...]
    emptiness: float
    familiar: float
    several_views: bool
    beside_others: bool
    hopes: Mapping[str, Hope]


_AUTO = _Manner(
    (2, 8),
    0.35,
    0.45,
    True,
    True,
    {REACH: Hope(0.5, 3.0), CROWD: Hope(0.25, 3.0), GAP: Hope(0.25, 3.0)},
)
"""Chosen on other draws than those whose figures are told; docs/discovery-results.md has both."""

_AUTO_1 = _Manner((1, 5, 30), 0.5, 0.0, False, False, {REACH: Hope(0.5, 2.0)})
"""As it was before there were several views."""


class Auto(Strategy):
    """Ask outside the crowd and inside it, wherever questions pay. Needs no parameter at all."""

    scale = "squash"

    def prepare(self, problem: Problem) -> Search:
        """Find the neighbours of every record, and the knots."""
        return _AutoSearch(problem, _AUTO)


class Auto1(Strategy):
    """An earlier default, kept for comparison: a single view, and reach and knots alone."""

    scale = "squash"

    def prepare(self, problem: Problem) -> Search:
        """Find the neighbours of every record, and the knots."""
        return _AutoSearch(problem, _AUTO_1)


class _Look(NamedTuple):
    """A knot that may be asked about, and what a question there promises.

    ``chance`` is that of a new class if classes hide in knots, ``worth`` that of a new class;
    ``again`` tells that the knot showed a class before.
    """

    knot: int
    chance: float
    worth: float
    again: bool


class _AutoSearch(Search):
    def __init__(self, problem: Problem, manner: _Manner) -> None:
        space = self._space = problem.space
        self._familiar = manner.familiar
        engine = space.engine
        self._rows = PointRows(problem)
        views = 1 + (number_of_other_views(space) if manner.several_views else 0)
        searches = views + _KNOTS_TAKE
        with part_of_work(0.0, 1 / searches):
            near = engine.nearest(min(NEIGHBOURS, engine.n - 1))
        others = other_views(space, near[1]) if manner.several_views else []
        rooms = [log_room(near[0], manner.room)]
        for place, view in enumerate(others, start=1):
            with part_of_work(place / searches, (place + 1) / searches):
                distances, _ = view.engine.nearest(min(manner.room[-1], engine.n - 1))
            rooms.append(log_room(distances, manner.room))
        self._room = np.exp(manner.emptiness * sum(rooms) / len(rooms))
        self._counts = [min(k, near[0].shape[1]) for k in (1, manner.room[-1], _CROWD_NEIGHBOUR)]
        self._near = near[0][:, [count - 1 for count in self._counts]]
        order = np.argsort(self._rows.priority, kind="stable")
        with part_of_work(views / searches, 1.0):
            knots = find_knots(engine, near, order)
        wary = manner.beside_others and full_of_knots(space, near[0])
        self._unexplained = UnexplainedKnots(knots, engine.n, beside_others=wary)
        self._reaches = {REACH: Reach([space, *others], self._room)}
        self._members: dict[str, Reach | Gaps] = {**self._reaches}
        if CROWD in manner.hopes:
            crowded = np.exp(_CROWDED * log_room(near[0], [_CROWD_NEIGHBOUR]))
            crowd = Reach([Space(space.folded, engine)], crowded)
            self._reaches[CROWD] = self._members[CROWD] = crowd
            self._members[GAP] = Gaps(near[0], crowd.away)
        self._credit = Credit(manner.hopes)
        self.reset()

    def reset(self) -> None:
        self._asked = np.zeros(self._space.engine.n, dtype=bool)
        self._held = np.empty(0, dtype=np.int64)
        self._told: list[Label] = []
        self._credit.reset()
        self._unexplained.reset()
        for member in self._reaches.values():
            member.reset()

    def observe(self, answer: Answer) -> None:
        point = int(self._space.folded.point_of[answer.row])
        asked_by = answer.asked_by
        if asked_by == UNKNOWN:
            # Whoever's turn it is in this state asked: so it was where one question followed on
            # the answer to the other.
            nothing = np.zeros(self._space.n_rows, dtype=bool)
            self.hold({})
            _, asked_by = self._turn(self._rows.open(nothing, self._asked))
            asked_by = asked_by if self._credit.labels else AskedBy(OPENING)
        confirms = (
            asked_by is not None
            and asked_by.member == SECOND_LOOK
            and self._unexplained.confirmed(point, _radius(asked_by), answer.label)
        )
        self._credit.give(asked_by, answer.label, confirms=confirms)
        self._asked[point] = True
        self._told.append(answer.label)
        for member in self._reaches.values():
            member.tell(point, answer.label)
        self._unexplained.explain(point, self._near_knots(point), answer.label, answer.background)

    def hold(self, held: Mapping[int, AskedBy]) -> None:
        self._credit.hold(held)
        points = {int(self._space.folded.point_of[row]): by for row, by in held.items()}
        points = {point: by for point, by in points.items() if not self._asked[point]}
        self._held = np.array(list(points), dtype=np.int64)
        # Rows left out for reasons we do not know say nothing about the knots they are in.
        radii = {point: _radius(by) for point, by in points.items() if by != UNKNOWN}
        self._unexplained.hold(radii, self._near_knots)

    def propose(self, barred: BoolArray) -> Proposal:
        points = self._rows.open(barred, self._asked)
        if not self._credit.labels and not self._held.size:
            point, asker = points.best(self._room), AskedBy(OPENING)
            return self._proposal(points, point, self._reason(point, REACH), asker)
        look, asker = self._turn(points)
        if look is not None:
            point = int(self._unexplained.knots.point[look.knot])
            reason = knot_reason(self._unexplained.knots, look.knot, again=look.again)
        else:
            member = self._members[asker.member]
            weight = self._unfamiliar() if asker.member == REACH else None
            point = member.best(points, self._held, self._asked, weight)
            reason = self._reason(point, asker.member)
        return self._proposal(points, point, reason, asker)

    def _unfamiliar(self) -> FloatArray | None:
        """Return how much every point counts, by how often the class of its nearest label was told.

        A class told often is common, and common classes reach far: another record beyond their
        last one is probably more of the same. The class told most often counts as no more familiar
        than the next: where one crowd holds nearly everything, what is rare lies beyond it, and
        not beyond the few records of other classes.
        """
        crowd = self._reaches.get(CROWD)
        if crowd is None or not self._told:
            return None
        _, *others = sorted(self._credit.labels.values(), reverse=True)
        often = [self._credit.labels[label] for label in self._told]
        familiar = np.minimum(often, others[0] if others else 1)
        return np.asarray(familiar.astype(float) ** -self._familiar)[crowd.nearest]

    def _near_knots(self, point: int) -> FloatArray:
        return self._space.engine.distances_to(point, self._unexplained.knots.point)

    def _turn(self, points: OpenPoints) -> tuple[_Look | None, AskedBy]:
        """Return who asks, with what it must know when the answer comes; and the knot, if any."""
        gaps = self._members.get(GAP)
        chances = {}
        if isinstance(gaps, Gaps):
            chances[GAP] = gaps.chance(points, self._held, self._asked)
        member, worth = self._credit.turn(chances)
        look = self._look(points)
        if look.worth <= worth:
            return None, AskedBy(member)
        notes = {"chance": look.chance, "radius": float(self._unexplained.knots.radius[look.knot])}
        return look, AskedBy(SECOND_LOOK if look.again else KNOT, notes)

    def _look(self, points: OpenPoints) -> _Look:
        """Return the knot to look into, if it is the turn of knots."""
        knot, chance = self._unexplained.best(points)
        first = _Look(knot, chance, self._credit.hidden() * PAYS * chance, again=False)
        knot, chance = self._unexplained.best(points, again=True)
        # Who doubts the answers in a knot must doubt the others, too.
        second = _Look(knot, chance, self._credit.hidden(WRONG) * PAYS * chance, again=True)
        return first if first.worth >= second.worth else second

    def _reason(self, point: int, member: str) -> Reason:
        """Say why reach, crowd or gap asks about a point."""
        asked = np.flatnonzero(self._asked)
        away = None
        if asked.size:
            away = float(self._space.engine.distances_to(point, asked).min())
        nearest, outermost, crowded = map(float, self._near[point])
        _, outside, inside = self._counts
        gaps = self._members.get(member)
        if isinstance(gaps, Gaps):
            radius, gap = float(gaps.radius[point]), float(gaps.gap[point])
            return gap_reason(int(gaps.size[point]), radius, gap, away)
        if member == CROWD:
            return crowd_reason(Neighbours(inside, nearest, crowded), away)
        return outside_reason(Neighbours(outside, nearest, outermost), away)

    @staticmethod
    def _proposal(points: OpenPoints, point: int, reason: Reason, asker: AskedBy) -> Proposal:
        return Proposal(int(points.row[point]), *reason, asker)


def _radius(asked_by: AskedBy) -> float:
    """Return the radius of the knot that was asked about; a question of reach has none."""
    return asked_by.notes.get("radius", 0.0)
