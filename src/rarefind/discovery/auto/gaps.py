"""A few records close together with nobody near them: groups too small to be told from chance.

Four to six records are too few for a knot. What tells them is the gap around them: the next record
is many times as far as those inside. Where density is smooth, k - 1 records lie within r although
the next one is at R with a chance of (r/R)^((k - 1) d) in d dimensions. Real data are full of gaps,
so the gaps of all other records tell how wide they are by chance; a question about one promises the
chance that it is none of these, times what such questions have paid in this hunt.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, quantile
from rarefind.discovery.auto.evidence import apart, evidence
from rarefind.discovery.auto.knots import intrinsic_dimension
from rarefind.discovery.contract.open_points import OpenPoints

SIZES = (4, 5, 6)
"""Records of a group, the one in its middle included; more than these are knots."""

_SPREAD = 20
"""Neighbours that tell in how many directions records spread: as for knots."""

_TOUCHES = 1.0 - 1e-9
"""A label at the gap's edge itself is outside, whatever rounding says."""


class Gaps:
    """Finds the group with the widest gap around it, as long as no label is within the gap.

    Parameters
    ----------
    distances
        Distances of the nearest neighbours of every point, nearest first.
    away
        Tells how far every point is from those labelled and held, given the held points and
        which are labelled.

    Attributes
    ----------
    size, radius, gap
        How many records the group of every point has, how far its farthest member lies, and the
        next record after it.
    evidence
        Minus the logarithm of the chance of such a gap anywhere in such data.
    """

    def __init__(
        self, distances: FloatArray, away: Callable[[IntArray, BoolArray], FloatArray]
    ) -> None:
        self._away = away
        # Copies and rounding make no gap: distances below the smallest of a fiftieth are alike.
        nearest = distances[:, 0]
        floor = quantile(nearest[nearest > 0], 0.02) if (nearest > 0).any() else 1.0
        reached = np.maximum(distances[:, :_SPREAD], floor)
        dimension = intrinsic_dimension(reached)
        sizes = [size for size in SIZES if size <= reached.shape[1]]
        scores = [
            (size - 1) * dimension * np.log(reached[:, size - 1] / reached[:, size - 2])
            for size in sizes
        ]
        # Of each size by far most are made by chance, and tell how wide such gaps are here.
        places = len(sizes) * len(distances)
        worth = [evidence(apart(score, dimension), score, places, places) for score in scores]
        everybody = np.arange(len(distances))
        best = np.argmax(worth, axis=0) if sizes else np.zeros(len(distances), dtype=np.int64)
        self.evidence = np.asarray(worth)[best, everybody] if sizes else np.zeros(len(distances))
        self.size: IntArray = np.asarray(sizes or [1])[best]
        self.radius: FloatArray = distances[everybody, np.maximum(self.size - 2, 0)]
        last = distances.shape[1] - 1
        self.gap: FloatArray = distances[everybody, np.minimum(self.size - 1, last)]

    def best(
        self,
        points: OpenPoints,
        held: IntArray,
        asked: BoolArray,
        weight: FloatArray | None = None,
    ) -> int:
        """Return the point to ask about, given those held and which are labelled.

        How much points count besides plays no part: a gap is judged by its width alone.
        """
        untouched = points.allowed & (self._away(held, asked) >= self.gap * _TOUCHES)
        return points.best(self.evidence, untouched if untouched.any() else None)

    def chance(self, points: OpenPoints, held: IntArray, asked: BoolArray) -> float:
        """Return the chance that the gap there is real; none once labels are within every gap."""
        point = self.best(points, held, asked)
        if self._away(held, asked)[point] < self.gap[point] * _TOUCHES:
            return 0.0
        return float(np.exp(-np.logaddexp(0.0, -self.evidence[point])))
