from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import ParameterError
from rarefind.core.progress import Step, announce, listen, part_of_work, whole_work
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


def test_several_pieces_are_one_whole_with_one_estimate(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("rarefind.core.progress.monotonic", lambda: now[0])
    steps = []

    def hear(seconds, task, done, total):
        now[0] += seconds
        announce(task, done, total)

    with listen(steps.append), whole_work():
        with part_of_work(0.0, 0.2):
            hear(1.0, "reading", 1, 1)
        with part_of_work(0.2, 1.0, open_end=True), whole_work():
            with part_of_work(0.0, 0.5):
                hear(4.0, "finding", 1, 2)
                hear(4.0, "finding", 2, 2)
                hear(1.0, "finding", 1, 9)  # begun again: the bar stands, it does not go back
            with part_of_work(0.5, 1.0):
                hear(3.0, "counting", 1, 2)
    assert [round(step.done, 3) for step in steps] == [0.2, 0.4, 0.6, 0.6, 0.8]
    # Four seconds for each fifth, measured from where the strategy began; then a little more.
    assert [step.remaining for step in steps[1:4]] == pytest.approx([12.0, 8.0, 9.0])
    assert steps[-1].remaining == pytest.approx(4.0)


def test_pieces_nobody_knows_take_half_of_what_is_left_and_tell_no_time():
    steps = []
    with listen(steps.append), whole_work():
        for task in "abc":
            announce(task, 1, 2)
            announce(task, 2, 2)
    assert [step.done for step in steps] == [0.25, 0.5, 0.625, 0.75, 0.8125, 0.875]
    assert {step.remaining for step in steps} == {None}


@pytest.mark.parametrize("strategy", ["auto", "malice", "linkage", "farthest-first"])
def test_the_bar_of_a_set_up_never_goes_back(strategy):
    steps = []
    with listen(steps.append):
        X = np.random.default_rng(0).normal(size=(900, 3))
        Hunt(X, strategy, priors=[0.05, 0.02] if strategy == "malice" else None)
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert all(step.whole and 0.0 <= step.done <= step.total == 1.0 for step in steps)


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
