"""What every store must do, whichever engine keeps it."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from rarefind.core.errors import ParameterError, RarefindError, StateError, UnknownNameError
from rarefind.store import Event, RankingEntry, open_store, replay
from tests.store.example import (
    append,
    candidates,
    data_set,
    hunt_entry,
    label,
    new_id,
    skip,
    undo,
    with_hunt,
)


def ask(store, annotator="ann", rows=(1, 2, 3), *, count=1, now=100.0, seconds=60.0, overlap=1):
    leases = store.take_leases(
        "hunt",
        annotator,
        candidates(*rows),
        count=count,
        seconds=seconds,
        now=now,
        overlap=overlap,
    )
    return [lease.candidate.row for lease in leases]


def same_projection(store, hunt="hunt"):
    return store.standing(hunt) == replay(store.events(hunt)).statements


# -- data sets and hunts --------------------------------------------------------------------------


def test_a_data_set_comes_back_as_it_was_kept(store):
    data = data_set(reading={"text": "é\x00\ud800", "list": [1, 2.5, None, True], "nan": 1e300})
    assert store.put_dataset(data) == data
    assert store.dataset("data") == data
    assert store.datasets() == [data]


def test_the_same_file_read_in_the_same_way_is_kept_once(store):
    first = store.put_dataset(data_set())
    assert store.put_dataset(data_set("another", name="copy", created_at=99.0)) == first
    changed = store.put_dataset(data_set("changed", sha256="cd" * 32))
    other_reading = store.put_dataset(data_set("read otherwise", reading={}))
    assert [data.id for data in store.datasets()] == ["changed", "data", "read otherwise"]
    assert (changed.id, other_reading.id) == ("changed", "read otherwise")


def test_an_id_of_another_data_set_is_refused(store):
    store.put_dataset(data_set())
    with pytest.raises(StateError, match="stands for another data set"):
        store.put_dataset(data_set(sha256="cd" * 32))


def test_a_hunt_is_found_by_id_and_by_name(store):
    with_hunt(store, "first", "second")
    assert store.hunt("first") == store.hunt("the first") == hunt_entry("first")
    assert [hunt.id for hunt in store.hunts()] == ["first", "second"]


def test_hunts_and_data_sets_come_oldest_first(store):
    store.put_dataset(data_set("data", created_at=5.0))
    store.put_dataset(data_set("older", sha256="00", created_at=4.0))
    store.create_hunt(hunt_entry("late", created_at=9.0))
    store.create_hunt(hunt_entry("early", created_at=8.0))
    assert [data.id for data in store.datasets()] == ["older", "data"]
    assert [hunt.id for hunt in store.hunts()] == ["early", "late"]


def test_an_unknown_hunt_is_answered_with_the_nearest_name(store):
    with_hunt(store)
    with pytest.raises(UnknownNameError, match=r"Did you mean 'the hunt'\? Available: the hunt"):
        store.hunt("the hnut")


def test_what_does_not_exist_is_said_to_be_missing(store):
    store.put_dataset(data_set())
    for call in [
        lambda: store.dataset("none"),
        lambda: store.events("none"),
        lambda: store.standing("none"),
        lambda: store.leases("none", 0.0),
        lambda: store.rankings("none"),
        lambda: store.ranking("none"),
        lambda: store.model("none", "lago"),
        lambda: store.put_model("none", "lago", {}, b""),
        lambda: store.change_hunt("none", {}),
        lambda: store.keep(label(1, hunt="none")),
        lambda: store.take_leases("none", "ann", [], count=1, seconds=1, now=0),
        lambda: store.create_hunt(hunt_entry(dataset="none")),
        lambda: store.put_ranking(ranking(hunt="none")),
    ]:
        with pytest.raises(UnknownNameError, match=r"There is no .*none"):
            call()


def test_a_name_that_is_taken_is_refused_but_the_same_hunt_again_is_not(store):
    with_hunt(store)
    store.create_hunt(hunt_entry())
    with pytest.raises(StateError, match="a hunt named 'the hunt' already"):
        store.create_hunt(hunt_entry("other", name="the hunt"))
    with pytest.raises(StateError, match="stands for another hunt"):
        store.create_hunt(hunt_entry(name="other"))
    assert len(store.hunts()) == 1


def test_settings_are_replaced(store):
    with_hunt(store)
    changed = store.change_hunt("hunt", {"overlap": 3})
    assert changed == store.hunt("hunt") == replace(hunt_entry(), settings={"overlap": 3})


def test_settings_that_cannot_be_written_are_refused(store):
    with_hunt(store)
    with pytest.raises(ParameterError, match="settings of a hunt must hold only text, numbers"):
        store.change_hunt("hunt", {"strategy": object()})


# -- events ---------------------------------------------------------------------------------------


def test_an_event_gets_its_place_and_time(store):
    with_hunt(store)
    before = time.time()
    first = store.keep(label(3, asked=True, id="e1"))
    second = store.keep(skip(4))
    assert not first.repeated
    assert (first.event.seq, second.event.seq) == (1, 2)
    assert before - 1 <= first.event.at <= time.time() + 1
    assert store.events("hunt") == [first.event, second.event]
    assert store.events("hunt", after=1) == [second.event]
    assert (
        store.event("e1")
        == first.event
        == replace(label(3, asked=True, id="e1"), seq=1, at=first.event.at)
    )
    assert store.event("never") is None


def test_the_same_id_counts_once(store):
    with_hunt(store)
    event = label(3, asked=True)
    first = store.keep(event)
    again = store.keep(replace(event, asked=False, at=77.0))
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


# -- leases ---------------------------------------------------------------------------------------


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


# -- rankings and models --------------------------------------------------------------------------


def ranking(id="r", **changes):
    values = {
        "hunt": "hunt",
        "target": "fraud",
        "model": "lago",
        "after_seq": 7,
        "note": {"why": "best"},
        "rows": np.array([5, 2, 9]),
        "scores": np.array([0.5, -1.0, np.nan]),
        "created_at": 1.0,
    }
    return RankingEntry(id, **{**values, **changes})


def test_a_ranking_comes_back_with_its_numbers_and_lists_without(store):
    with_hunt(store)
    store.put_ranking(ranking())
    store.put_ranking(ranking("older", created_at=0.5))
    store.put_ranking(ranking())
    kept = store.ranking("r")
    np.testing.assert_array_equal(kept.rows, [5, 2, 9])
    np.testing.assert_array_equal(kept.scores, [0.5, -1.0, np.nan])
    assert kept.note == {"why": "best"}
    assert [(one.id, len(one.rows), len(one.scores)) for one in store.rankings("hunt")] == [
        ("older", 0, 0),
        ("r", 0, 0),
    ]


def test_another_ranking_of_the_same_id_is_refused(store):
    with_hunt(store)
    store.put_ranking(ranking())
    with pytest.raises(StateError, match="another ranking"):
        store.put_ranking(ranking(scores=np.array([0.5, -1.0, 2.0])))
    with pytest.raises(ParameterError, match="one score for each row"):
        store.put_ranking(ranking("uneven", rows=np.array([1])))


def test_a_model_comes_back_and_is_replaced(store):
    with_hunt(store)
    store.put_model("hunt", "lago", {"alpha": 1}, b"\x00\x01")
    store.put_model("hunt", "lago", {"alpha": 2}, b"\xff" * 100_000)
    assert store.model("hunt", "lago") == ({"alpha": 2}, b"\xff" * 100_000)
    with pytest.raises(UnknownNameError, match="Did you mean 'lago'"):
        store.model("hunt", "lag")


# -- care -----------------------------------------------------------------------------------------


def fill(store):
    with_hunt(store, "hunt", "other")
    words = [store.keep(label(row, annotator=f"a{row % 3}")).event for row in range(20)]
    store.keep(skip(30, hunt="other"))
    store.keep(undo(words[4].id))
    store.keep(append("data"))
    ask(store, "ann", rows=(90, 91), count=2)
    store.put_ranking(ranking())
    store.put_model("hunt", "lago", {"alpha": 1}, b"\x00\x01")


def everything(store):
    hunts = [hunt.id for hunt in store.hunts()]
    return (
        store.datasets(),
        store.hunts(),
        [store.events(hunt) for hunt in hunts],
        [store.standing(hunt) for hunt in hunts],
        [store.leases(hunt, 100.0) for hunt in hunts],
        [(one.id, one.rows.tolist()) for one in [store.ranking("r")]],
        store.model("hunt", "lago"),
    )


def test_a_backup_holds_everything_and_goes_on(store, tmp_path):
    fill(store)
    target = tmp_path / "copy.db"
    store.backup(target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("*copy*")] == ["copy.db"]
    with open_store(target) as copy:
        assert everything(copy) == everything(store)
        assert copy.check().ok
        assert copy.keep(label(77)).event.seq == 24
    assert len(store.events("hunt")) == 22


def test_a_backup_never_writes_over_a_file(store, tmp_path):
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(StateError, match="exists already: give the backup a new name"):
        store.backup(target)
    assert target.read_text() == "precious"
    with pytest.raises(RarefindError, match="There is no folder"):
        store.backup(tmp_path / "none" / "copy.db")


def test_a_whole_store_is_found_whole(store):
    fill(store)
    report = store.check()
    assert (report.ok, report.faults, report.repaired) == (True, (), ())
    assert (report.hunts, report.events) == (2, 23)
    assert store.check(repair=True) == report


def test_a_closed_store_says_so(store):
    with_hunt(store)
    store.close()
    store.close()
    for call in (
        lambda: store.keep(label(1)),
        lambda: store.hunts(),
        lambda: store.put_dataset(data_set()),
        lambda: ask(store),
    ):
        with pytest.raises(StateError, match="The store is closed"):
            call()


def test_what_is_kept_is_there_when_the_store_is_opened_again(engine, address):
    if engine == "memory":
        return
    with open_store(address) as store:
        fill(store)
        kept = everything(store)
    with open_store(address) as store:
        assert everything(store) == kept


def test_two_open_stores_see_each_other(engine, address):
    if engine == "memory":
        return
    with open_store(address) as one, open_store(address) as other:
        with_hunt(one)
        event = label(3, id=new_id())
        assert not one.keep(event).repeated
        assert other.keep(event).repeated
        assert other.keep(label(4)).event.seq == 2
        assert [kept.row for kept in one.events("hunt")] == [3, 4]
        assert ask(one, "ann") == [1]
        assert ask(other, "bob") == [2]
