from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from rarefind.discovery.auto import views
from rarefind.discovery.auto.views import (
    normal_scores,
    other_views,
    pieces_of_words,
    rare_pieces,
    whitened_by_neighbours,
    words,
    written_as,
)
from rarefind.geometry.any_records import make_space
from rarefind.kernels import Intersection, Normalized, Spectrum, VectorSpace


def nearest(X, k=5):
    away = np.linalg.norm(X[:, None] - X, axis=2)
    return np.argsort(away, axis=1, kind="stable")[:, 1 : k + 1]


@given(seed=st.integers(0, 200), columns=st.integers(1, 6))
def test_whitened_neighbours_differ_about_as_much_in_every_direction(seed, columns):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, columns)) @ rng.normal(size=(columns, columns))
    near = nearest(X)
    view = whitened_by_neighbours(X, near)
    steps = (view[:, None] - view[near]).reshape(-1, columns)
    before = (X[:, None] - X[near]).reshape(-1, columns)
    spread = np.linalg.eigvalsh(steps.T @ steps)
    # What is left of the differences between directions is what shrinking leaves.
    raw = np.linalg.eigvalsh(before.T @ before)
    raw /= raw.mean()
    expected = np.sort(raw / (0.9 * raw + 0.1))
    np.testing.assert_allclose(spread / spread.sum(), expected / expected.sum(), rtol=1e-6)


def test_turning_the_records_does_not_change_whitened_distances():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)) * [1.0, 2.0, 5.0, 0.3]
    turn, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    near = nearest(X)
    plain, turned = whitened_by_neighbours(X, near), whitened_by_neighbours(X @ turn, near)
    np.testing.assert_allclose(pdist(turned), pdist(plain), rtol=1e-9)


def test_of_many_columns_only_principal_directions_are_whitened(monkeypatch):
    monkeypatch.setattr(views, "MOST_DIRECTIONS", 3)
    X = np.random.default_rng(1).normal(size=(50, 8))
    assert whitened_by_neighbours(X, nearest(X)).shape == (50, 3)
    few = X[:2]
    assert np.isfinite(whitened_by_neighbours(few, np.array([[1], [0]]))).all()


def test_records_without_any_difference_between_neighbours_stay_as_they_are():
    X = np.ones((4, 2))
    assert whitened_by_neighbours(X, np.array([[1], [0], [3], [2]])) is X


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=30))
def test_normal_scores_keep_order_and_ties_and_forget_scales(numbers):
    column = np.array(numbers, dtype=float)[:, None]
    scores = normal_scores(column)
    np.testing.assert_array_equal(normal_scores(np.exp(column)), scores)
    order = np.argsort(column[:, 0], kind="stable")
    rises = np.diff(column[order, 0]) > 0
    assert (np.diff(scores[order, 0])[rises] > 0).all()
    assert (np.diff(scores[order, 0])[~rises] == 0).all()
    np.testing.assert_allclose(normal_scores(-column), -scores, atol=1e-12)


def test_there_are_other_views_of_vectors_and_strings_but_not_of_very_many(monkeypatch):
    X = np.random.default_rng(2).normal(size=(40, 3))
    space = make_space(X, None, "squash")
    near = space.engine.nearest(5)[1]
    assert [view.engine.n for view in other_views(space, near)] == [40, 40]
    strings = make_space(["aab", "abb", "bab", "bba"], Normalized(Spectrum(2)), "none")
    assert [view.engine.n for view in other_views(strings, strings.engine.nearest(2)[1])] == [4]
    sets = make_space([{1, 2}, {2, 3}, {3}], Intersection(), "none")
    assert other_views(sets, sets.engine.nearest(2)[1]) == []
    monkeypatch.setattr(views, "MOST_POINTS", 39)
    assert other_views(space, near) == []
    monkeypatch.setattr(views, "MOST_STRINGS", 3)
    assert other_views(strings, strings.engine.nearest(2)[1]) == []


def test_strings_that_share_a_rare_piece_are_nearer_than_those_that_share_a_common_one():
    strings = ["AAACCC", "AAAGGG", "AAATTT", "CTTGAC", "CCAGAC"]
    away = squareform(pdist(rare_pieces(strings).toarray()))
    assert away[3, 4] < away[0, 1]  # GAC is in two of them, AAA in three
    assert away[0, 1] == pytest.approx(away[1, 2])
    assert away[0, 3] == pytest.approx(np.sqrt(2.0))  # nothing in common


@pytest.mark.parametrize(
    "records",
    [["ab", "", "c"], ["  \t  ", " "], [], [("a",), ("b",)], ["(S (NP she))", " (S (VP eats))"]],
)
def test_short_strings_and_other_records_are_not_seen_by_what_is_written(records):
    assert written_as(records) == "neither"


@pytest.mark.parametrize("describe", [words, pieces_of_words])
def test_texts_that_share_a_rare_word_are_nearer_than_those_that_share_a_common_one(describe):
    texts = ["common zebra", "rarely zebra", "common tiger", "common horse", "rarely tiger horse"]
    away = squareform(pdist(describe(texts).toarray()))
    assert away[0, 1] < away[0, 2]  # two have a zebra, three are common


def test_words_that_only_one_text_has_do_not_count():
    assert words(["one two", "three four", "?"]).shape == (3, 0)
    described = words(["Prize! prize", "a prize", "see you"]).toarray()
    np.testing.assert_allclose(described, [[1.0], [1.0], [0.0]])


def test_texts_are_seen_by_words_and_by_pieces_of_words():
    texts = ["win a prize now", "win the prizes now", "see you there soon", "? ? ? ?"]
    space = make_space(texts, Normalized(VectorSpace()), "none")
    near = space.engine.nearest(2)[1]
    assert [view.engine.n for view in other_views(space, near)] == [4, 4]
    nothing_shared = make_space(
        ["north wind blew hard", "apple trees stood still"], Normalized(VectorSpace()), "none"
    )
    for view in other_views(nothing_shared, nothing_shared.engine.nearest(1)[1]):
        assert np.isfinite(view.engine.distances(0)).all()


@pytest.mark.parametrize("n", [2, 3, 5])
def test_few_records_have_views_too(n):
    space = make_space(np.random.default_rng(n).normal(size=(n, 2)), None, "squash")
    for view in other_views(space, space.engine.nearest(n - 1)[1]):
        assert np.isfinite(view.vectors).all()
