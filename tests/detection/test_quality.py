"""What is told about a ranking is true, or nothing is told."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.precision import average_precision
from rarefind.detection.auto.quality import LUCK, calibrated, judge, luck

LEARNT = {"centre": -0.2, "examples": 10.0, "spread": 0.9, "growth": 0.5}


@pytest.mark.parametrize("seed", range(4))
def test_luck_is_the_share_of_all_orders_within_folds_that_do_as_well(seed):
    rng = np.random.default_rng(seed)
    fold = np.repeat([0, 1], 6)
    wanted = np.isin(np.arange(12), [0, 1, 6])
    scores = rng.permutation(12) + 3.3 * fold + 1.5 * wanted
    reached = average_precision(wanted, scores)
    every = [
        average_precision(np.isin(np.arange(12), [*pair, one]), scores)
        for pair in itertools.combinations(range(6), 2)
        for one in range(6, 12)
    ]
    expected = np.mean(np.array(every) >= reached - 1e-12)
    # At least 99 orders are drawn.
    error = np.sqrt(expected * (1.0 - expected) / 99)
    assert luck(wanted, scores, fold) == pytest.approx(expected, abs=0.01 + 3.5 * error)


def test_chance_is_what_random_orders_reach_on_average():
    rng = np.random.default_rng(0)
    wanted = np.arange(60) < 6
    drawn = [average_precision(wanted, rng.random(60)) for _ in range(4000)]
    assert judge(wanted, None).chance == pytest.approx(np.mean(drawn), abs=0.005)


@given(
    held_out=st.floats(0.0, 1.0),
    examples=st.integers(8, 5000),
)
def test_a_figure_lies_between_the_held_out_one_and_the_middle_and_in_its_interval(
    held_out, examples
):
    told, low, high = calibrated(held_out, examples, LEARNT)
    middle = 1.0 / (1.0 + np.exp(0.2))
    seen = (held_out * examples + 0.5) / (examples + 1.0)
    least, most = sorted([seen, middle])
    assert least - 1e-9 <= told <= most + 1e-9
    assert 0.0 <= low <= told <= high <= 1.0


def test_a_ranking_without_a_fault_of_few_examples_says_less_than_one_of_many():
    figures = [calibrated(1.0, examples, LEARNT)[0] for examples in (8, 30, 300)]
    assert figures == sorted(figures)
    assert figures[0] < 0.9 < 0.98 < figures[2] < 1.0


def test_many_examples_are_believed_and_few_are_not():
    few, low, high = calibrated(0.9, 5, LEARNT)
    many, lower, higher = calibrated(0.9, 2000, LEARNT)
    assert many == pytest.approx(0.9, abs=0.01)
    assert few < 0.75
    assert higher - lower < (high - low) / 3


@pytest.mark.parametrize("examples", [1, 7])
def test_fewer_than_eight_examples_tell_nothing(examples):
    wanted = np.arange(50) < examples
    told = judge(wanted, -np.arange(50.0))
    assert told.average_precision is told.low is told.high is told.held_out is None
    assert told.examples == examples
    assert "too few" in told.sentence


def test_a_random_order_is_told_of_no_more_often_than_promised():
    rng = np.random.default_rng(1)
    wanted = np.arange(100) < 9
    told = [judge(wanted, rng.random(100)).average_precision for _ in range(600)]
    assert np.mean([figure is not None for figure in told]) <= 10 * LUCK


def test_folds_that_score_higher_as_a_whole_are_not_taken_for_skill():
    rng = np.random.default_rng(2)
    fold = np.repeat(np.arange(5), 20)
    wanted = np.isin(np.arange(100), [0, 1, 2, 20, 21, 40, 60, 80, 81])
    lucky = [
        judge(wanted, rng.random(100) + 0.9 * (fold == 0), fold).average_precision is not None
        for _ in range(300)
    ]
    assert np.mean(lucky) <= 10 * LUCK


def test_a_good_ranking_is_told_of_in_words():
    wanted = np.arange(100) < 8
    told = judge(wanted, np.where(wanted, 1.0, 0.0))
    assert told.held_out == 1.0
    assert 0.5 < told.average_precision < 1.0
    assert f"about {told.average_precision:.2f}" in told.sentence
    assert "8 examples" in told.sentence
    assert f"of the labelled records has {told.chance:.2f}" in told.sentence
