from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind import Hunt
from rarefind.core.errors import ParameterError, UnknownNameError
from rarefind.discovery.contract.event import Renamed

X = np.arange(12.0).reshape(6, 2)


def hunt_with(labels, **options):
    hunt = Hunt(X, strategy="random", **options)
    for row, label in enumerate(labels):
        hunt.tell(row, label)
    return hunt


def test_a_renamed_class_has_its_new_name_everywhere():
    hunt = hunt_with(["even", "frued", "frued"])
    hunt.rename("frued", "fraud")
    assert hunt.labels == {0: "even", 1: "fraud", 2: "fraud"}
    assert [event.label for event in hunt.events] == ["even", "fraud", "fraud"]
    copy = Hunt(X, strategy="random")
    copy.replay(hunt.events)
    assert copy.labels == hunt.labels


def test_the_ordinary_class_stays_ordinary_under_its_new_name():
    hunt = hunt_with(["nromal", "odd"], background="nromal")
    hunt.rename("nromal", "normal")
    assert (hunt.background, hunt.found) == (frozenset(["normal"]), {"odd": 1})
    hunt.undo()
    assert hunt.background == frozenset(["nromal"])


def test_a_merge_is_taken_back_whole():
    hunt = hunt_with(["even", "evn", "odd"])
    hunt.merge("evn", "even")
    assert hunt.undo() == Renamed("evn", "even", (1,))
    assert hunt.labels == {0: "even", 1: "evn", 2: "odd"}


def test_what_was_told_since_stays_when_a_name_is_taken_back():
    hunt = hunt_with(["a", "b"])
    hunt.rename("a", "c")
    hunt.tell(2, "c")
    assert hunt.undo().row == 2
    assert hunt.undo() == Renamed("a", "c", (0,))
    assert hunt.labels == {0: "a", 1: "b"}


@pytest.mark.parametrize(
    ("change", "problem", "words"),
    [
        (lambda hunt: hunt.rename("x", "y"), UnknownNameError, "There is no class 'x'"),
        (lambda hunt: hunt.rename("a", "b"), ParameterError, "merge"),
        (lambda hunt: hunt.rename("a", " "), ParameterError, "is empty"),
        (lambda hunt: hunt.merge("a", "a"), ParameterError, "into itself"),
        (lambda hunt: hunt.merge("a", "x"), UnknownNameError, "There is no class 'x'"),
    ],
)
def test_names_that_make_no_sense_are_refused_and_change_nothing(change, problem, words):
    hunt = hunt_with(["a", "b"])
    with pytest.raises(problem, match=words):
        change(hunt)
    assert hunt.labels == {0: "a", 1: "b"}


steps = st.one_of(
    st.tuples(st.just("tell"), st.integers(0, 5), st.sampled_from("abc")),
    st.tuples(st.just("call"), st.sampled_from("abc"), st.sampled_from("abcd")),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(steps, max_size=12))
def test_undo_goes_back_through_everything_in_turn(done):
    hunt = Hunt(X, strategy="random")
    history = [{}]
    for kind, one, other in done:
        labels = hunt.labels
        if kind == "tell" and one not in labels:
            hunt.tell(one, other)
        elif kind == "call" and one in labels.values() and one != other:
            (hunt.merge if other in labels.values() else hunt.rename)(one, other)
        else:
            continue
        history.append(hunt.labels)
    while len(history) > 1:
        assert hunt.labels == history.pop()
        hunt.undo()
    assert hunt.labels == {}
