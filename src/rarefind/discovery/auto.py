"""Auto: ask about the record most likely to show a class that nobody has named yet.

Rare classes lie apart from the crowd or hide inside it, and no single rule finds both. Two members
share every answer. *Reach* looks outside: it asks about the record farthest from all labelled
ones, weighted by how empty its surroundings are. *Pocket* looks inside: it asks at the centre of a
knot of records denser than what is around it, untouched by any label. Whoever's questions have
paid more so far asks next. No priors, no number of classes, no scale to choose.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray
from rarefind.discovery.open_points import OpenPoints, PointRows
from rarefind.discovery.pockets import NEIGHBOURS, find_pockets
from rarefind.discovery.strategy import Answer, Label, Problem, Proposal, Search, Strategy

_ROOM_NEIGHBOUR = 30
"""The neighbour whose distance tells how empty the surroundings of a record are."""

_PRIOR = {"reach": (1.0, 1.0), "pocket": (0.6, 1.0)}
"""Questions that paid and that did not, as if asked before: reach goes first, and after two of its
questions that did not pay it is the turn of pocket."""

_HELD = 64
"""Of the records held by others, this many keep questions away from their surroundings."""


class Auto(Strategy):
    """Ask outside the crowd and inside it, wherever questions pay. Needs no parameter at all."""

    scale = "squash"

    def prepare(self, problem: Problem) -> Search:
        """Find the neighbours of every record, and the pockets."""
        return _AutoSearch(problem)


class _Choice(NamedTuple):
    """A point one of the members would ask about; ``pocket`` is the number of its knot or -1."""

    member: str
    point: int
    pocket: int = -1


class _AutoSearch(Search):
    def __init__(self, problem: Problem) -> None:
        engine = problem.space.engine
        self._space = problem.space
        self._rows = PointRows(problem)
        near = engine.nearest(min(NEIGHBOURS, engine.n - 1))
        self._neighbour = min(_ROOM_NEIGHBOUR, near[0].shape[1])
        empty = near[0][:, self._neighbour - 1]
        floor = np.quantile(empty[empty > 0], 0.02) if (empty > 0).any() else 1.0
        self._room = np.sqrt(np.maximum(empty, floor))
        order = np.argsort(self._rows.priority, kind="stable")
        self._pockets = find_pockets(engine, near, order)
        # So many places were looked at for the most surprising knot.
        self._tries = np.log(engine.n)
        self._excess = np.log1p(-1.0 / np.maximum(self._pockets.contrast, 1.0 + 1e-9))
        self.reset()

    def reset(self) -> None:
        n = self._space.engine.n
        self._asked = np.zeros(n, dtype=bool)
        self._away = np.full(n, np.inf)
        self._labels: dict[Label, int] = {}
        self._against = np.zeros(len(self._pockets.point))
        self._questions = dict.fromkeys(_PRIOR, 0)
        self._finds: dict[str, list[Label]] = {member: [] for member in _PRIOR}

    def observe(self, answer: Answer) -> None:
        point = int(self._space.folded.point_of[answer.row])
        if answer.asked and self._labels:  # the first answer is new whoever asks: it pays nobody
            # Whoever's turn it was in this state asked, and is paid or not.
            nothing = np.zeros(self._space.n_rows, dtype=bool)
            member = self._choose(self._rows.open(nothing, self._asked), self._away).member
            self._questions[member] += 1
            if answer.label not in self._labels:
                self._finds[member].append(answer.label)
        self._labels[answer.label] = self._labels.get(answer.label, 0) + 1
        self._asked[point] = True
        near = self._space.engine.distances(point)
        np.minimum(self._away, near, out=self._away)
        self._explain(point, near[self._pockets.point], ordinary=answer.background)

    def _explain(self, point: int, near: FloatArray, *, ordinary: bool) -> None:
        """Note what an answer says about the knots, given its distance from their centres.

        An ordinary record in a knot speaks against it, but not finally: a knot of contrast c holds
        one ordinary record in c. A class found explains its own knot and all within it.
        """
        knots = self._pockets
        if ordinary:
            inside = near <= knots.radius
            self._against[inside] += np.log(knots.contrast[inside])
            return
        own = np.flatnonzero(knots.point == point)
        extent = knots.radius[own[np.argmax(knots.surprise[own])]] if own.size else 0.0
        self._against[near <= np.maximum(knots.radius, extent)] = np.inf

    def propose(self, barred: BoolArray) -> Proposal:
        points = self._rows.open(barred, self._asked)
        away = self._away
        held = np.flatnonzero(barred)
        held = held[~self._asked[self._space.folded.point_of[held]]][-_HELD:]
        for point in self._space.folded.point_of[held]:
            away = np.minimum(away, self._space.engine.distances(int(point)))
        choice = self._choose(points, away)
        row = int(points.row[choice.point])
        if choice.pocket >= 0:
            return self._pocket_proposal(row, choice.pocket)
        return self._reach_proposal(row, choice.point, float(away[choice.point]))

    def _choose(self, points: OpenPoints, away: FloatArray) -> _Choice:
        if self._worth("pocket") > self._worth("reach"):
            pocket = self._best_pocket(points)
            if pocket >= 0:
                return _Choice("pocket", int(self._pockets.point[pocket]), pocket)
        score = self._room * away if self._labels else self._room
        return _Choice("reach", points.best(score))

    def _worth(self, member: str) -> float:
        """Return what a question of a member is expected to pay.

        A find pays one over the labels its class has by now: a class that keeps turning up was not
        rare, and whoever met it first deserves little credit for it.
        """
        paid, unpaid = _PRIOR[member]
        credit = sum(1.0 / self._labels[label] for label in self._finds[member])
        return (paid + credit) / (paid + unpaid + self._questions[member])

    def _best_pocket(self, points: OpenPoints) -> int:
        """Return the number of the knot to ask about, or -1 if answers explain them all.

        The score is the logarithm of the chance that the answer is new: that the knot is real,
        times that a record in it is not one of the ordinary ones spread evenly through it.
        """
        knots = self._pockets
        odds = knots.surprise - self._against - self._tries
        real = -np.logaddexp(0.0, -odds)
        with np.errstate(divide="ignore"):
            score = np.where(points.allowed[knots.point], real + self._excess, -np.inf)
        if score.max(initial=-np.inf) == -np.inf:
            return -1
        top = np.flatnonzero(score == score.max())
        return int(top[np.argmin(points.priority[knots.point[top]])])

    def _pocket_proposal(self, row: int, pocket: int) -> Proposal:
        knots = self._pockets
        size, radius = int(knots.size[pocket]), float(knots.radius[pocket])
        contrast, surprise = float(knots.contrast[pocket]), float(knots.surprise[pocket])
        return Proposal(
            row,
            f"{size} records lie within {radius:.3g} of it, {contrast:.1f} times as dense as those "
            f"around: chance does that once in {_once_in(surprise)}, and no answer explains it.",
            {
                "records_within_radius": size,
                "radius": radius,
                "contrast": contrast,
                "surprise": surprise,
            },
        )

    def _reach_proposal(self, row: int, point: int, away: float) -> Proposal:
        room = float(self._room[point] ** 2)
        if not np.isfinite(away):
            return Proposal(
                row,
                f"It lies apart: its {self._neighbour} nearest records reach out to {room:.3g}, "
                "farther than for any other record.",
                {"distance_to_neighbours": room},
            )
        return Proposal(
            row,
            f"It is unlike anything labelled so far: the nearest labelled record is {away:.3g} "
            f"away, and its {self._neighbour} nearest records reach out to {room:.3g}.",
            {"distance_to_labelled": away, "distance_to_neighbours": room},
        )


def _once_in(surprise: float) -> str:
    """Write e to the power of the surprise for people."""
    number = np.exp(min(surprise, 20.0))
    return "over a million" if number > 1e6 else f"{float(f'{number:.1g}'):,.0f}"
