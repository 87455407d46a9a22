"""Engines that break one rule each."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from rarefind.geometry import BlockEngine, Engine, Euclidean
from rarefind.testing import check_engine
from rarefind.testing.engines import RULES
from tests.testing.broken import assert_breaks, assert_every_rule_is_tried

GRID = np.array([[x, y] for x in range(4) for y in range(3)], dtype=float)
WEIGHTS = np.arange(len(GRID)) % 3 + 1
FULL = cdist(GRID, GRID)


class Obvious(Engine):
    """Answers from the whole matrix."""

    def __init__(self, matrix=FULL, weights=WEIGHTS):
        super().__init__(len(matrix), weights)
        self.matrix = matrix

    def distances(self, point):
        return self.matrix[point].copy()

    def counts(self, radius, points=None):
        rows = np.arange(self.n) if points is None else points
        limits = np.broadcast_to(radius, len(rows)) * self.slack
        return (self.matrix[rows] <= limits[:, None]) @ self.weights

    slack = 1 + 1e-9

    def nearest(self, k, points=None):
        rows = np.arange(self.n) if points is None else points
        others = self.matrix[rows].copy()
        others[np.arange(len(rows)), rows] = np.inf
        numbers = np.argsort(others, axis=1, kind="stable")[:, : min(k, self.n - 1)]
        return np.take_along_axis(others, numbers, axis=1), numbers

    def subset(self, points):
        return Obvious(self.matrix[np.ix_(points, points)], self.weights[points])


class Miscounted(Obvious):
    def __init__(self):
        super().__init__()
        self.total = self.n


class SquaredDistances(Obvious):
    def distances(self, point):
        return super().distances(point) ** 2


class AwayFromItself(Obvious):
    def distances(self, point):
        return np.maximum(super().distances(point), 1e-9)


class OthersInOrder(Obvious):
    def distances_to(self, point, others):
        return super().distances_to(point, np.sort(others))


class BordersOutside(Obvious):
    slack = 1 - 1e-9


class CountsPointsNotRecords(Obvious):
    def counts(self, radius, points=None):
        limits = np.broadcast_to(radius, self.n) * self.slack
        return (self.matrix <= limits[:, None]).sum(axis=1)


class OneRadiusForAll(Obvious):
    def counts(self, radius, points=None):
        return super().counts(np.min(radius), points)


class BoundsTooLow(Obvious):
    def counts_bound(self, radius, points):
        return self.counts(radius / 2, points)


class ItsOwnNeighbour(Obvious):
    def nearest(self, k, points=None):
        distances, numbers = super().nearest(k, points)
        numbers[:, 0] = np.arange(self.n) if points is None else points
        return distances, numbers


class TheSameTwice(Obvious):
    def nearest(self, k, points=None):
        distances, numbers = super().nearest(k, points)
        numbers[:, -1] = numbers[:, 0]
        return distances, numbers


class FarthestFirst(Obvious):
    def nearest(self, k, points=None):
        distances, numbers = super().nearest(k, points)
        return distances[:, ::-1], numbers[:, ::-1]


class SortsThePoints(Obvious):
    def nearest(self, k, points=None):
        return super().nearest(k, points if points is None else np.sort(points))


class ForgetsWeights(Obvious):
    def least_kth_distance(self, k):
        return float(np.sort(self.matrix, axis=1)[:, min(k, self.n - 1)].min())


class LastOfEquals(Obvious):
    def smallest_within(self, values, point, radius):
        inside = np.flatnonzero(self.distances(point) <= radius * self.slack)[::-1]
        best = int(inside[np.argmin(values[inside])])
        return float(values[best]), best


class HalfTheWidth(Obvious):
    def diameter_bound(self):
        return float(self.matrix.max()) / 2


class PartWithoutWeights(Obvious):
    def subset(self, points):
        return Obvious(self.matrix[np.ix_(points, points)], np.ones(len(points), dtype=int))


class HandsOutItsOwn(Obvious):
    def __init__(self):
        super().__init__(FULL.copy())

    def distances(self, point):
        return self.matrix[point]


BROKEN = [
    (Miscounted, "n, weights and total", "total: expected 24, got 12."),
    (SquaredDistances, "distances(p) tells", "distances("),
    (AwayFromItself, "distances(p) tells", "from itself: expected 0.0, got 1e-09."),
    (OthersInOrder, "distances_to and distance", "is right."),
    (BordersOutside, "counts(r) tells", "counts(1) says"),
    (CountsPointsNotRecords, "counts(r) tells", "counts(0) says 1, and there are 2."),
    (OneRadiusForAll, "counts(r, points)", "counts(one for each, points) says"),
    (BoundsTooLow, "counts_bound(r, points)", "it says at most"),
    (ItsOwnNeighbour, "nearest(k) tells", "is named among its own others in nearest(1)."),
    (TheSameTwice, "nearest(k) tells", "one of them twice."),
    (FarthestFirst, "nearest(k) tells", "The distances of nearest("),
    (SortsThePoints, "nearest(k, points)", "nearest(1)"),
    (ForgetsWeights, "least_kth_distance(k)", "is right."),
    (LastOfEquals, "smallest_within finds", "smallest_within(values, "),
    (HalfTheWidth, "diameter_bound()", "It says 1.80277564, and two are 3.60555128 apart."),
    (PartWithoutWeights, "subset(points)", "The weights of the part: expected"),
    (HandsOutItsOwn, "What an engine returns", "An answer asked for again: expected"),
]


@pytest.mark.parametrize(("kind", "rule", "example"), BROKEN)
def test_an_engine_that_breaks_a_rule_is_told_which(kind, rule, example):
    assert_breaks(lambda: check_engine(kind(), FULL), rule, example)


def test_every_rule_is_broken_here_and_the_one_they_all_derive_from_breaks_none():
    assert_every_rule_is_tried(RULES, [rule for _, rule, _ in BROKEN])
    check_engine(Obvious(), FULL)


def test_an_engine_of_other_records_is_found_out():
    with pytest.raises(AssertionError, match="BlockEngine breaks the rule: n, weights and total"):
        check_engine(BlockEngine(Euclidean(), GRID[:5]), FULL)


@pytest.mark.parametrize("matrix", [FULL[:3], np.zeros((1, 1)), np.zeros(4)])
def test_what_is_no_matrix_of_distances_is_refused(matrix):
    with pytest.raises(ValueError, match="check_engine needs the distances of two records or more"):
        check_engine(Obvious(), matrix)
