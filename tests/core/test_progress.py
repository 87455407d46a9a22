from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import ParameterError
from rarefind.core.progress import Step, announce, listen
from rarefind.core.random import generator
from rarefind.discovery import Hunt


def test_listeners_hear_only_what_happens_inside_their_block():
    outer, inner = [], []
    announce("unheard", 1, 1)
    with listen(outer.append):
        announce("a", 1, 2)
        with listen(inner.append):
            announce("b", 2, 2)
        announce("a", 2, 2)
    assert outer == [Step("a", 1, 2), Step("a", 2, 2)]
    assert inner == [Step("b", 2, 2)]


def test_a_step_knows_how_long_the_rest_will_take(monkeypatch):
    clock = iter([0.0, 0.0, 2.0, 3.0, 3.5, 10.0])
    monkeypatch.setattr("rarefind.core.progress.monotonic", lambda: next(clock))
    steps = []
    with listen(steps.append):
        announce("a", 1, 4)  # the first part of a took two seconds
        announce("a", 2, 4)
        announce("b", 0, 4)  # b begins where a was last heard of
        announce("b", 2, 4)
    assert [step.elapsed for step in steps] == [2.0, 3.0, 0.5, 7.0]
    assert [step.remaining for step in steps] == [6.0, 3.0, None, 7.0]


def test_work_that_begins_again_is_timed_again(monkeypatch):
    clock = iter([0.0, 0.0, 2.0, 4.0, 5.0])
    monkeypatch.setattr("rarefind.core.progress.monotonic", lambda: next(clock))
    steps = []
    with listen(steps.append):
        announce("a", 1, 2)
        announce("a", 2, 2)
        announce("a", 1, 2)
    assert [step.elapsed for step in steps] == [2.0, 4.0, 1.0]


def test_preparing_a_hunt_tells_its_progress():
    heard = []
    with listen(heard.append):
        Hunt(np.random.default_rng(0).normal(size=(200, 2)), "malice", priors=[0.05]).ask()
    assert {step.task for step in heard} >= {"counting neighbours", "preparing the search"}
    assert all(step.done <= step.total for step in heard)


def test_seeds_repeat_and_nonsense_is_refused():
    assert generator(3, "X").integers(100) == generator(3, "X").integers(100)
    own = np.random.default_rng(0)
    assert generator(own, "X") is own
    for bad in ("1", 1.5, True, -2):
        with pytest.raises(ParameterError, match="'random_state' parameter of X"):
            generator(bad, "X")
