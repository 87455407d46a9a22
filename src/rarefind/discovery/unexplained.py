"""Which pockets no answer explains yet, and how likely each shows a class nobody has named."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.discovery.open_points import OpenPoints
from rarefind.discovery.pockets import SIZES, Pockets

_MORE_OF_THE_SAME = np.log(0.25)
"""Of the knots that touch that of a class found, so many show another class (a guess)."""


class UnexplainedPockets:
    """Knots of records, and what the answers say about them.

    Parameters
    ----------
    knots
        The knots.
    n
        Among how many points they were looked for.
    """

    def __init__(self, knots: Pockets, n: int) -> None:
        self.knots = knots
        # So many places were looked at for the most surprising knot.
        self._tries = np.log(len(SIZES) * n)
        # Of the records in a knot, so many are not the ordinary ones spread evenly through it.
        self._excess = np.log1p(-1.0 / np.maximum(knots.contrast, 1.0 + 1e-9))
        self.reset()

    def reset(self) -> None:
        """Forget all answers."""
        self._against = np.zeros(len(self.knots.point))
        self._known = np.zeros(len(self.knots.point))

    def explain(self, point: int, near: FloatArray, *, ordinary: bool) -> None:
        """Note what the answer at a point says, given the distances of all knots' centres from it.

        An ordinary record in a knot speaks against it, but not finally: a knot of contrast c holds
        one ordinary record in c. A class found explains its own knot and all within it, and knots
        that touch its own are probably more of the same.
        """
        knots = self.knots
        if ordinary:
            inside = near <= knots.radius
            self._against[inside] += np.log(knots.contrast[inside])
            return
        own = np.flatnonzero(knots.point == point)
        extent = knots.radius[own[np.argmax(knots.surprise[own])]] if own.size else 0.0
        self._against[near <= np.maximum(knots.radius, extent)] = np.inf
        self._known[near <= knots.radius + extent] = _MORE_OF_THE_SAME

    def best(self, points: OpenPoints) -> tuple[int, float]:
        """Return the knot to ask about and the chance that its centre shows a new class.

        It is -1 if answers explain them all. The chance is that the knot is real, times that a
        record in it is not an ordinary one, times that its class is not known.
        """
        knots = self.knots
        odds = knots.surprise - self._against - self._tries
        chance = -np.logaddexp(0.0, -odds) + self._excess + self._known
        chance[~points.allowed[knots.point]] = -np.inf
        best = chance.max(initial=-np.inf)
        if best == -np.inf:
            return -1, 0.0
        top = np.flatnonzero(chance == best)
        return int(top[np.argmin(points.priority[knots.point[top]])]), float(np.exp(best))
