from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from rarefind.geometry import BlockEngine, Euclidean, KernelDistance, TreeEngine, fold, folding
from rarefind.geometry.neighbours.tree_order import nearest_in_order
from rarefind.kernels import Linear

# Small whole numbers make ties and identical records common.
lattices = arrays(np.int64, st.tuples(st.integers(3, 14), st.just(2)), elements=st.integers(-3, 3))


def engines(points, weights):
    return [
        TreeEngine(points, weights),
        BlockEngine(Euclidean(), points, weights),
        BlockEngine(Euclidean(), sparse.csr_array(points), weights),
        BlockEngine(KernelDistance(Linear()), points, weights),
    ]


@settings(max_examples=60, deadline=None)
@given(lattices, st.data())
def test_every_engine_answers_as_the_full_matrix_of_all_rows_does(X, data):
    X = X.astype(float)
    folded = fold(X)
    if len(folded.records) < 2:
        return
    full = cdist(X, X)
    first = [int(np.flatnonzero(folded.point_of == p)[0]) for p in range(len(folded.records))]
    k = data.draw(st.integers(1, len(X) - 1))
    radius = data.draw(st.sampled_from(sorted(set(full[full > 0].tolist()))))
    kth = np.sort(full, axis=1)[:, k]
    least = kth[kth > 0].min() if (kth > 0).any() else full[full > 0].min()
    values = np.arange(len(folded.records), dtype=float)[::-1].copy()
    for engine in engines(folded.records, folded.weights):
        np.testing.assert_allclose(engine.distances(0), full[0][first], atol=1e-7)
        some = np.array([engine.n - 1, 0])
        np.testing.assert_array_equal(engine.distances_to(0, some), engine.distances(0)[some])
        inside = (full <= radius + 1e-9).sum(axis=1)
        np.testing.assert_array_equal(engine.counts(radius), inside[first])
        assert engine.least_kth_distance(k) == pytest.approx(least, abs=1e-7)
        near = np.flatnonzero(full[0][first] <= radius + 1e-9)
        assert engine.smallest_within(values, 0, radius) == (values[near].min(), near.max())
        distances, numbers = engine.nearest(2)
        expected = np.sort(full[np.ix_(first, first)], axis=1)[:, 1:3]
        np.testing.assert_allclose(distances, expected, atol=1e-7)
        assert (numbers != np.arange(len(first))[:, None]).all()
        assert engine.diameter_bound() >= full.max() - 1e-9


def test_a_subset_of_records_is_answered_like_the_whole():
    X = np.random.default_rng(0).normal(size=(200, 3))
    some = np.array([5, 17, 99])
    for engine in engines(X, None):
        np.testing.assert_array_equal(engine.counts(0.8, some), engine.counts(0.8)[some])
        own = np.array([0.2, 0.8, 1.5])
        each = [engine.counts(radius, some[[place]])[0] for place, radius in enumerate(own)]
        np.testing.assert_array_equal(engine.counts(own, some), each)
        whole = engine.nearest(4)
        part = engine.nearest(4, some)
        np.testing.assert_array_equal(part[1], whole[1][some])
        smaller = engine.subset(np.arange(50, 100))
        np.testing.assert_allclose(smaller.distances(3), engine.distances(53)[50:100], atol=1e-9)
        np.testing.assert_array_equal(smaller.weights, 1)


@given(arrays(np.float64, (8, 2), elements=st.sampled_from([-1.0, -0.0, 0.0, 1.0])))
def test_folding_loses_nothing_and_joins_only_equals(X):
    folded = fold(X)
    np.testing.assert_array_equal(np.asarray(folded.records)[folded.point_of], X)
    assert len({tuple(row) for row in (X + 0.0).tolist()}) == len(folded.records)
    assert folded.weights.sum() == len(X)
    again = fold(sparse.csr_array(X))
    np.testing.assert_array_equal(again.point_of, folded.point_of)


def test_rows_that_mix_up_to_the_same_number_are_told_apart(monkeypatch):
    X = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]])
    expected = fold(X)
    monkeypatch.setattr(folding, "mixed_words", lambda words: np.zeros(len(words), np.uint64))
    np.testing.assert_array_equal(fold(X).point_of, expected.point_of)


@settings(max_examples=40, deadline=None)
@given(lattices, st.integers(1, 20), st.integers(0, 3))
def test_of_equally_near_records_a_tree_finds_the_lower_numbers(X, k, seed):
    X = fold(np.vstack([X, 2 * X]).astype(float)).records
    k = min(k, len(X))
    full = cdist(X, X)
    order = np.lexsort((np.broadcast_to(np.arange(len(X)), full.shape), full), axis=1)[:, :k]
    tree = cKDTree(X, leafsize=2 + seed)
    distances, numbers = nearest_in_order(tree, X, k)
    np.testing.assert_array_equal(numbers, order)
    np.testing.assert_array_equal(distances, np.take_along_axis(full, order, axis=1))


@pytest.mark.parametrize("kind", [np.float32, np.int16, np.bool_])
def test_rows_of_any_kind_of_number_are_folded(kind):
    X = np.random.default_rng(0).integers(0, 2, size=(60, 3)).astype(kind)
    folded = fold(X)
    assert len(folded.records) == len({tuple(row) for row in X.tolist()})
    np.testing.assert_array_equal(folded.records[folded.point_of], X)


@pytest.mark.parametrize("far", [0.0, 1e6])
def test_neighbours_of_many_dimensional_vectors_are_those_of_the_full_matrix(far):
    X = np.random.default_rng(1).normal(size=(300, 20)) + far
    full = cdist(X, X)
    np.fill_diagonal(full, np.inf)
    some = np.array([3, 7, 250])
    for rows in (None, some):
        asked = np.arange(300) if rows is None else rows
        distances, numbers = BlockEngine(Euclidean(), X).nearest(9, rows)
        np.testing.assert_allclose(distances, np.sort(full[asked], axis=1)[:, :9], rtol=1e-7)
        np.testing.assert_array_equal(numbers, np.argsort(full[asked], axis=1)[:, :9])
