from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from rarefind.core.errors import DataError
from rarefind.core.precision import average_precision


def plain_average_precision(labels):
    found, notes = 0, []
    for rank, label in enumerate(labels, start=1):
        found += label
        if label:
            notes.append(found / rank)
    return float(np.mean(notes))


def by_permutations(labels, scores):
    """Every order of the records that the scores allow, each as likely as the next."""
    values = []
    for order in permutations(range(len(labels))):
        ordered = [scores[i] for i in order]
        if ordered == sorted(scores, reverse=True):
            values.append(plain_average_precision([labels[i] for i in order]))
    return float(np.mean(values))


records = st.lists(st.tuples(st.booleans(), st.integers(0, 2)), min_size=1, max_size=6).filter(
    lambda rows: any(label for label, _ in rows)
)


@given(records)
def test_ties_get_the_mean_over_all_their_orders(rows):
    labels, scores = zip(*rows, strict=True)
    expected = by_permutations(labels, scores)
    assert average_precision(labels, scores) == pytest.approx(expected, abs=1e-12)


@given(records)
def test_a_weight_of_two_is_the_record_twice(rows):
    labels, scores = (np.array(column) for column in zip(*rows, strict=True))
    weights = np.arange(len(rows)) % 3 + 1
    repeated = average_precision(np.repeat(labels, weights), np.repeat(scores, weights))
    assert average_precision(labels, scores, weights) == pytest.approx(repeated, abs=1e-12)
    padded = np.r_[weights, 0.0]
    assert average_precision(np.r_[labels, True], np.r_[scores, 9], padded) == pytest.approx(
        repeated, abs=1e-12
    )


def test_without_ties_it_is_the_usual_average_precision():
    rng = np.random.default_rng(0)
    labels, scores = rng.random(5000) < 0.02, rng.normal(size=5000)
    expected = average_precision_score(labels, scores)
    assert average_precision(labels, scores) == pytest.approx(expected, abs=1e-12)


def test_a_constant_score_gets_what_chance_gets():
    labels = np.arange(10_000) < 100
    assert 0.01 < average_precision(labels, np.zeros(10_000)) < 0.012


def test_the_target_may_have_a_name():
    assert average_precision(["a", "b"], [1.0, 2.0], target="a") == 0.5


@given(st.floats(0.05, 5.0), st.floats(0.05, 5.0))
def test_uneven_weights_stay_between_zero_and_one(first, second):
    value = average_precision([1, 0, 1], [1.0, 1.0, 0.5], [first, second, 1.0])
    assert 0.0 < value <= 1.0


@pytest.mark.parametrize(
    ("labels", "scores", "words"),
    [
        ([0, 0], [1.0, 2.0], "at least one record of the target class"),
        ([1, 0], [1.0], "1 scores"),
        ([1, 0], [1.0, np.nan], "NaN"),
    ],
)
def test_bad_input_is_refused_in_words(labels, scores, words):
    with pytest.raises(DataError, match=words):
        average_precision(labels, scores)
