from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import UnknownNameError
from rarefind_bench.datasets.families import FAMILIES, MADE, draw_made
from rarefind_bench.datasets.synthetic import set_1


@pytest.mark.parametrize("name", FAMILIES)
def test_the_same_seed_draws_the_same_set_and_another_seed_another(name):
    first, again, other = (draw_made(name, seed) for seed in (4, 4, 5))
    assert first.name == name
    np.testing.assert_array_equal(first.records, again.records)
    assert first.labels == again.labels
    assert sorted(first.sizes.values()) == sorted(other.sizes.values())
    assert not np.array_equal(first.records, other.records)
    assert first.rare
    assert np.isfinite(np.asarray(first.records)).all()
    # Shuffled: the rare classes are not at the end.
    assert min(first.labels.index(label) for label in first.rare) < len(first.labels) // 2


@pytest.mark.parametrize("name", ["heavy tails", "curved sheet"])
def test_knots_are_tight(name):
    drawn = draw_made(name, 0)
    X, labels = np.asarray(drawn.records), np.asarray(drawn.labels)
    for knot in drawn.rare:
        assert X[labels == knot].std(axis=0).max() < 0.1 * X.std(axis=0).max()


def test_two_different_words_are_one_apart():
    drawn = draw_made("categories only", 1)
    X = np.asarray(drawn.records)
    assert drawn.scale == "none"
    squares = ((X[:50, None] - X[None, :50]) ** 2).sum(axis=2)
    np.testing.assert_allclose(squares, squares.round())
    assert squares.max() <= 8 + 1e-9


def test_duplicates_are_many():
    X = np.asarray(draw_made("duplicates", 0).records)
    assert len(np.unique(X, axis=0)) < 0.25 * len(X)


def test_sets_of_the_papers_are_drawn_as_they_are():
    assert draw_made("set 1", 3).labels == set_1(3).labels
    assert len(MADE) >= 12
    with pytest.raises(UnknownNameError, match="Did you mean 'subspaces'"):
        draw_made("subspace", 0)
