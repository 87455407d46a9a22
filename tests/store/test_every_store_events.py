"""What every store must do with events."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.core.errors import ParameterError, RarefindError, StateError, UnknownNameError
from rarefind.store import Candidate, Event, replay
from rarefind.store.contract import LATE_SECONDS
from tests.store.example import (
    append,
    data_set,
    hunt_entry,
    label,
    skip,
    undo,
    with_hunt,
)


def same_projection(store, hunt="hunt"):
    return store.standing(hunt) == replay(store.events(hunt)).statements


def test_an_event_gets_its_place_and_time(store):
    with_hunt(store)
    before = time.time()
    first = store.keep(label(3, asked_by=UNKNOWN, id="e1"))
    second = store.keep(skip(4))
    assert not first.repeated
    assert (first.event.seq, second.event.seq) == (1, 2)
    assert before - 1 <= first.event.at <= time.time() + 1
    assert store.events("hunt") == [first.event, second.event]
    assert store.events("hunt", after=1) == [second.event]
    assert (
        store.event("e1")
        == first.event
        == replace(label(3, asked_by=UNKNOWN, id="e1"), seq=1, at=first.event.at)
    )
    assert store.event("never") is None


def test_the_same_id_counts_once(store):
    with_hunt(store)
    event = label(3, asked_by=UNKNOWN)
    first = store.keep(event)
    again = store.keep(replace(event, asked_by=None, at=77.0))
    assert again.repeated
    assert again.event == first.event
    assert len(store.events("hunt")) == 1


def test_the_same_id_with_other_contents_is_refused(store):
    with_hunt(store, "hunt", "other")
    event = label(3)
    store.keep(event)
    for changes in [{"value": "error"}, {"row": 4}, {"annotator": "bob"}, {"hunt": "other"}]:
        with pytest.raises(StateError, match="stands for another event already"):
            store.keep(replace(event, **changes))
    assert len(store.events("hunt")) == 1


def test_places_count_through_all_hunts_without_gaps(store):
    with_hunt(store, "one", "two")
    places = [store.keep(label(row, hunt=("one", "two")[row % 2])).event.seq for row in range(6)]
    assert places == [1, 2, 3, 4, 5, 6]
    assert [event.seq for event in store.events("two")] == [2, 4, 6]


def test_the_latest_word_stands_and_undo_brings_back_the_one_before(store):
    with_hunt(store)
    store.keep(label(3, "fraud"))
    correction = store.keep(label(3, "error")).event
    assert [word.label for word in store.standing("hunt")] == ["error"]
    store.keep(undo(correction.id))
    assert [word.label for word in store.standing("hunt")] == ["fraud"]
    assert same_projection(store)


def test_undo_of_the_only_word_leaves_nothing(store):
    with_hunt(store)
    only = store.keep(skip(3)).event
    store.keep(undo(only.id, annotator="somebody else"))
    assert store.standing("hunt") == []
    assert same_projection(store)


def test_undo_of_an_earlier_word_leaves_the_later_one(store):
    with_hunt(store)
    earlier = store.keep(label(3, "fraud")).event
    store.keep(label(3, "error"))
    store.keep(undo(earlier.id))
    assert [word.label for word in store.standing("hunt")] == ["error"]


def test_what_cannot_be_taken_back_is_refused_in_words(store):
    with_hunt(store, "hunt", "other")
    word = store.keep(label(3)).event
    back = store.keep(undo(word.id)).event
    added = store.keep(append("data")).event
    elsewhere = store.keep(label(3, hunt="other")).event
    for target, reason in [
        ("never", "There is no event 'never' in this hunt"),
        (elsewhere.id, "There is no event"),
        (back.id, "An undo cannot be taken back"),
        (added.id, "Records that were added stay"),
        (word.id, "has been taken back already"),
    ]:
        with pytest.raises(StateError, match=reason):
            store.keep(undo(target))
    assert len(store.events("hunt")) == 3


def test_records_are_added_only_from_a_known_data_set(store):
    with_hunt(store)
    store.put_dataset(data_set("more", sha256="00"))
    store.keep(append("more"))
    with pytest.raises(UnknownNameError, match="no data set with the id 'most'"):
        store.keep(append("most"))
    assert replay(store.events("hunt")).parts == ["more"]


def test_a_refused_event_does_not_spoil_its_batch(store):
    with_hunt(store)
    futures = []
    for row in range(200):
        bad = row % 3 == 0
        futures.append(store.submit(label(row, hunt="none" if bad else "hunt")))
    kept = [row for row, future in enumerate(futures) if future.exception() is None]
    assert kept == [row for row in range(200) if row % 3]
    assert [event.row for event in store.events("hunt")] == kept
    assert store.check().ok


def test_an_event_may_refer_to_another_of_its_batch(store):
    with_hunt(store)
    futures = []
    for row in range(50):
        first = label(row, "fraud")
        second = label(row, "error")
        futures += [store.submit(event) for event in (first, second, undo(second.id), first)]
    outcomes = [future.result() for future in futures]
    assert [outcome.repeated for outcome in outcomes] == [False, False, False, True] * 50
    assert {word.label for word in store.standing("hunt")} == {"fraud"}
    assert len(store.standing("hunt")) == 50
    assert same_projection(store)
    assert store.check().ok


def test_text_that_no_database_keeps_is_refused(store):
    with_hunt(store)
    for text in ["fraud\x00", "\x00", "half \ud800", "\udfff", "", "x" * 1001]:
        with pytest.raises(ParameterError, match=r"^The label (holds|must)"):
            store.keep(label(3, text))
        with pytest.raises(ParameterError, match="name of an annotator"):
            store.keep(label(3, annotator=text))
        with pytest.raises(ParameterError, match="name of a hunt"):
            store.create_hunt(hunt_entry("other", name=text))
    assert store.events("hunt") == []


def test_all_other_text_comes_back_unchanged(store):
    with_hunt(store)
    texts = ["é", "漢字", "😀", "a\nb\tc", "'; DROP TABLE events; --", "%s", ":x", "x" * 1000]
    for row, text in enumerate(texts):
        store.keep(label(row, text, annotator=text[:200]))
    said = [(word.label, word.annotator) for word in store.standing("hunt")]
    assert said == [(text, text[:200]) for text in texts]


def test_a_row_that_is_no_row_is_refused(store):
    with_hunt(store)
    for row in [-1, 1.5, "3", True, 2**63, float("nan")]:
        with pytest.raises(ParameterError, match="A row must be a whole number from 0"):
            store.keep(label(row))


def test_rows_of_numpy_become_plain_numbers(store):
    with_hunt(store)
    assert type(store.keep(label(np.int64(2**40))).event.row) is int
    assert store.events("hunt")[0].row == 2**40


def test_an_event_that_makes_no_sense_is_refused(store):
    with_hunt(store)
    for kind, row, value, reason in [
        ("guess", 1, "x", "must be label, skip, undo or append"),
        ("label", None, "x", "must name a row"),
        ("label", 1, None, "must have a value"),
        ("skip", 1, "x", "must not have a value"),
        ("undo", 1, "x", "must not name a row"),
    ]:
        with pytest.raises(ParameterError, match=reason):
            store.keep(Event("e", "hunt", kind, row, value, "ann", 0.0))
    with pytest.raises(ParameterError, match="at most 100 characters"):
        store.keep(label(1, id="e" * 101))


def test_many_threads_keep_everything_once(store):
    with_hunt(store)
    events = [label(row, annotator=f"a{row % 7}") for row in range(200)]
    problems = []

    def work(part):
        try:
            for event in part:
                store.keep(event)
                store.keep(event)
        except RarefindError as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(events[i::10],)) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = store.events("hunt")
    assert problems == []
    assert {event.id for event in kept} == {event.id for event in events}
    assert [event.seq for event in kept] == list(range(1, 201))


KNOT = AskedBy("knot", {"chance": 0.1 + 0.2, "radius": 1e-300})


def asked(store, row, annotator="ann", *, now=100.0, asked_by=KNOT):
    candidate = Candidate(row, "it is odd", asked_by=asked_by)
    [lease] = store.take_leases("hunt", annotator, [candidate], count=1, seconds=60.0, now=now)
    assert lease.candidate.asked_by == asked_by
    return lease


def test_who_asked_is_kept_with_the_answer(store):
    with_hunt(store)
    store.keep(label(3, asked_by=KNOT))
    store.keep(skip(4))
    assert [event.asked_by for event in store.events("hunt")] == [KNOT, None]
    assert [word.asked_by for word in store.standing("hunt")] == [KNOT, None]
    assert store.check().ok


def test_the_lease_tells_who_asked(store):
    with_hunt(store)
    asked(store, 3)
    assert store.keep(label(3, asked_by=UNKNOWN)).event.asked_by == KNOT
    asked(store, 4)
    assert store.keep(replace(skip(4), asked_by=UNKNOWN)).event.asked_by == KNOT
    asked(store, 5)
    assert store.keep(label(5)).event.asked_by is None
    asked(store, 6)
    assert store.keep(label(6, annotator="bob", asked_by=UNKNOWN)).event.asked_by == UNKNOWN
    assert store.check().ok


def test_a_lease_that_expired_still_tells_who_asked(store):
    with_hunt(store)
    asked(store, 3, now=100.0)
    asked(store, 4, "bob", now=1000.0)
    assert [lease.candidate.row for lease in store.leases("hunt", 1000.0)] == [4]
    assert store.keep(label(3, asked_by=UNKNOWN)).event.asked_by == KNOT
    asked(store, 5, now=100.0)
    newer = AskedBy("reach")
    asked(store, 5, now=1000.0, asked_by=newer)
    assert store.keep(label(5, asked_by=UNKNOWN)).event.asked_by == newer
    asked(store, 6, now=100.0)
    asked(store, 7, "bob", now=161.0 + LATE_SECONDS)
    assert store.keep(label(6, asked_by=UNKNOWN)).event.asked_by == UNKNOWN


def test_whoever_takes_an_answer_back_and_tells_again_was_asked_all_the_same(store):
    with_hunt(store)
    asked(store, 3)
    first = store.keep(label(3, asked_by=UNKNOWN)).event
    store.keep(undo(first.id))
    assert store.keep(label(3, "error", asked_by=UNKNOWN)).event.asked_by == KNOT
    assert store.keep(label(3, "x", annotator="bob", asked_by=UNKNOWN)).event.asked_by == UNKNOWN
