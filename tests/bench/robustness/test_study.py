from __future__ import annotations

import numpy as np
import pytest

from rarefind.evaluation.plots import figure
from rarefind_bench.datasets.synthetic import draw_synthetic
from rarefind_bench.discovery.shared_spaces import Spaces
from rarefind_bench.robustness.cases import cases
from rarefind_bench.robustness.erring_people import agreed_answers, wrong_answers
from rarefind_bench.robustness.outcomes import Outcome, draw_outcomes
from rarefind_bench.robustness.ranked_looks import look_at_rankings
from rarefind_bench.robustness.study import run_robustness


def test_about_the_share_asked_for_is_wrong_and_never_by_the_same_class():
    labels = ["a", "b", "c"] * 1000
    said = wrong_answers(labels, 0.2, seed=1)
    wrong = np.mean([one != other for one, other in zip(labels, said, strict=True)])
    assert wrong == pytest.approx(0.2, abs=0.03)
    assert set(said) == set(labels)
    assert wrong_answers(labels, 0.0, seed=1) == labels


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_belief_is_one_that_malice_accepts(case):
    shares = {"x": 0.001, "y": 0.2, "z": 0.1}
    believed = case.believe(shares, 1000)
    if believed is None:
        assert case.strategy == "auto"
        return
    values = list(believed.values()) if isinstance(believed, dict) else believed
    assert 0 < sum(values) < 1
    assert min(values) >= 0.001


def test_every_case_is_played_once_for_every_draw():
    outcomes = run_robustness(lambda seed: draw_synthetic("set 1", seed), [0, 1], budget=30)
    assert [outcome.case.name for outcome in outcomes] == [case.name for case in cases()]
    assert all(len(outcome.labels) == 2 for outcome in outcomes)
    true = next(outcome for outcome in outcomes if outcome.case.name == "MALICE, shares x 1")
    assert true.median < 30


def test_several_people_who_err_are_right_more_often_than_one():
    labels = ["a", "b", "c", "d"] * 500
    one = np.mean([x == y for x, y in zip(labels, wrong_answers(labels, 0.2, 3), strict=True)])
    said = agreed_answers(labels, 0.2, 3, people=3)
    three = np.mean([x == y for x, y in zip(labels, said, strict=True)])
    assert one < 0.83
    assert three > 0.87


def test_looking_at_rankings_finds_a_class_under_the_wrong_name():
    drawn = draw_synthetic("six balls", 0)
    space = Spaces(drawn).scaled("squash")
    first = {name: drawn.labels.index(name) for name in sorted(set(drawn.labels))}
    said = list(drawn.labels)
    said[first["ball of 12"]] = "ball of 15"  # both balls now go by one name
    rows = list(first.values())
    needed = look_at_rankings(space, drawn, said, rows, budget=200)
    assert len(rows) < needed < 60
    assert look_at_rankings(space, drawn, said, rows, budget=len(rows) + 1) is None


def test_a_draw_beyond_the_budget_counts_as_infinite_and_is_drawn_hollow():
    outcomes = [Outcome(case, (10.0, np.inf, np.inf)) for case in cases()]
    assert np.isinf(outcomes[0].median)
    with figure() as (_, axes):
        draw_outcomes(outcomes, 400, axes)
        marks = [line for line in axes.lines if line.get_marker() in ("o", "s")]
        assert len(marks) == len(outcomes)
        assert {line.get_markerfacecolor() for line in marks} == {"white"}
