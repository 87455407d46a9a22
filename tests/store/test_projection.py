from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import StateError
from rarefind.store import Event, Projection, replay


def event(seq, kind, row=None, value=None, annotator="ann"):
    return Event(f"e{seq}", "hunt", kind, row, value, annotator, at=float(seq), seq=seq)


def said(*words):
    """Events from (annotator, row, label) with None for a skip."""
    return [
        event(seq, "skip" if label is None else "label", row, label, annotator)
        for seq, (annotator, row, label) in enumerate(words, start=1)
    ]


def test_nothing_said_is_nothing_known():
    state = replay([])
    assert (state.statements, state.agreed, state.skipped, state.history) == ([], {}, [], [])


def test_most_annotators_win_and_ties_go_to_the_earliest():
    state = replay(said(("a", 1, "x"), ("b", 1, "y"), ("c", 1, "y"), ("a", 2, "x"), ("b", 2, "y")))
    assert state.agreed == {1: "y", 2: "x"}
    assert state.disagreements == {1: {"a": "x", "b": "y", "c": "y"}, 2: {"a": "x", "b": "y"}}


def test_a_corrected_word_loses_its_place_as_earliest():
    state = replay(said(("a", 1, "x"), ("b", 1, "y"), ("a", 1, "z")))
    assert state.agreed == {1: "y"}


def test_skips_do_not_vote_and_a_row_of_skips_is_skipped():
    state = replay(said(("a", 1, None), ("b", 1, "x"), ("a", 2, None), ("b", 2, None)))
    assert state.agreed == {1: "x"}
    assert state.skipped == [2]
    assert state.disagreements == {}
    assert state.counts == {"b": 1}


def test_a_skip_takes_the_place_of_a_label():
    state = replay(said(("a", 1, "x"), ("a", 1, None)))
    assert (state.agreed, state.skipped) == ({}, [1])


def test_rows_come_in_the_order_they_were_first_labelled():
    state = replay(said(("a", 9, "x"), ("a", 2, "x"), ("a", 5, "y")))
    assert list(state.agreed) == [9, 2, 5]


def test_added_data_sets_and_history_are_kept_in_order():
    events = [
        event(1, "label", 1, "x"),
        event(2, "append", value="d2"),
        event(3, "undo", value="e1"),
    ]
    state = replay(events)
    assert state.parts == ["d2"]
    assert [(entry.event.seq, entry.undone) for entry in state.history] == [
        (1, True),
        (2, False),
        (3, False),
    ]
    assert state.last_seq == 3


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("e9", "There is no event 'e9'"),
        ("e3", "An undo cannot be taken back"),
        ("e2", "Records that were added stay"),
        ("e1", "taken back already"),
    ],
)
def test_an_undo_that_makes_no_sense_is_refused_and_changes_nothing(target, reason):
    state = Projection()
    for one in (
        event(1, "label", 1, "x"),
        event(2, "append", value="d"),
        event(3, "undo", value="e1"),
    ):
        state.apply(one)
    with pytest.raises(StateError, match=reason):
        state.apply(event(4, "undo", value=target))
    assert len(state.history) == 3


words = st.tuples(
    st.sampled_from("abc"), st.integers(0, 3), st.sampled_from(["x", "y", None]), st.booleans()
)


@given(st.lists(words, max_size=30))
def test_replay_equals_looking_only_at_what_was_not_taken_back(steps):
    events, standing = [], {}
    for annotator, row, label, taken_back in steps:
        seq = len(events) + 1
        kind = "skip" if label is None else "label"
        events.append(event(seq, kind, row, label, annotator))
        if taken_back:
            events.append(event(seq + 1, "undo", value=f"e{seq}"))
        else:
            standing[row, annotator] = (seq, label)
    state = replay(events)
    got = {(word.row, word.annotator): (word.seq, word.label) for word in state.statements}
    assert got == standing
