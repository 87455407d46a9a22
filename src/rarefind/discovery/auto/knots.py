"""Knots: groups of records that lie denser than the records just around them, at every scale.

Candidates come from neighbour distances: records whose k-th neighbour is nearer than it is for the
records just outside. Larger knots are found the same way among a random half, quarter, eighth, ...
of the records. Each candidate is then measured with all records. In a ball of five times the
volume around a knot, a record lies in the knot with a chance of one in five where the density is
smooth; the binomial distribution tells how surprising the number found there is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from rarefind.core.arrays import FloatArray, IntArray, quantile
from rarefind.core.progress import announce, part_of_work
from rarefind.discovery.auto.evidence import apart, evidence
from rarefind.geometry import Engine

VOLUME = 5.0
"""Volume of the ball a knot is compared with: wide enough to leave a small class, too narrow for
the crowd's own slopes to matter."""

_CANDIDATES = 500
"""Knots of one size and thinning that are measured with all records: those of highest contrast."""

SIZES = (6, 9, 13)
"""Knot sizes tried at each thinning, a factor of about 1.45 apart; halving continues the ladder.
Fewer than seven records together cannot be told from chance."""

RING = 3
"""A knot of k records is compared with its neighbours number k+1 to 3k: those just outside."""

NEIGHBOURS = RING * SIZES[-1]
"""How many neighbours of each record the search for knots looks at."""

_MOST_SURPRISE = 700.0
"""Beyond this the chance is too small for a floating-point number."""

_LEAST_SURPRISE = 3.0
"""Knots that chance makes more often than once in e³ = 20 are left out."""

_LARGEST_SHARE = 0.1
"""A knot of more than a tenth of all records is not a rare class."""

_SPREAD = 20
"""Neighbours that tell in how many directions records spread: enough to be sure, and still near."""

_FEWEST = 150
"""Thinning stops here: among fewer records, 39 neighbours are no longer near."""


@dataclass(frozen=True)
class Knots:
    """Every knot found.

    Attributes
    ----------
    point, radius, size
        Its centre, its radius, and the records within.
    surprise
        Minus the logarithm of the chance of so many records in it.
    contrast
        How much denser it is than its surroundings.
    evidence
        Minus the logarithm of the chance of such a knot anywhere in such data.
    """

    point: IntArray
    radius: FloatArray
    size: IntArray
    surprise: FloatArray
    contrast: FloatArray
    evidence: FloatArray


_FIRST, _NEXT, _COUNTING = 0.12, 0.35, 0.25
"""How long the first look takes of all, a thinning of what is left, and counting of that: between
what was measured among 26,000 and 95,000 records of kdd99_10."""

_COLUMNS = ("point", "radius", "size", "surprise", "contrast", "evidence")
"""The fields of ``Knots``, in their order."""


def find_knots(engine: Engine, near: tuple[FloatArray, IntArray], order: IntArray) -> Knots:
    """Find the knots at every scale.

    Parameters
    ----------
    engine
        Knows the records.
    near
        Distances and numbers of the nearest neighbours of every record.
    order
        A random order of all records; the first half of it is the first thinning, and so on.
    """
    points, thinning = np.arange(engine.n), 1
    found: list[Knots] = []
    measured, places = 0, 0
    begun, done = 0.0, _FIRST
    while True:
        places += len(SIZES) * len(points)
        with part_of_work(done - (_COUNTING * (done - begun) if thinning > 1 else done), done):
            for knots, candidates in _knots(points, thinning, *near, engine):
                found.append(knots)
                measured += candidates
        thinning *= 2
        fewer = engine.n // thinning
        if fewer < _FEWEST or SIZES[0] * thinning > _LARGEST_SHARE * engine.n:
            break
        announce("looking for knots", done, 1)
        points = np.sort(order[:fewer])
        begun, done = done, done + (1.0 - done) * _NEXT
        with part_of_work(begun, done - _COUNTING * (done - begun)):
            near = engine.subset(points).nearest(NEIGHBOURS)
    knots = Knots(*(_joined([getattr(knots, name) for knots in found]) for name in _COLUMNS))
    return replace(knots, evidence=evidence(knots.evidence, knots.surprise, measured, places))


