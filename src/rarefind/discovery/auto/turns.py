"""Auto: ask about the record most likely to show a class that nobody has named yet.

Rare classes lie apart from the crowd or hide inside it, and no single rule finds both. Two members
share every answer. *Reach* looks outside: it asks about the record farthest from all labelled
ones, weighted by how empty its surroundings are. *Knot* looks inside: it asks at the centre of a
knot of records denser than what is around it, untouched by any label. Whoever's next question
promises more asks it. No priors, no number of classes, no scale to choose.

Real data are full of knots that are no class of their own. So what a question about one promises
is the chance that the knot shows a new class if these data hide classes in knots at all, times the
belief that they do; a few good knots that show nothing new end that belief.

People err, and a wrong name in a knot would hide its class for good. So a knot that
showed a class is looked into again, at another record, once nothing else promises more than that
the first answer was wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray
from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.discovery.auto.credit import KNOT, OPENING, PAYS, REACH, SECOND_LOOK, Credit
from rarefind.discovery.auto.evidence import in_words
from rarefind.discovery.auto.knots import NEIGHBOURS, find_knots
from rarefind.discovery.auto.reach import Reach
from rarefind.discovery.auto.unexplained import WRONG, UnexplainedKnots
from rarefind.discovery.contract.open_points import OpenPoints, PointRows
from rarefind.discovery.contract.strategy import Answer, Problem, Proposal, Search, Strategy

_ROOM_NEIGHBOURS = (1, 5, 30)
"""The neighbours whose distances, multiplied, tell how empty the surroundings of a record are."""


class Auto(Strategy):
    """Ask outside the crowd and inside it, wherever questions pay. Needs no parameter at all."""

    scale = "squash"

    def prepare(self, problem: Problem) -> Search:
        """Find the neighbours of every record, and the knots."""
        return _AutoSearch(problem)


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
    def __init__(self, problem: Problem) -> None:
        engine = problem.space.engine
        self._space = problem.space
        self._rows = PointRows(problem)
        near = engine.nearest(min(NEIGHBOURS, engine.n - 1))
        self._near = near[0][:, [min(k, near[0].shape[1]) - 1 for k in _ROOM_NEIGHBOURS]]
        self._neighbours = min(_ROOM_NEIGHBOURS[-1], near[0].shape[1])
        self._room = _room(self._near)
        order = np.argsort(self._rows.priority, kind="stable")
        self._unexplained = UnexplainedKnots(find_knots(engine, near, order), engine.n)
        self._reach = Reach(self._space, self._room)
        self.reset()

    def reset(self) -> None:
        self._asked = np.zeros(self._space.engine.n, dtype=bool)
        self._held = np.empty(0, dtype=np.int64)
        self._credit = Credit()
        self._unexplained.reset()
        self._reach.reset()

    def observe(self, answer: Answer) -> None:
        point = int(self._space.folded.point_of[answer.row])
        asked_by = answer.asked_by
        if asked_by == UNKNOWN:
            # Whoever's turn it is in this state asked: so it was where one question followed on
            # the answer to the other.
            nothing = np.zeros(self._space.n_rows, dtype=bool)
            self.hold({})
            look = self._look(self._rows.open(nothing, self._asked))
            asked_by = self._asker(look) if self._credit.labels else AskedBy(OPENING)
        confirms = (
            asked_by is not None
            and asked_by.member == SECOND_LOOK
            and self._unexplained.confirmed(point, _radius(asked_by), answer.label)
        )
        self._credit.give(asked_by, answer.label, confirms=confirms)
        self._asked[point] = True
        self._reach.tell(point, answer.label)
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
            point = points.best(self._room)
            return self._reach_proposal(int(points.row[point]), point, AskedBy(OPENING))
        look = self._look(points)
        if look is not None:
            point = int(self._unexplained.knots.point[look.knot])
            return self._knot_proposal(int(points.row[point]), look)
        point = self._reach.best(points, self._held, self._asked)
        return self._reach_proposal(int(points.row[point]), point, self._asker(None))

    def _near_knots(self, point: int) -> FloatArray:
        return self._space.engine.distances_to(point, self._unexplained.knots.point)

    def _look(self, points: OpenPoints) -> _Look | None:
        """Return the knot to look into, if it is the turn of knots."""
        knot, chance = self._unexplained.best(points)
        first = _Look(knot, chance, self._credit.hidden() * PAYS * chance, again=False)
        knot, chance = self._unexplained.best(points, again=True)
        # Who doubts the answers in a knot must doubt the others, too.
        second = _Look(knot, chance, self._credit.hidden(WRONG) * PAYS * chance, again=True)
        look = first if first.worth >= second.worth else second
        return look if look.worth > self._credit.worth_of_reach() else None

    def _asker(self, look: _Look | None) -> AskedBy:
        """Return who asks, with what it must know when the answer comes."""
        if look is None:
            return AskedBy(REACH)
        notes = {"chance": look.chance, "radius": float(self._unexplained.knots.radius[look.knot])}
        return AskedBy(SECOND_LOOK if look.again else KNOT, notes)

    def _knot_proposal(self, row: int, look: _Look) -> Proposal:
        knots, knot = self._unexplained.knots, look.knot
        size, radius = int(knots.size[knot]), float(knots.radius[knot])
        contrast, surprise = float(knots.contrast[knot]), float(knots.surprise[knot])
        worth = float(knots.evidence[knot])
        explained = "no answer explains it"
        if look.again:
            explained = "a second look tells whether what was answered there is right"
        chance = in_words(worth)
        so = f"around: {chance}, and {explained}." if chance else f"around, and {explained}."
        return Proposal(
            row,
            f"{size} records lie within {radius:.3g} of it, {contrast:.1f} times as dense as those "
            f"{so}",
            {
                "records_within_radius": size,
                "radius": radius,
                "contrast": contrast,
                "surprise": surprise,
                "evidence": worth,
            },
            self._asker(look),
        )

    def _reach_proposal(self, row: int, point: int, asker: AskedBy) -> Proposal:
        nearest, outermost = float(self._near[point, 0]), float(self._near[point, -1])
        apart = f"the nearest record is {nearest:.3g} away"
        if self._neighbours > 1:
            apart += f", the nearest {self._neighbours} reach out to {outermost:.3g}"
        evidence = {"distance_to_nearest": nearest, "distance_to_neighbours": outermost}
        if not self._credit.labels:
            return Proposal(row, f"It lies apart: {apart}.", evidence, asker)
        asked = np.flatnonzero(self._asked)
        away = float(self._space.engine.distances_to(point, asked).min())
        return Proposal(
            row,
            f"It is unlike anything labelled so far: the nearest labelled record is {away:.3g} "
            f"away ({apart}).",
            {"distance_to_labelled": away, **evidence},
            asker,
        )


def _room(near: FloatArray) -> FloatArray:
    """Tell how empty the surroundings are: the root of the mean distance over several scales."""
    room = np.zeros(len(near))
    for distances in near.T:
        positive = distances[distances > 0]
        # Identical or nearly identical records are no denser than the densest in a fiftieth.
        floor = np.quantile(positive, 0.02) if positive.size else 1.0
        room += np.log(np.maximum(distances, floor))
    return np.asarray(np.exp(0.5 * room / near.shape[1]))


def _radius(asked_by: AskedBy) -> float:
    """Return the radius of the knot that was asked about; a question of reach has none."""
    return asked_by.notes.get("radius", 0.0)
