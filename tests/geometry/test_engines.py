from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from rarefind.geometry import (
    BlockEngine,
    Euclidean,
    KernelDistance,
    Precomputed,
    TreeEngine,
    distance_space,
    fold,
    folding,
    thresholds,
)
from rarefind.geometry.engines.choice import slow_engine
from rarefind.geometry.neighbours.tree_order import nearest_in_order
from rarefind.kernels import Linear
from rarefind.testing import check_engine

# Small whole numbers make ties and identical records common.
lattices = arrays(np.int64, st.tuples(st.integers(3, 14), st.just(2)), elements=st.integers(-3, 3))


def engines(points, weights):
    return [
        TreeEngine(points, weights),
        BlockEngine(Euclidean(), points, weights),
        BlockEngine(Euclidean(), sparse.csr_array(points), weights),
        BlockEngine(KernelDistance(Linear()), points, weights),
        slow_engine(KernelDistance(Linear()), points, weights),
    ]


@settings(max_examples=25, deadline=None)
@given(lattices)
def test_every_engine_answers_as_the_matrix_of_all_distances_does(X):
    folded = fold(X.astype(float))
    if len(folded.records) < 2:
        return
    full = cdist(folded.records, folded.records)
    for engine in engines(folded.records, folded.weights):
        check_engine(engine, full)


@pytest.mark.parametrize("columns", [2, 6, 20])
def test_every_engine_answers_for_more_records_than_it_takes_at_a_time(columns):
    X = np.random.default_rng(0).normal(size=(200, columns))
    for engine in engines(X, None):
        check_engine(engine, cdist(X, X))


def test_boxes_answer_as_the_matrix_of_all_distances_does(monkeypatch):
    monkeypatch.setattr(thresholds, "BOXED_QUERIES", 20)
    X = np.random.default_rng(0).normal(size=(200, 6))
    check_engine(TreeEngine(X, boxed=True), cdist(X, X))


def test_given_distances_are_answered_from():
    X = np.random.default_rng(1).normal(size=(30, 3))
    check_engine(distance_space(Precomputed(cdist(X, X))).engine, cdist(X, X))


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
