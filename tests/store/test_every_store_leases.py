"""What every store must do with leases."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from rarefind.core.errors import ParameterError
from tests.store.example import (
    ask,
    candidates,
    label,
    skip,
    undo,
    with_hunt,
)


def test_nobody_gets_the_record_of_another(store):
    with_hunt(store)
    assert ask(store, "ann") == [1]
    assert ask(store, "bob") == [2]
    assert ask(store, "cem", count=5) == [3]
    assert ask(store, "dan") == []


def test_whoever_comes_back_sees_the_same_question_renewed(store):
    with_hunt(store)
    assert ask(store, "ann", now=100.0) == [1]
    again = store.take_leases("hunt", "ann", candidates(8), count=1, seconds=60, now=130.0)
    assert [(lease.candidate, lease.expires_at) for lease in again] == [(candidates(1)[0], 190.0)]
    assert ask(store, "ann", rows=(8, 9), count=3, now=140.0) == [1, 8, 9]
    assert ask(store, "ann", rows=(7,), count=2, now=150.0) == [1, 8]


def test_a_lease_expires_and_the_record_is_offered_again(store):
    with_hunt(store)
    assert ask(store, "ann", now=100.0) == [1]
    assert ask(store, "bob", now=159.0) == [2]
    assert ask(store, "cem", now=160.0) == [1]
    assert [(lease.annotator, lease.candidate.row) for lease in store.leases("hunt", 160.0)] == [
        ("bob", 2),
        ("cem", 1),
    ]


def test_an_answer_ends_the_lease_and_a_late_one_still_counts(store):
    with_hunt(store)
    ask(store, "ann", now=100.0)
    ask(store, "bob", now=200.0)
    assert not store.keep(label(1, annotator="ann")).repeated
    assert [lease.annotator for lease in store.leases("hunt", 200.0)] == ["bob"]
    store.keep(skip(1, annotator="bob"))
    assert store.leases("hunt", 200.0) == []


def test_with_overlap_as_many_people_see_a_record_and_no_more(store):
    with_hunt(store)
    assert ask(store, "ann", overlap=2) == [1]
    assert ask(store, "bob", overlap=2) == [1]
    assert ask(store, "cem", overlap=2) == [2]
    store.keep(label(1, annotator="ann"))
    assert ask(store, "dan", overlap=2) == [2]
    assert ask(store, "ann", overlap=2) == [3]
    assert ask(store, "eve", overlap=3) == [1]


def test_a_word_taken_back_frees_the_record(store):
    with_hunt(store)
    word = store.keep(label(1)).event
    assert ask(store, "bob", rows=(1,)) == []
    assert ask(store, "ann", rows=(1,), overlap=5) == []
    store.keep(undo(word.id))
    assert ask(store, "bob", rows=(1,)) == [1]


def test_a_released_lease_is_free(store):
    with_hunt(store)
    lease = store.take_leases("hunt", "ann", candidates(1), count=1, seconds=60, now=0.0)[0]
    store.release(lease.id)
    store.release(lease.id)
    assert store.leases("hunt", 0.0) == []
    assert ask(store, "bob", now=0.0) == [1]


def test_a_candidate_named_twice_is_leased_once(store):
    with_hunt(store)
    assert ask(store, rows=(1, 1, 2), count=3) == [1, 2]


def test_a_lease_keeps_the_reason(store):
    with_hunt(store)
    evidence = {"jump": np.float64(2.5), "far": float("inf")}
    candidate = replace(candidates(5)[0], why="odd \ud800 text", evidence=evidence)
    store.take_leases("hunt", "ann", [candidate], count=1, seconds=60, now=0.0)
    kept = store.leases("hunt", 1.0)[0].candidate
    assert (kept.row, kept.why, kept.neighbours) == (5, "odd \ud800 text", (6,))
    assert kept.evidence == {"jump": 2.5, "far": float("inf")}


def test_a_thousand_candidates_are_looked_through(store):
    with_hunt(store)
    for future in [store.submit(label(row)) for row in range(1200)]:
        future.result()
    assert ask(store, "bob", rows=range(1300), count=2) == [1200, 1201]


def test_leases_that_make_no_sense_are_refused(store):
    with_hunt(store)
    for changes in ({"count": 0}, {"overlap": 0}, {"seconds": 0.0}, {"seconds": float("nan")}):
        with pytest.raises(ParameterError, match=f"'{next(iter(changes))}' of take_leases"):
            ask(store, **changes)


def test_people_who_ask_at_once_never_hold_the_same_record(store):
    with_hunt(store)
    held = {}

    def work(annotator):
        held[annotator] = ask(store, annotator, rows=range(40), count=4)

    threads = [threading.Thread(target=work, args=(f"a{i}",)) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = [row for mine in held.values() for row in mine]
    assert sorted(rows) == list(range(40))


def test_what_nobody_has_seen_is_given_back_for_what_is_better_now(store):
    with_hunt(store)
    taken = store.take_leases("hunt", "ann", candidates(1, 2, 3), count=3, seconds=60, now=100.0)
    asking = {"count": 3, "seconds": 60, "now": 110.0}
    now = store.take_leases(
        "hunt", "ann", candidates(7, 3, 8), **asking, seen=[taken[1].id, "not mine"]
    )
    assert [lease.candidate.row for lease in now] == [2, 7, 3]
    assert now[0].id == taken[1].id
    assert {lease.id for lease in store.leases("hunt", 110.0)} == {lease.id for lease in now}
    assert ask(store, "bob", rows=(1, 2, 3), count=3, now=110.0) == [1]
    nothing = store.take_leases("hunt", "ann", [], **asking, seen=[])
    assert nothing == []
    assert [lease.annotator for lease in store.leases("hunt", 110.0)] == ["bob"]
