from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from rarefind.core import threads
from rarefind.geometry import TreeEngine
from rarefind.geometry.neighbours.tiles import Tiles


def weigh_by_definition(X, weights, queries, limits):
    return (cdist(queries, X) <= limits[:, None]) @ weights


@st.composite
def crowds(draw):
    """Records on a lattice, where distances tie, with a few far out, some standing for many."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, dimensions = draw(st.integers(1, 300)), draw(st.integers(1, 5))
    X = random.integers(-4, 5, size=(n, dimensions)) * draw(st.sampled_from([1.0, 0.1, 1e-7, 1e9]))
    far = random.random(n) < 0.05
    X[far] *= draw(st.sampled_from([1.0, 1e6, 1e30, 1e100]))
    heavy = draw(st.sampled_from([2, 50, 2**40]))
    return X, random.integers(1, heavy, size=n), random


@settings(max_examples=80, deadline=None)
@given(crowds(), st.booleans())
def test_tiles_weigh_what_the_full_matrix_of_distances_says(crowd, own_radii):
    X, weights, random = crowd
    full = cdist(X, X)
    # A radius that is one of the distances puts records right on the border.
    limits = random.choice(full.ravel(), size=len(X) if own_radii else 1) * (1 + 1e-9)
    limits = np.broadcast_to(limits, len(X))
    order = cKDTree(X).indices
    tiles = Tiles(X, weights, order)
    expected = weigh_by_definition(X, weights, X[order], limits)
    np.testing.assert_array_equal(tiles.counts(X[order], limits), expected)
    assert (tiles.counts(X[order], limits, exact=False) >= expected).all()


def test_the_quick_bound_is_close_to_the_truth():
    X = np.random.default_rng(0).normal(size=(2000, 6))
    order = cKDTree(X).indices
    tiles = Tiles(X, np.ones(2000, dtype=np.int64), order)
    limits = np.full(2000, 1.3)
    counts = tiles.counts(X[order], limits)
    assert (tiles.counts(X[order], limits, exact=False) - counts).mean() < 0.1


@pytest.mark.parametrize("faster", [True, False])
@pytest.mark.parametrize("heaviest", [1, 9])
def test_the_tree_and_its_tiles_count_the_same(monkeypatch, faster, heaviest):
    random = np.random.default_rng(3)
    X = random.integers(0, 12, size=(700, 3)).astype(float)
    X = np.unique(X, axis=0)
    weights = random.integers(1, heaviest + 1, size=len(X))
    monkeypatch.setattr(TreeEngine, "tree_is_faster", lambda *_: faster)
    engine = TreeEngine(X, weights)
    full = cdist(X, X)
    some = random.permutation(len(X))[:211]
    np.testing.assert_array_equal(engine.counts(2.0), (full <= 2.0) @ weights)
    np.testing.assert_array_equal(engine.counts(2.0, some), ((full <= 2.0) @ weights)[some])
    own = random.uniform(0.0, 9.0, size=len(some))
    expected = (full[some] <= own[:, None]) @ weights
    np.testing.assert_array_equal(engine.counts(own, some), expected)
    for k in (1, 5, 60):
        reached = np.take_along_axis(
            np.sort(full, axis=1),
            ((np.cumsum(weights[np.argsort(full, axis=1, kind="stable")], axis=1) - 1) < k).sum(
                axis=1
            )[:, None],
            axis=1,
        )
        assert engine.least_kth_distance(k) == pytest.approx(reached[reached > 0].min(), rel=1e-8)


def test_answers_do_not_depend_on_the_number_of_threads(monkeypatch):
    X = np.random.default_rng(5).normal(size=(3000, 5))
    answers = []
    for number in (1, 3):
        monkeypatch.setattr(threads, "workers", lambda number=number: number)
        monkeypatch.setattr("rarefind.geometry.engines.tree.workers", lambda number=number: number)
        engine = TreeEngine(X)
        answers.append([engine.counts(1.0), *engine.nearest(7), engine.least_kth_distance(200)])
    for one, three in zip(*answers, strict=True):
        np.testing.assert_array_equal(one, three)


def test_neighbours_are_found_where_distances_vanish():
    X = np.array([[0.0], [1e-200], [2e-200], [1.0]])
    distances, numbers = TreeEngine(X).nearest(2)
    assert all(row not in near for row, near in enumerate(numbers.tolist()))
    assert distances[3].tolist() == [1.0, 1.0]
