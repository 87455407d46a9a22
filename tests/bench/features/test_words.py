"""Ways to weigh words differ in what words weigh, and in nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import RarefindError
from rarefind.features.table import TableFeatures
from rarefind_bench.features.word_weights import OURS, WEIGHTS, vectors_by_weights
from rarefind_bench.features.words import words
from rarefind_bench.plan import Plan

TABLE = {
    "size": np.array([1.0, 2.0, 4.0, 9.0, 5.0, 7.0, 3.0, 8.0]),
    "kind": np.array(["a", "a", "a", "a", "b", "b", "c", "a"], dtype=object),
}


def test_ours_is_what_a_hunt_compares() -> None:
    vectors = vectors_by_weights(TABLE)
    assert vectors.keys() == WEIGHTS.keys()
    np.testing.assert_array_equal(vectors[OURS], TableFeatures().fit_transform(TABLE))


def test_numbers_are_the_same_for_every_weight() -> None:
    vectors = vectors_by_weights(TABLE)
    for found in vectors.values():
        np.testing.assert_array_equal(found[:, 0], vectors[OURS][:, 0])
        np.testing.assert_array_equal(found[:, 1:] > 0, vectors[OURS][:, 1:] > 0)


def test_weights_do_what_they_are_called() -> None:
    words_of = {name: found[:, 1:] for name, found in vectors_by_weights(TABLE).items()}
    assert set(np.unique(words_of["0 and 1"])) == {0.0, 1.0}
    assert words_of["column like a number"].var(axis=0).sum() == pytest.approx(1.0)
    np.testing.assert_allclose(words_of["each to deviation 1"].std(axis=0), 1.0)
    squares = (words_of["1/√share"] ** 2).mean(axis=0)
    np.testing.assert_allclose(squares, squares[0])
    assert squares.sum() == pytest.approx((words_of[OURS] ** 2).mean(axis=0).sum())
    # 5, 2 and 1 of 8 records.
    surprise = [0.5 * -np.log2(share) for share in (5 / 8, 2 / 8, 1 / 8)]
    np.testing.assert_allclose(words_of["√(-log share)"].max(axis=0) ** 2, surprise)


def test_a_set_without_words_is_refused_in_one_sentence() -> None:
    with pytest.raises(RarefindError, match="data set with words"):
        words(Plan(sets=("shuttle",)))
