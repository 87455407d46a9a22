from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from rarefind.geometry import TreeEngine, thresholds
from rarefind.geometry.neighbours.box_loops import BOX, GROUP
from rarefind.geometry.neighbours.boxes import BoxSearch, in_boxes
from rarefind.geometry.neighbours.tree_order import nearest_in_order

# Every number of dimensions is compiled anew, which takes seconds: five for all tests.
DIMENSIONS = 5


def nearest_by_definition(X, k):
    """Sort all others by their distances, measured as a tree does, and by their numbers."""
    distances, numbers = nearest_in_order(cKDTree(X), X, len(X))
    others = numbers != np.arange(len(X))[:, None]
    shape = len(X), len(X) - 1
    return distances[others].reshape(shape)[:, :k], numbers[others].reshape(shape)[:, :k]


@st.composite
def crowds(draw):
    """Records on a lattice, where distances tie, or anywhere; in few directions; some far out."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.sampled_from([2, 31, 33, 150, 320]))
    if draw(st.booleans()):
        X = random.integers(-9, 10, size=(n, DIMENSIONS)).astype(float)
    else:
        X = random.normal(size=(n, DIMENSIONS))
    X[:, draw(st.integers(1, DIMENSIONS)) :] = 0.0
    X *= draw(st.sampled_from([1.0, 0.1, 1e-9, 1e40]))
    X[random.random(n) < 0.05] *= draw(st.sampled_from([1.0, 1e-3, 1e6, 1e30]))
    return X + draw(st.sampled_from([0.0, 1e3])), random


@settings(max_examples=50, deadline=None)
@given(crowds(), st.integers(1, 40))
def test_boxes_find_what_all_distances_say_or_tell_that_they_cannot(crowd, k):
    X, random = crowd
    k = min(k, len(X) - 1)
    rows = random.permutation(len(X))[: random.integers(1, len(X) + 1)]
    distances, numbers, solved = BoxSearch(X, np.ones(len(X), dtype=np.int64)).nearest(rows, k)
    expected = nearest_by_definition(X, k)
    np.testing.assert_array_equal(distances[solved], expected[0][rows[solved]])
    np.testing.assert_array_equal(numbers[solved], expected[1][rows[solved]])


@settings(max_examples=50, deadline=None)
@given(crowds(), st.sampled_from([2, 50, 2**40]))
def test_boxes_weigh_what_all_distances_say(crowd, heavy):
    X, random = crowd
    full = cdist(X, X)
    weights = random.integers(1, heavy, size=len(X))
    rows = random.permutation(len(X))[: random.integers(1, len(X) + 1)]
    # A radius that is one of the distances puts records right on the border.
    limits = random.choice(full.ravel(), size=len(rows)) * (1 + 1e-9)
    expected = (full[rows] <= limits[:, None]) @ weights
    np.testing.assert_array_equal(BoxSearch(X, weights).counts(rows, limits), expected)


@pytest.mark.parametrize("kind", ["normal", "lattice"])
def test_an_engine_answers_the_same_with_boxes_and_without(monkeypatch, kind):
    monkeypatch.setattr(thresholds, "BOXED_QUERIES", 200)
    random = np.random.default_rng(0)
    X = random.normal(size=(5000, DIMENSIONS))
    if kind == "lattice":
        X = np.unique(np.round(X), axis=0)
    weights = random.integers(1, 4, size=len(X))
    boxed, plain = TreeEngine(X, weights, boxed=True), TreeEngine(X, weights, boxed=False)
    some = random.permutation(len(X))[: len(X) // 2]
    for points in (None, some):
        ours, theirs = boxed.nearest(39, points), plain.nearest(39, points)
        np.testing.assert_array_equal(ours[0], theirs[0])
        np.testing.assert_array_equal(ours[1], theirs[1])
        for radius in (0.0, 1.0, random.uniform(0.1, 4.0, size=len(ours[0])), 100.0):
            np.testing.assert_array_equal(
                boxed.counts(radius, points), plain.counts(radius, points)
            )
    assert boxed.subset(some).boxed
    assert not plain.subset(some).boxed


def test_rows_that_boxes_leave_open_are_answered_by_the_tree(monkeypatch):
    monkeypatch.setattr(thresholds, "BOXED_QUERIES", 100)
    random = np.random.default_rng(1)
    # A thousand records closer together than single precision can tell, beside one far away.
    X = np.vstack([random.normal(0.0, 1e-9, size=(1000, DIMENSIONS)), np.ones(DIMENSIONS)])
    _, _, solved = BoxSearch(X, np.ones(len(X), dtype=np.int64)).nearest(np.arange(len(X)), 10)
    assert not solved[:1000].any()
    ours = TreeEngine(X, boxed=True).nearest(10)
    theirs = TreeEngine(X, boxed=False).nearest(10)
    np.testing.assert_array_equal(ours[0], theirs[0])
    np.testing.assert_array_equal(ours[1], theirs[1])


@pytest.mark.parametrize(
    ("rows", "dimensions", "boxed"), [(50, 5, True), (50, 15, True), (49, 5, False), (50, 4, False)]
)
def test_only_many_records_of_several_dimensions_are_put_into_boxes(
    monkeypatch, rows, dimensions, boxed
):
    monkeypatch.setattr(thresholds, "BOXED_ROWS", 50)
    X = np.random.default_rng(0).normal(size=(rows, dimensions))
    assert TreeEngine(X).boxed == boxed


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 5 * BOX * GROUP), st.integers(0, 2**32 - 1))
def test_boxes_hold_every_record_once_and_halve_the_widest_side(n, seed):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    order = in_boxes(X)
    np.testing.assert_array_equal(np.sort(order), np.arange(n))
    if n > BOX * GROUP:
        groups = -(-n // (BOX * GROUP))
        middle = (groups + 1) // 2 * BOX * GROUP
        side = np.argmax(np.ptp(X, axis=0))
        assert X[order[:middle], side].max() <= X[order[middle:], side].min()