def intrinsic_dimension(distances: FloatArray) -> float:
    """Estimate in how many directions records spread, from neighbour distances (Levina, Bickel)."""
    if distances.shape[1] < 3:
        return 1.0
    spread = np.log(distances[:, -1:] / distances[:, :-1]).mean(axis=1)
    spread = spread[spread > 0]
    return float(1.0 / np.median(spread)) if len(spread) else 1.0


def directions(distances: FloatArray) -> float:
    """Estimate the same where some distances are nothing but rounding or repetition."""
    floor = _rounding(distances)
    return 1.0 if floor is None else intrinsic_dimension(np.maximum(distances[:, :_SPREAD], floor))


def _rounding(distances: FloatArray) -> float | None:
    """Return the radius below which there is rounding or repetition, not density; None if all is.

    That is the smallest per cent. A floor keeps the logarithm of radii in bounds.
    """
    third = distances[:, min(2, distances.shape[1] - 1)]
    return quantile(third[third > 0], 0.01) if (third > 0).any() else None


def _knots(
    points: IntArray, thinning: int, distances: FloatArray, numbers: IntArray, engine: Engine
) -> list[tuple[Knots, int]]:
    """Find the knots among one thinning of the points, and of how many candidates, by size."""
    floor = _rounding(distances)
    if floor is None:
        return []
    distances = np.maximum(distances, floor)
    dimension = intrinsic_dimension(distances[:, :_SPREAD])
    found = []
    for place, k in enumerate(SIZES):
        too_large = thinning > 1 and k * thinning > _LARGEST_SHARE * engine.n
        if RING * k > distances.shape[1] or too_large:
            break
        radius = _radius(k, -(-engine.weights[points] // thinning), distances, numbers)
        around = np.median(radius[numbers[:, k : RING * k]], axis=1)
        with np.errstate(over="ignore"):  # in very many dimensions: infinite, and first in order
            contrast = (around / radius) ** dimension
        likely = np.argsort(-contrast, kind="stable")[:_CANDIDATES]
        likely = likely[contrast[likely] > 1.0]
        with part_of_work(place / len(SIZES), (place + 1) / len(SIZES)):
            knots = _measured(points[likely], radius[likely], dimension, engine)
        found.append((knots, len(likely)))
    return found


def _measured(points: IntArray, radius: FloatArray, dimension: float, engine: Engine) -> Knots:
    """Count the records in each knot and around it, and say how surprising that is."""
    inside = engine.counts(radius, points)
    whole = engine.counts(radius * VOLUME ** (1.0 / dimension), points)
    # The chance of at least as many others inside: the upper tail of a binomial distribution.
    chance = betainc(inside - 1, whole - inside + 1, 1.0 / VOLUME)
    with np.errstate(divide="ignore"):  # too small a chance for a number: surprising enough
        surprise = np.minimum(-np.log(chance), _MOST_SURPRISE)
    # Seen from its own centre, which is always inside.
    contrast = (VOLUME - 1.0) * (inside - 1) / np.maximum(whole - inside, 0.5)
    kept = np.flatnonzero(surprise >= _LEAST_SURPRISE)
    above = apart(surprise, dimension)[kept]
    points, radius, inside = points[kept], radius[kept], inside[kept]
    return Knots(points, radius, inside, surprise[kept], contrast[kept], above)


def _radius(k: int, weights: IntArray, distances: FloatArray, numbers: IntArray) -> FloatArray:
    """Distance to the k-th other record; a point of weight w is w records in one place."""
    if weights.max() == 1:
        return distances[:, k - 1]
    reached = np.cumsum(np.column_stack([weights - 1, weights[numbers[:, :k]]]), axis=1)
    padded = np.column_stack([np.full(len(distances), distances.min()), distances[:, :k]])
    place = np.minimum((reached < k).sum(axis=1), k)
    return padded[np.arange(len(distances)), place]


def _joined(columns: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(columns) if columns else np.empty(0, dtype=np.int64)
