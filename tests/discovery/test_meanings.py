"""Every number behind a question is told in words."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind import Hunt
from rarefind.discovery.contract.meanings import meanings, told
from rarefind.discovery.registry import registry

TURNS = 25
NEED_SHARES = {name: {"rare": 0.03} for name in ("alice", "malice", "grade", "grade-li")}


def crowd_with_a_knot():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(150, 3)), rng.normal(1.0, 0.03, size=(6, 3))])
    X = np.vstack([X, rng.normal(9.0, 0.1, size=(3, 3))])
    return X, ["ordinary"] * 150 + ["rare"] * 6 + ["far"] * 3


@pytest.mark.parametrize("strategy", registry.names())
def test_every_number_of_every_strategy_has_its_words(strategy):
    X, truth = crowd_with_a_knot()
    hunt = Hunt(X, strategy=strategy, priors=NEED_SHARES.get(strategy), background="ordinary")
    for _ in range(TURNS):
        question = hunt.ask()
        said = meanings(question.evidence)
        assert said.keys() == question.evidence.keys()
        assert question.evidence
        assert all(said.values()), said
        hunt.tell(question.row, truth[question.row])


def test_logarithms_of_chances_are_told_as_chances():
    said = meanings({"surprise": np.log(220_000), "evidence": np.log(60), "contrast": 5.0})
    assert said["surprise"].endswith("once in 200,000 times")
    assert said["evidence"].endswith("once in 60 times")
    assert "chance alone" in meanings({"evidence": -1.2})["evidence"]
    assert meanings({"surprise": 700.0})["surprise"].endswith("less than once in a million times")


def test_a_number_of_somebody_elses_strategy_stands_by_its_name():
    assert told({"my_own": 1234.5}) == ["my own 1,234"]


def test_a_question_in_a_notebook_says_what_its_numbers_mean():
    X, _ = crowd_with_a_knot()
    shown = Hunt(X).ask()._repr_html_()
    assert "distance to nearest" in shown
    assert "how far the record most like it is" in shown
