from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import DataError, ParameterError
from rarefind.evaluation import hit_curve, partial_area, precision_at

ranked = st.lists(st.tuples(st.booleans(), st.integers(0, 3)), min_size=1, max_size=8)


@given(ranked)
def test_hits_are_the_mean_over_random_orders_of_ties(pairs):
    y = np.array([wanted for wanted, _ in pairs])
    scores = np.array([score for _, score in pairs], dtype=float)
    rng = np.random.default_rng(0)
    curves = []
    for _ in range(400):
        order = np.lexsort((rng.random(len(y)), -scores))
        curves.append(np.concatenate([[0], np.cumsum(y[order])]))
    np.testing.assert_allclose(hit_curve(y, scores), np.mean(curves, axis=0), atol=0.35)
    assert hit_curve(y, scores)[-1] == y.sum()


def test_without_ties_the_curve_is_exact_and_precision_follows():
    y, scores = ["r", "o", "r", "o"], [4, 3, 2, 1]
    assert hit_curve(y, scores, target="r").tolist() == [0, 1, 1, 2, 2]
    assert precision_at(3, y, scores, target="r") == pytest.approx(2 / 3)
    assert precision_at(99, y, scores, target="r") == pytest.approx(1 / 2)


def test_wrong_input_is_refused():
    with pytest.raises(DataError, match="one score per label"):
        hit_curve([1], [1, 2])
    with pytest.raises(DataError, match="NaN"):
        hit_curve([1], [np.nan])
    with pytest.raises(ParameterError, match="'k' parameter"):
        precision_at(0, [1], [1])


def test_the_partial_area_is_one_for_the_best_order_and_zero_without_hits():
    assert partial_area(3, [1, 1, 0, 0], [4, 3, 2, 1]) == 1.0
    assert partial_area(2, [0, 0, 1, 1], [4, 3, 2, 1]) == 0.0


def test_the_partial_area_shares_ties_evenly():
    assert partial_area(4, [1, 0, 1, 0], [1, 1, 1, 1]) == pytest.approx(4 / 6)


def test_without_wanted_records_the_partial_area_is_zero():
    assert partial_area(2, [0, 0], [1, 2]) == 0.0
