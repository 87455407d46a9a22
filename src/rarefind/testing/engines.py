"""What every engine must satisfy: its answers are those of the whole matrix of distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.geometry import Engine, reach
from rarefind.testing.rules import RuleBrokenError, judge, require, require_equal, shown

_TOLERANCE = 1e-7
"""Distances may differ by this share of the largest: through a kernel, digits are lost."""

_ASKED = 10
"""Records asked about, and radii and numbers of neighbours tried, at most."""


def check_engine(engine: Engine, distances: ArrayLike) -> None:
    """Raise AssertionError, in words, unless an engine answers as its distances say.

    Every question discovery asks is answered from the matrix of all distances as well, in the
    most obvious way. Radii are distances from the matrix, so that records lie right on the
    border, where they count as inside.

    Parameters
    ----------
    engine
        The engine, over two records or more; with ties, copies and weights more is tried.
    distances
        The distance of each of its records from each, computed in any way that is right.

    Examples
    --------
    >>> from scipy.spatial.distance import cdist
    >>> from rarefind.geometry import TreeEngine
    >>> vectors = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [5.0, 5.0]])
    >>> check_engine(TreeEngine(vectors), cdist(vectors, vectors))
    """
    matrix = np.asarray(distances, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise ValueError(
            "check_engine needs the distances of two records or more from each other, a square "
            f"matrix. Got shape {matrix.shape}."
        )
    judge(type(engine).__name__, RULES, _Tried(engine, matrix))


@dataclass
class _Tried:
    engine: Engine
    matrix: FloatArray

    def __post_init__(self) -> None:
        n = len(self.matrix)
        random = np.random.default_rng(0)
        self.points: IntArray = random.permutation(n)[:_ASKED]
        self.near = _TOLERANCE * float(self.matrix.max())
        apart = np.unique(self.matrix[self.matrix > self.near])
        chosen = np.unique(np.linspace(0, len(apart) - 1, _ASKED).astype(int))
        self.radii: list[float] = apart[chosen].tolist()

    @property
    def weights(self) -> IntArray:
        return self.engine.weights

    def same(self, found: Any, expected: FloatArray | float, what: str) -> None:
        require_equal(np.shape(found), np.shape(expected), f"The shape of {what}")
        away = np.abs(np.subtract(found, expected))
        worst = np.unravel_index(int(np.argmax(away)), np.shape(away))
        require(
            np.max(away, initial=0.0) <= self.near,
            f"{what} has {np.asarray(found)[worst]:.9g} where {np.asarray(expected)[worst]:.9g} "
            "is right.",
        )

    def inside(self, points: IntArray, radius: float | FloatArray) -> IntArray:
        """Count within radii, one for all or one for each, their border included."""
        limits = np.broadcast_to(reach(radius), len(points))
        within: IntArray = (self.matrix[points] <= limits[:, None]) @ self.weights
        return within


def _weights(tried: _Tried) -> None:
    """n, weights and total say how many records there are and how many each stands for."""
    engine = tried.engine
    require_equal(engine.n, len(tried.matrix), "n")
    require_equal(np.shape(engine.weights), (engine.n,), "The shape of the weights")
    whole = np.issubdtype(np.asarray(engine.weights).dtype, np.integer)
    require(whole and (engine.weights >= 1).all(), f"The weights are {shown(engine.weights)}.")
    require_equal(engine.total, int(engine.weights.sum()), "total")


def _distances(tried: _Tried) -> None:
    """distances(p) tells how far p is from every record, and nobody is away from itself."""
    for point in tried.points.tolist():
        found = tried.engine.distances(point)
        tried.same(found, tried.matrix[point], f"distances({point})")
        require_equal(float(found[point]), 0.0, f"The distance of {point} from itself")


def _some_distances(tried: _Tried) -> None:
    """distances_to and distance tell the same as distances."""
    others = tried.points[::-1].copy()
    for point in tried.points.tolist():
        found = tried.engine.distances_to(point, others)
        tried.same(found, tried.matrix[point][others], f"distances_to({point}, {shown(others)})")
        other = int(others[0])
        one = tried.engine.distance(point, other)
        tried.same(one, float(tried.matrix[point, other]), f"distance({point}, {other})")


def _counts(tried: _Tried) -> None:
    """counts(r) tells how many records lie within r of each, those right at r and itself too."""
    everybody = np.arange(tried.engine.n)
    for radius in [0.0, *tried.radii]:
        found = tried.engine.counts(radius)
        _compare_counts(found, tried.inside(everybody, radius), everybody, f"counts({radius:.9g})")


def _counts_of_some(tried: _Tried) -> None:
    """counts(r, points) tells it of these, in their order; r may be one for each."""
    points = tried.points
    for radius in tried.radii:
        what = f"counts({radius:.9g}, points)"
        expected = tried.inside(points, radius)
        _compare_counts(tried.engine.counts(radius, points), expected, points, what)
    own = np.resize(np.array(tried.radii), len(points))
    expected = tried.inside(points, own)
    _compare_counts(
        tried.engine.counts(own, points), expected, points, "counts(one for each, points)"
    )


def _bound(tried: _Tried) -> None:
    """counts_bound(r, points) is no less than counts(r, points)."""
    for radius in tried.radii:
        found = tried.engine.counts_bound(radius, tried.points)
        expected = tried.inside(tried.points, radius)
        for place in np.flatnonzero(np.asarray(found) < expected)[:1]:
            point = tried.points[place]
            raise RuleBrokenError(
                f"Within {radius:.9g} of record {point} it says at most {found[place]}, "
                f"and there are {expected[place]}."
            )


def _nearest(tried: _Tried) -> None:
    """nearest(k) tells the k nearest others of each, nearest first, and how far they are."""
    n = tried.engine.n
    for k in sorted({1, 2, n // 2, n - 1, n + 3} - {0}):
        _compare_nearest(tried, tried.engine.nearest(k), np.arange(n), k)


def _nearest_of_some(tried: _Tried) -> None:
    """nearest(k, points) tells it of these, in their order."""
    for k in sorted({1, min(5, tried.engine.n - 1)}):
        _compare_nearest(tried, tried.engine.nearest(k, tried.points), tried.points, k)


def _least(tried: _Tried) -> None:
    """least_kth_distance(k) is the least of all positive distances to the k-th of the others."""
    every = np.repeat(np.arange(tried.engine.n), tried.weights)
    ordered = np.sort(tried.matrix[:, every], axis=1)
    for k in sorted({1, 2, len(every) // 3, len(every) - 1} - {0}):
        positive = ordered[:, k][ordered[:, k] > tried.near]
        expected = min(positive) if len(positive) else min(tried.radii)
        found = tried.engine.least_kth_distance(k)
        tried.same(found, float(expected), f"least_kth_distance({k})")


def _smallest(tried: _Tried) -> None:
    """smallest_within finds the least value within r of a record; of equal ones the first."""
    values = np.random.default_rng(1).integers(0, 4, size=tried.engine.n).astype(float)
    for point in tried.points.tolist():
        for radius in [0.0, *tried.radii]:
            inside = np.flatnonzero(tried.matrix[point] <= reach(radius))
            best = int(inside[np.argmin(values[inside])])
            found = tried.engine.smallest_within(values, point, radius)
            what = f"smallest_within(values, {point}, {radius:.9g})"
            require_equal(tuple(found), (float(values[best]), best), what)


def _diameter(tried: _Tried) -> None:
    """diameter_bound() is a distance that no two records exceed."""
    bound, largest = tried.engine.diameter_bound(), float(tried.matrix.max())
    require(bound >= largest - tried.near, f"It says {bound:.9g}, and two are {largest:.9g} apart.")


def _subset(tried: _Tried) -> None:
    """subset(points) is an engine that knows only these, renumbered, with their weights."""
    points = np.sort(tried.points)[: max(2, len(tried.points) // 2)]
    part = tried.engine.subset(points)
    require_equal(part.weights, tried.weights[points], "The weights of the part")
    smaller = _Tried(part, tried.matrix[np.ix_(points, points)])
    for rule in (_weights, _distances, _counts, _nearest):
        rule(smaller)


def _handed_over(tried: _Tried) -> None:
    """What an engine returns belongs to the caller: changing it changes no later answer."""
    before = _answers(tried)
    kept = [answer.copy() for answer in before]
    for answer in before:
        answer[...] = 7
    for now, expected in zip(_answers(tried), kept, strict=True):
        require_equal(now, expected, "An answer asked for again")


def _answers(tried: _Tried) -> list[Any]:
    engine, point = tried.engine, int(tried.points[0])
    return [engine.distances(point), engine.counts(tried.radii[0]), *engine.nearest(1)]


def _compare_counts(found: Any, expected: IntArray, points: IntArray, what: str) -> None:
    require_equal(np.shape(found), np.shape(expected), f"The shape of {what}")
    for place in np.flatnonzero(np.asarray(found) != expected)[:1]:
        raise RuleBrokenError(
            f"For record {points[place]}, {what} says {found[place]}, and there are "
            f"{expected[place]}."
        )


def _compare_nearest(tried: _Tried, found: Any, points: IntArray, k: int) -> None:
    distances, numbers = found
    others = tried.matrix[points].copy()
    others[np.arange(len(points)), points] = np.inf
    k = min(k, tried.engine.n - 1)
    what = f"nearest({k})"
    tried.same(distances, np.sort(others, axis=1)[:, :k], f"The distances of {what}")
    require_equal(np.shape(numbers), np.shape(distances), f"The shape of the numbers of {what}")
    for point, near in zip(points.tolist(), np.asarray(numbers).tolist(), strict=True):
        require(point not in near, f"Record {point} is named among its own others in {what}.")
        require(len(set(near)) == k, f"For record {point}, {what} names {near}, one of them twice.")
    tried.same(
        np.take_along_axis(tried.matrix[points], np.asarray(numbers), axis=1),
        distances,
        f"What {what} names",
    )


RULES = (
    _weights,
    _distances,
    _some_distances,
    _counts,
    _counts_of_some,
    _bound,
    _nearest,
    _nearest_of_some,
    _least,
    _smallest,
    _diameter,
    _subset,
    _handed_over,
)
"""In the order in which they are tried."""
