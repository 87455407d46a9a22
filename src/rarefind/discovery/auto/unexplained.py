"""Which knots no answer explains yet, and how likely each shows a class nobody has named."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.discovery.auto.knots import SIZES, Knots, directions
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.strategy import Label
from rarefind.geometry import Space

WRONG = 0.1
"""Of all answers, so many may be wrong. People who are careful err less; nobody is never wrong."""

_MORE_OF_THE_SAME = np.log(0.25)
"""Of the knots that touch that of a class found, so many show another class (a guess)."""

_MANY_COLUMNS, _MANY_DIRECTIONS = 100, 7.0
"""In more columns than this a knot must stand out among the others, and so it must where a kernel
compares records that spread in more directions than this: pictures and strings are full of knots
that surprise by themselves, and embeddings took 1.1 times the labels. With less room that finds
hidden classes later (1.25 times on made sets). The limits lie between the 85 columns of caravan and
the 512 of embeddings, and between payments with a column of text (6.2) and news articles (7.4)."""


def full_of_knots(space: Space, distances: FloatArray) -> bool:
    """Tell whether there is so much room that most knots surprise, by neighbour distances."""
    if space.vectors is not None:
        return space.vectors.shape[1] > _MANY_COLUMNS
    return directions(distances) > _MANY_DIRECTIONS


class UnexplainedKnots:
    """Knots of records, and what the answers say about them.

    Parameters
    ----------
    knots
        The knots.
    n
        Among how many points they were looked for.
    beside_others
        Whether a knot must stand out among the others rather than be surprising by itself.
    """

    def __init__(self, knots: Knots, n: int, *, beside_others: bool = False) -> None:
        self.knots = knots
        # So many places were looked at for the most surprising knot.
        by_itself = knots.surprise - np.log(len(SIZES) * n)
        self._odds = knots.evidence if beside_others else by_itself
        # Of the records in a knot, so many are not the ordinary ones spread evenly through it.
        self._excess = np.log1p(-1.0 / np.maximum(knots.contrast, 1.0 + 1e-9))
        self.reset()

    def reset(self) -> None:
        """Forget all answers."""
        self._against = np.zeros(len(self.knots.point))
        self._known = np.zeros(len(self.knots.point))
        # The knots that each class found explains, once for every answer.
        self._named: dict[Label, IntArray] = {}
        self._agreed = np.zeros(len(self.knots.point), dtype=np.int64)
        self._held_by: dict[tuple[int, float], BoolArray] = {}

    def hold(self, held: Mapping[int, float], near: Callable[[int], FloatArray]) -> None:
        """Hear at which points questions are out, and the radius of the knot that each is about.

        Knots that overlap these are left out until the answer is there: it may explain them. What
        was measured (``near`` tells the distances of all knots' centres from a point) is
        remembered, for as long as the question is out.
        """
        before, self._held_by = self._held_by, {}
        for point, radius in held.items():
            overlap = before.get((point, radius))
            if overlap is None:
                overlap = near(point) <= self.knots.radius + radius
            self._held_by[point, radius] = overlap

    def explain(self, point: int, near: FloatArray, label: Label, ordinary: bool) -> None:
        """Note what the answer at a point says, given the distances of all knots' centres from it.

        An ordinary record in a knot speaks against it, but not finally: a knot of contrast c holds
        one ordinary record in c. A class found explains its own knot and all within it as far as
        the answer can be trusted, and knots that touch its own are probably more of the same.

        Another class hides under the names given in a knot only if those who agree are all wrong,
        so what counts is how many gave the name given most often: two who differ explain no more
        than one.
        """
        knots = self.knots
        if ordinary:
            inside = near <= knots.radius
            self._against[inside] += np.log(knots.contrast[inside])
            return
        own = np.flatnonzero(knots.point == point)
        extent = knots.radius[own[np.argmax(knots.surprise[own])]] if own.size else 0.0
        own_and_within = np.flatnonzero(near <= np.maximum(knots.radius, extent))
        named = np.append(self._named.get(label, own_and_within[:0]), own_and_within)
        self._named[label] = named
        np.maximum(self._agreed, np.bincount(named, minlength=len(near)), out=self._agreed)
        self._known[near <= knots.radius + extent] = _MORE_OF_THE_SAME

    def best(self, points: OpenPoints, *, again: bool = False) -> tuple[int, float]:
        """Return the knot to ask about and the chance that its centre shows a new class.

        It is one without a class found, or one to look into ``again`` because the answers in it may
        be wrong; -1 if there is none. The chance is that the knot is real, times that a record in
        it is not an ordinary one, times that its class is not known.
        """
        knots = self.knots
        odds = self._odds - self._against
        known = self._agreed * np.log(WRONG) if again else self._known
        chance = -np.logaddexp(0.0, -odds) + self._excess + known
        chance[(self._agreed > 0) != again] = -np.inf
        chance[~points.allowed[knots.point]] = -np.inf
        for overlap in self._held_by.values():
            chance[overlap] = -np.inf
        best = chance.max(initial=-np.inf)
        if best == -np.inf:
            return -1, 0.0
        top = np.flatnonzero(chance == best)
        return int(top[np.argmin(points.priority[knots.point[top]])]), float(np.exp(best))

    def confirmed(self, point: int, radius: float, label: Label) -> bool:
        """Tell whether an answer in the knot of that centre and radius gave this name before."""
        named = self._named.get(label, self._agreed[:0])
        knots = self.knots
        return bool(((knots.point[named] == point) & (knots.radius[named] == radius)).any())
