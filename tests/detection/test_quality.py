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


@pytest.mark.parametrize(("examples", "records"), [(1, 12), (2, 9), (3, 8)])
def test_luck_is_the_share_of_all_orders_that_do_as_well(examples, records):
    found = np.arange(1, examples + 1)
    every = [
        np.mean(found / (np.array(places) + 1))
        for places in itertools.combinations(range(records), examples)
    ]
    for level in np.quantile(every, [0.1, 0.5, 0.9, 1.0]):
        expected = np.mean(np.array(every) >= level - 1e-12)
        assert luck(level, examples, records) == pytest.approx(expected, abs=0.04)


def test_chance_is_what_random_orders_reach_on_average():
    rng = np.random.default_rng(0)
    wanted = np.arange(60) < 6
    drawn = [average_precision(wanted, rng.random(60)) for _ in range(4000)]
    assert judge(wanted, None).chance == pytest.approx(np.mean(drawn), abs=0.005)


@given(
    held_out=st.floats(0.0, 1.0),
    examples=st.integers(5, 5000),
)
def test_a_figure_lies_between_the_held_out_one_and_the_middle_and_in_its_interval(
    held_out, examples
):
    told, low, high = calibrated(held_out, examples, LEARNT)
    middle = 1.0 / (1.0 + np.exp(0.2))
    least, most = sorted([np.clip(held_out, 1e-3, 1 - 1e-3), middle])
    assert least - 1e-9 <= told <= most + 1e-9
    assert 0.0 <= low <= told <= high <= 1.0


def test_many_examples_are_believed_and_few_are_not():
    few, low, high = calibrated(0.9, 5, LEARNT)
    many, lower, higher = calibrated(0.9, 2000, LEARNT)
    assert many == pytest.approx(0.9, abs=0.01)
    assert few < 0.75
    assert higher - lower < (high - low) / 3


@pytest.mark.parametrize("examples", [1, 4])
def test_fewer_than_five_examples_tell_nothing(examples):
    wanted = np.arange(50) < examples
    told = judge(wanted, -np.arange(50.0))
    assert told.average_precision is told.low is told.high is told.held_out is None
    assert told.examples == examples
    assert "too few" in told.sentence


def test_a_random_order_is_told_of_no_more_often_than_promised():
    rng = np.random.default_rng(1)
    wanted = np.arange(100) < 6
    told = [judge(wanted, rng.random(100)).average_precision for _ in range(600)]
    assert np.mean([figure is not None for figure in told]) <= 2.5 * LUCK


def test_a_good_ranking_is_told_of_in_words():
    wanted = np.arange(100) < 8
    told = judge(wanted, np.where(wanted, 1.0, 0.0))
    assert told.held_out == 1.0
    assert 0.5 < told.average_precision < 1.0
    assert f"about {told.average_precision:.2f}" in told.sentence
    assert "8 examples" in told.sentence
    assert f"random order has {told.chance:.2f}" in told.sentence
