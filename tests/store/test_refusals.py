"""The words in which every store refuses."""

from __future__ import annotations

import pytest

from rarefind.core.errors import RarefindError
from rarefind.store import Event
from rarefind.testing.stores.examples import (
    append,
    ask,
    data_set,
    hunt_entry,
    label,
    ranking,
    undo,
    with_hunt,
)


def event(kind, row, value):
    return Event("e", "hunt", kind, row, value, "ann", 0.0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: s.hunt("the hnut"), r"Did you mean 'the hunt'\? Available: the hunt"),
        (lambda s: s.events("none"), "There is no hunt with the id 'none'"),
        (lambda s: s.keep(append("most")), "no data set with the id 'most'"),
        (lambda s: s.put_dataset(data_set(sha256="cd" * 32)), "stands for another data set"),
        (
            lambda s: s.create_hunt(hunt_entry("third", name="the hunt")),
            "a hunt named 'the hunt' already",
        ),
        (lambda s: s.create_hunt(hunt_entry(name="other")), "stands for another hunt"),
        (
            lambda s: s.change_hunt("hunt", {"strategy": object()}),
            "settings of a hunt must hold only text, numbers",
        ),
        (lambda s: s.put_ranking(ranking(target="error")), "another ranking"),
        (lambda s: s.put_ranking(ranking("uneven", rows=[1])), "one score for each row"),
        (lambda s: s.put_ranking(ranking("words", rows=["a", "b", "c"])), "must be numbers"),
        (lambda s: s.keep(label(4, id="e1")), "stands for another event already"),
        (lambda s: s.keep(undo("never")), "There is no event 'never' in this hunt"),
        (lambda s: s.keep(undo("e2")), "There is no event"),
        (lambda s: s.keep(undo("back")), "An undo cannot be taken back"),
        (lambda s: s.keep(undo("added")), "Records that were added stay"),
        (lambda s: s.keep(undo("e3")), "has been taken back already"),
        (lambda s: s.keep(label(3, "fraud\x00")), "^The label holds a NUL character"),
        (lambda s: s.keep(label(3, "half \ud800")), "^The label holds half a character"),
        (lambda s: s.keep(label(3, "")), "^The label must"),
        (lambda s: s.keep(label(3, annotator="")), "name of an annotator"),
        (lambda s: s.create_hunt(hunt_entry("x", name="")), "name of a hunt"),
        (lambda s: s.keep(label(-1)), "A row must be a whole number from 0. Got -1"),
        (lambda s: s.keep(event("guess", 1, "x")), "must be label, skip, undo, append or rename"),
        (lambda s: s.keep(event("label", None, "x")), "must name a row"),
        (lambda s: s.keep(event("label", 1, None)), "must have a value"),
        (lambda s: s.keep(event("skip", 1, "x")), "must not have a value"),
        (lambda s: s.keep(event("undo", 1, "x")), "must not name a row"),
        (lambda s: s.keep(label(1, id="e" * 101)), "at most 100 characters"),
        (lambda s: ask(s, count=0), "'count' of take_leases"),
    ],
)
def test_every_store_refuses_in_the_same_words(store, call, words):
    with_hunt(store, "hunt", "other")
    store.put_ranking(ranking())
    for kept in (
        label(3, id="e1"),
        label(3, id="e2", hunt="other"),
        label(5, id="e3"),
        Event("back", "hunt", "undo", None, "e3", "ann", 0.0),
        Event("added", "hunt", "append", None, "data", "ann", 0.0),
    ):
        store.keep(kept)
    with pytest.raises(RarefindError, match=words):
        call(store)


def test_a_backup_never_writes_over_a_file(store, tmp_path):
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(RarefindError, match="exists already: give the backup a new name"):
        store.backup(target)
    with pytest.raises(RarefindError, match="There is no folder"):
        store.backup(tmp_path / "none" / "copy.db")


def test_a_closed_store_says_so(store):
    store.close()
    with pytest.raises(RarefindError, match="The store is closed"):
        store.hunts()
