"""Auto: ask about the record most likely to show a class that nobody has named yet.

Rare classes lie apart from the crowd or hide inside it, and no single rule finds both. Two members
share every answer. *Reach* looks outside: it asks about the record farthest from all labelled
ones, weighted by how empty its surroundings are. *Pocket* looks inside: it asks at the centre of a
knot of records denser than what is around it, untouched by any label. Whoever's next question
promises more asks it. No priors, no number of classes, no scale to choose.

Real data are full of knots that are no class of their own. So what a question of pocket promises
is the chance that the knot shows a new class if these data hide classes in knots at all, times the
belief that they do; a few good knots that show nothing new end that belief.

People err, and a wrong name in a knot would hide its class for good. So pocket looks again into a
knot that showed a class, at another record, once nothing else promises more than that the first
answer was wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray
from rarefind.discovery.auto.knots import NEIGHBOURS, find_pockets
from rarefind.discovery.auto.reach import Reach
from rarefind.discovery.auto.unexplained import WRONG, UnexplainedPockets
from rarefind.discovery.contract.open_points import OpenPoints, PointRows
from rarefind.discovery.contract.strategy import Answer, Label, Problem, Proposal, Search, Strategy

_ROOM_NEIGHBOURS = (1, 5, 30)
"""The neighbours whose distances, multiplied, tell how empty the surroundings of a record are."""

_HIDDEN = 0.7
"""Belief, before any answer, that classes hide in knots. It starts just below reach's hope of one
in two, so reach goes first, and it is the turn of pocket as soon as a question does not pay."""

_PAYS = 0.7
"""Where classes hide in knots, so many of the knots that are real show one."""

_BY_CHANCE = 0.1
"""Where they do not, so many knots show a new class all the same."""


class Auto(Strategy):
    """Ask outside the crowd and inside it, wherever questions pay. Needs no parameter at all."""

    scale = "squash"

    def prepare(self, problem: Problem) -> Search:
        """Find the neighbours of every record, and the pockets."""
        return _AutoSearch(problem)


class _Look(NamedTuple):
    """A knot that pocket would ask about, and what a question there promises.

    ``chance`` is that of a new class if classes hide in knots, ``worth`` that of a new class;
    ``again`` tells that the knot showed a class before.
    """

    pocket: int
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
        self._pockets = UnexplainedPockets(find_pockets(engine, near, order), engine.n)
        self._reach = Reach(self._space, self._room)
        self.reset()

    def reset(self) -> None:
        self._asked = np.zeros(self._space.engine.n, dtype=bool)
        self._labels: dict[Label, int] = {}
        self._pockets.reset()
        self._reach.reset()
        # What came of the questions of each: the new class or None; for pocket with the chance.
        self._reached: list[Label | None] = []
        self._looked: list[tuple[float, Label | None]] = []

    def observe(self, answer: Answer) -> None:
        point = int(self._space.folded.point_of[answer.row])
        look = None
        if answer.asked and self._labels:  # the first answer is new whoever asks: it pays nobody
            # Whoever's turn it was in this state asked, and is paid or not.
            nothing = np.zeros(self._space.n_rows, dtype=bool)
            look = self._look(self._rows.open(nothing, self._asked))
            new = answer.label if answer.label not in self._labels else None
            if look is None:
                self._reached.append(new)
            elif not look.again:
                self._looked.append((look.chance, new))
        # That the same class turns up where it was looked for again does not make it less rare.
        if look is None or not self._pockets.confirmed(look.pocket, answer.label):
            self._labels[answer.label] = self._labels.get(answer.label, 0) + 1
        self._asked[point] = True
        self._reach.tell(point, answer.label)
        near = self._space.engine.distances_to(point, self._pockets.knots.point)
        self._pockets.explain(point, near, answer.label, ordinary=answer.background)

    def propose(self, barred: BoolArray) -> Proposal:
        points = self._rows.open(barred, self._asked)
        if not self._labels:
            point = points.best(self._room)
            return self._reach_proposal(int(points.row[point]), point)
        look = self._look(points)
        if look is not None:
            point = int(self._pockets.knots.point[look.pocket])
            return self._pocket_proposal(int(points.row[point]), look)
        barred_points = self._space.folded.point_of[np.flatnonzero(barred)]
        held = barred_points[~self._asked[barred_points]]
        point = self._reach.best(points, held, self._asked)
        return self._reach_proposal(int(points.row[point]), point)

    def _look(self, points: OpenPoints) -> _Look | None:
        """Return the knot to look into, if it is pocket's turn."""
        pocket, chance = self._pockets.best(points)
        first = _Look(pocket, chance, self._hidden() * _PAYS * chance, again=False)
        pocket, chance = self._pockets.best(points, again=True)
        # Who doubts the answers in a knot must doubt the others, too.
        second = _Look(pocket, chance, self._hidden(WRONG) * _PAYS * chance, again=True)
        look = first if first.worth >= second.worth else second
        return look if look.worth > self._worth_of_reach() else None

    def _worth_of_reach(self) -> float:
        """Return what a question of reach is expected to pay: half before the first."""
        return (1.0 + sum(map(self._credit, self._reached))) / (2.0 + len(self._reached))

    def _hidden(self, wrong: float = 0.0) -> float:
        """Return the belief that classes hide in knots, by what looking into knots has shown.

        ``wrong`` is the share of answers that may be wrong.
        """
        # So many labels does each class have by mistake.
        mistaken = wrong * sum(self._labels.values()) / max(len(self._labels) - 1, 1)
        odds = np.log(_HIDDEN / (1.0 - _HIDDEN))
        for chance, label in self._looked:
            pays = max(_PAYS * chance, _BY_CHANCE)
            credit = self._credit(label, mistaken)
            odds += credit * np.log(pays / _BY_CHANCE)
            odds += (1.0 - credit) * np.log((1.0 - pays) / (1.0 - _BY_CHANCE))
        return float(1.0 / (1.0 + np.exp(-odds)))

    def _credit(self, label: Label | None, mistaken: float = 0.0) -> float:
        """Return what an answer paid: one over the labels its class has by now, if it was new.

        A class that keeps turning up was not rare, and whoever met it first deserves little credit.
        Labels that it has by mistake do not count.
        """
        return 0.0 if label is None else 1.0 / max(self._labels[label] - mistaken, 1.0)

    def _pocket_proposal(self, row: int, look: _Look) -> Proposal:
        knots, pocket = self._pockets.knots, look.pocket
        size, radius = int(knots.size[pocket]), float(knots.radius[pocket])
        contrast, surprise = float(knots.contrast[pocket]), float(knots.surprise[pocket])
        explained = "no answer explains it"
        if look.again:
            explained = "a second look tells whether what was answered there is right"
        return Proposal(
            row,
            f"{size} records lie within {radius:.3g} of it, {contrast:.1f} times as dense as those "
            f"around: chance does that once in {_once_in(surprise)}, and {explained}.",
            {
                "records_within_radius": size,
                "radius": radius,
                "contrast": contrast,
                "surprise": surprise,
            },
        )

    def _reach_proposal(self, row: int, point: int) -> Proposal:
        nearest, outermost = float(self._near[point, 0]), float(self._near[point, -1])
        apart = f"the nearest record is {nearest:.3g} away"
        if self._neighbours > 1:
            apart += f", the nearest {self._neighbours} reach out to {outermost:.3g}"
        evidence = {"distance_to_nearest": nearest, "distance_to_neighbours": outermost}
        if not self._labels:
            return Proposal(row, f"It lies apart: {apart}.", evidence)
        asked = np.flatnonzero(self._asked)
        away = float(self._space.engine.distances_to(point, asked).min())
        return Proposal(
            row,
            f"It is unlike anything labelled so far: the nearest labelled record is {away:.3g} "
            f"away ({apart}).",
            {"distance_to_labelled": away, **evidence},
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


def _once_in(surprise: float) -> str:
    """Write e to the power of the surprise for people."""
    number = np.exp(min(surprise, 20.0))
    return "over a million" if number > 1e6 else f"{float(f'{number:.1g}'):,.0f}"
