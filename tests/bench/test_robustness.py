from __future__ import annotations

import numpy as np
import pytest

from rarefind.bench.robustness import cases, run_robustness, wrong_answers
from rarefind.bench.synthetic import draw_synthetic


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
