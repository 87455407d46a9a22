from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from rarefind.core.errors import DataError
from rarefind.core.memory_guard import memory_limit
from rarefind.discovery import Hunt, discover
from rarefind.geometry import (
    BlockEngine,
    Precomputed,
    TreeEngine,
    kernel_space,
    thresholds,
    vector_space,
)
from rarefind.geometry.kept_distances import KeptDistances
from rarefind.kernels import Gaussian, Linear, Spectrum, VectorSpace

X = np.random.default_rng(0).normal(size=(60, 3))


def oracle(row):
    return "rare" if row < 4 else "ordinary"


def rows_asked(data, **options):
    return list(discover(data, oracle, "malice", 15, priors=[0.06], **options).labels)


def test_few_dimensions_get_a_tree_and_many_get_blocks():
    assert isinstance(vector_space(X).engine, TreeEngine)
    assert isinstance(vector_space(np.tile(X, 7)).engine, BlockEngine)
    assert isinstance(kernel_space(X, Linear()).engine, TreeEngine)  # its features are the vectors
    assert isinstance(kernel_space(X, Gaussian()).engine, BlockEngine)
    assert isinstance(
        kernel_space(["ab", "ba", "aa"], Spectrum(1)).engine, TreeEngine | BlockEngine
    )


def test_given_distances_and_a_given_gram_ask_what_the_vectors_ask():
    plain = rows_asked(X, kernel=Linear())
    assert rows_asked(Precomputed(cdist(X, X))) == plain
    assert rows_asked(X @ X.T, kernel="precomputed") == plain


def test_copies_are_folded_where_distances_are_given():
    copies = np.repeat(X[:10], 3, axis=0)
    hunt = discover(Precomputed(cdist(copies, copies)), oracle, "malice", 10, priors=[0.1])
    assert len({row // 3 for row in hunt.labels}) == 10


def test_records_that_cannot_be_folded_still_get_a_positive_radius():
    class Bag:
        __hash__ = None

        def __init__(self, size):
            self.size = size

    bags = [Bag(1), Bag(1), Bag(1), Bag(2)]

    class Size(Linear):
        def _read(self, A):
            return np.array([[float(bag.size)] for bag in A])

        def _features(self, A):
            return super(Linear, self)._features(A)

    engine = kernel_space(bags, Size()).engine
    assert engine.n == 4
    assert engine.least_kth_distance(1) == pytest.approx(1.0)
    assert engine.least_kth_distance(3) == pytest.approx(1.0)


def test_a_kernel_that_learns_knows_the_same_in_every_question():
    texts = ["cat sat mat", "cat sat", "dog ran far", "dog ran", "fish"]
    kernel = VectorSpace()
    space = kernel_space(texts, kernel)
    expected = kernel(texts)
    squared = np.diag(expected)[:, None] + np.diag(expected)[None, :] - 2 * expected
    found = np.array([space.engine.distances(row) for row in range(5)])
    np.testing.assert_allclose(found**2, squared, atol=1e-9)


class Counting(Gaussian):
    """Counts the similarities that somebody asked for."""

    computed: ClassVar[int] = 0

    def _gram(self, left, right):
        gram = super()._gram(left, right)
        Counting.computed += gram.size
        return gram


def test_a_kernel_without_features_compares_every_pair_once_and_no_more(monkeypatch):
    monkeypatch.setattr(Counting, "computed", 0)
    assert len(rows_asked(X, kernel=Counting())) == 15
    assert Counting.computed == len(X) ** 2


@pytest.mark.parametrize("most", ["records", "memory"])
def test_distances_that_cannot_be_kept_are_computed_as_before(monkeypatch, most):
    kept = rows_asked(X, kernel=Gaussian())
    if most == "records":
        monkeypatch.setattr(thresholds, "KEPT_RECORDS", len(X) - 1)
        assert rows_asked(X, kernel=Gaussian()) == kept
    else:
        with memory_limit(f"{4 * 8 * len(X) ** 2}B"):
            space = kernel_space(X, Gaussian())
            assert not isinstance(space.engine.measure, KeptDistances)
            assert rows_asked(X, kernel=Gaussian()) == kept


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[0.0, 1.0]], "square matrix"),
        ([[0.0, -1.0], [-1.0, 0.0]], "a negative distance at row 0, column 1: -1"),
        ([[0.0, 1.0], [2.0, 0.0]], "different distances there and back"),
        ([[1.0, 1.0], [1.0, 0.0]], "a record away from itself at row 0"),
        ([[0.0, np.nan], [1.0, 0.0]], "finite numbers"),
    ],
)
def test_what_is_no_matrix_of_distances_is_refused(matrix, words):
    with pytest.raises(DataError, match=words):
        Precomputed(matrix)


def test_a_gram_matrix_that_is_not_symmetric_is_refused():
    with pytest.raises(DataError, match="symmetric"):
        Hunt([[1.0, 2.0], [0.0, 1.0]], "random", kernel="precomputed")


@pytest.mark.parametrize(
    ("columns", "directions", "rows", "engine"),
    [
        (3, 3, 3000, TreeEngine),
        (40, 2, 3000, TreeEngine),
        (40, 40, 3000, BlockEngine),
        (40, 2, 500, BlockEngine),
        (400, 2, 2500, BlockEngine),
    ],
)
def test_a_tree_is_chosen_where_records_spread_in_few_directions(columns, directions, rows, engine):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, directions)) @ rng.normal(size=(directions, columns))
    assert type(vector_space(X).engine) is engine
