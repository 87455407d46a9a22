"""What every store must do with events."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rarefind.core.asked_by import UNKNOWN
from rarefind.core.errors import ParameterError, StateError, UnknownNameError
from rarefind.store import Event, Kept, Store, replay
from rarefind.testing.rules import Rule, require, require_equal, require_refused
from rarefind.testing.stores.examples import (
    append,
    data_set,
    label,
    rename,
    skip,
    undo,
    with_hunt,
)


def _place(store: Store) -> None:
    """An event gets its place and time, and comes back as it was sent."""
    with_hunt(store)
    before = time.time()
    first = store.keep(label(3, asked_by=UNKNOWN, id="e1"))
    second = store.keep(skip(4))
    require_equal((first.repeated, second.repeated), (False, False), "repeated")
    require_equal((first.event.seq, second.event.seq), (1, 2), "The places of the first two")
    at = first.event.at
    require(before - 1 <= at <= time.time() + 1, f"Its time is {at}, kept at {before}.")
    require_equal(
        first.event, replace(label(3, asked_by=UNKNOWN, id="e1"), seq=1, at=at), "The event"
    )
    require_equal(store.events("hunt"), [first.event, second.event], "events('hunt')")
    require_equal(store.events("hunt", after=1), [second.event], "events('hunt', after=1)")
    require_equal(store.event("e1"), first.event, "event('e1')")


def _once(store: Store) -> None:
    """The same id counts once, however often it is sent."""
    with_hunt(store)
    event = label(3, asked_by=UNKNOWN)
    first = store.keep(event)
    again = store.keep(replace(event, asked_by=None, at=77.0))
    require_equal((again.event, again.repeated), (first.event, True), "The second answer")
    require_equal(store.events("hunt"), [first.event], "The events after an event came twice")


def _other_contents(store: Store) -> None:
    """The same id with other contents is refused."""
    with_hunt(store, "hunt", "other")
    event = label(3)
    kept = store.keep(event).event
    changes: list[dict[str, Any]] = [
        {"value": "error"},
        {"row": 4},
        {"annotator": "bob"},
        {"hunt": "other"},
    ]
    for change in changes:
        other = replace(event, **change)
        require_refused(partial(store.keep, other), StateError, f"Now with {change}")
    require_equal(store.events("hunt"), [kept], "The events after that")


def _no_gaps(store: Store) -> None:
    """Places count through all hunts of the store, without gaps."""
    with_hunt(store, "one", "two")
    places = [store.keep(label(row, hunt=("one", "two")[row % 2])).event.seq for row in range(6)]
    require_equal(places, [1, 2, 3, 4, 5, 6], "The places of six events of two hunts in turn")
    require_equal([event.seq for event in store.events("two")], [2, 4, 6], "Those of the second")


def _latest(store: Store) -> None:
    """The latest word of a person on a row stands, and undo brings back the one before."""
    with_hunt(store)
    store.keep(label(3, "fraud"))
    store.keep(label(3, "fraud", annotator="bob"))
    correction = store.keep(label(3, "error")).event
    _require_standing(store, ["fraud", "error"], "after a correction")
    store.keep(undo(correction.id))
    _require_standing(store, ["fraud", "fraud"], "after the correction was taken back")


def _only_word(store: Store) -> None:
    """Undo of the only word leaves nothing, and undo of an earlier word leaves the later one."""
    with_hunt(store)
    only = store.keep(skip(3)).event
    store.keep(undo(only.id, annotator="somebody else"))
    _require_standing(store, [], "after the only word was taken back")
    earlier = store.keep(label(3, "fraud")).event
    store.keep(label(3, "error"))
    store.keep(undo(earlier.id))
    _require_standing(store, ["error"], "after the word before it was taken back")


def _not_undone(store: Store) -> None:
    """Only a label, skip or rename of the same hunt can be taken back, and only once."""
    with_hunt(store, "hunt", "other")
    word = store.keep(label(3)).event
    back = store.keep(undo(word.id)).event
    added = store.keep(append("data")).event
    elsewhere = store.keep(label(3, hunt="other")).event
    for what, target in {
        "what was never kept": "never",
        "an event of another hunt": elsewhere.id,
        "an undo": back.id,
        "an append": added.id,
        "what was taken back already": word.id,
    }.items():
        require_refused(partial(store.keep, undo(target)), StateError, f"Undo of {what}")
    require_equal(len(store.events("hunt")), 3, "The number of events after that")


def _append(store: Store) -> None:
    """Records are added only from a known data set."""
    with_hunt(store)
    store.put_dataset(data_set("more", sha256="00"))
    store.keep(append("more"))
    require_refused(
        lambda: store.keep(append("most")), UnknownNameError, "Append of 'most'", naming="most"
    )
    require_equal(replay(store.events("hunt")).parts, ["more"], "What was added")


def _rename(store: Store) -> None:
    """A rename changes what was said before it, until it is taken back."""
    with_hunt(store)
    store.keep(label(3, "frued"))
    store.keep(label(4, "fraud"))
    merged = store.keep(rename("frued", "fraud")).event
    _require_standing(store, ["fraud", "fraud"], "after a class was merged into another")
    store.keep(label(5, "frued"))
    _require_standing(store, ["fraud", "fraud", "frued"], "after the old name was used again")
    store.keep(rename("fraud", "theft", id="second"))
    _require_standing(store, ["theft", "theft", "frued"], "after a second rename")
    store.keep(undo(merged.id))
    _require_standing(store, ["frued", "theft", "frued"], "after the first was taken back")
    for value in ['["a", "a"]', '["a"]', '["a", ""]', "a", "[1, 2]"]:
        event = Event("e", "hunt", "rename", None, value, "ann", 0.0)
        require_refused(partial(store.keep, event), ParameterError, f"A rename of {value}")


def _batch(store: Store) -> None:
    """A refused event does not spoil those handed over with it."""
    with_hunt(store)
    futures = [store.submit(label(row, hunt="hunt" if row % 3 else "none")) for row in range(200)]
    kept = [row for row, future in enumerate(futures) if future.exception() is None]
    expected = [row for row in range(200) if row % 3]
    require_equal(kept, expected, "Rows acknowledged, every third of an unknown hunt")
    require_equal([event.row for event in store.events("hunt")], kept, "Rows kept")


def _in_batch(store: Store) -> None:
    """An event may take back or repeat another that was handed over just before it."""
    with_hunt(store)
    futures = []
    for row in range(50):
        first, second = label(row, "fraud"), label(row, "error")
        futures += [store.submit(event) for event in (first, second, undo(second.id), first)]
    repeated = [future.result().repeated for future in futures]
    require_equal(repeated, [False, False, False, True] * 50, "repeated")
    _require_standing(store, ["fraud"] * 50, "of 50 rows labelled, corrected and undone")


def _together(store: Store) -> None:
    """Events that belong together get places in a row, and so does what takes them back."""
    with_hunt(store)
    store.keep(label(5, "error", id="before"))
    step = [label(row, id=f"step.{row}") for row in range(1200)]
    stranger = label(3, hunt="none")
    *kept, refused = store.submit_together([*step, stranger]).result()
    places = [each.event.seq for each in kept if isinstance(each, Kept)]
    require_equal(places, list(range(2, 1202)), "The places of 1,200 events handed over together")
    require(isinstance(refused, UnknownNameError), f"One of an unknown hunt gave {refused!r}.")
    again = store.submit_together(step).result()
    repeated = all(isinstance(each, Kept) and each.repeated for each in again)
    require(repeated, "The same step sent again counted again.")
    undos = [undo(event.id) for event in step]
    store.submit_together(undos).result()
    _require_standing(store, ["error"], "after a step of 1,200 was taken back")
    require_equal(len(store.events("hunt")), 2401, "Events after a step and its undo")


def _rows(store: Store) -> None:
    """A row is a whole number from 0 up to what 63 bits hold, and comes back as a plain one."""
    with_hunt(store)
    for row in [-1, 1.5, "3", True, 2**63, float("nan")]:
        require_refused(partial(store.keep, label(row)), ParameterError, f"The row {row!r}")
    store.keep(label(np.int64(2**40)))
    found = [(type(event.row), event.row) for event in store.events("hunt")]
    require_equal(found, [(int, 2**40)], "Row 2**40 given as a number of NumPy")


def _nonsense(store: Store) -> None:
    """An event that makes no sense is refused."""
    with_hunt(store)
    events: list[tuple[Any, int | None, str | None]] = [
        ("guess", 1, "x"),
        ("label", None, "x"),
        ("label", 1, None),
        ("skip", 1, "x"),
        ("undo", 1, "x"),
    ]
    for kind, row, value in events:
        event = Event("e", "hunt", kind, row, value, "ann", 0.0)
        what = f"A {kind} with the row {row} and the value {value!r}"
        require_refused(partial(store.keep, event), ParameterError, what)
    require_refused(
        lambda: store.keep(label(1, id="e" * 101)), ParameterError, "An id of 101 characters"
    )
    require_equal(store.events("hunt"), [], "The events after that")


def _threads(store: Store) -> None:
    """Many threads keep everything once, and places have no gaps."""
    with_hunt(store)
    events = [label(row, annotator=f"a{row % 7}") for row in range(200)]
    problems: list[Exception] = []

    def work(part: list[Event]) -> None:
        try:
            for event in part:
                store.keep(event)
                store.keep(event)
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(events[i::10],)) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    require_equal(problems, [], "Errors of ten threads that send 200 events twice")
    kept = store.events("hunt")
    require_equal({event.id for event in kept}, {event.id for event in events}, "Their ids")
    require_equal([event.seq for event in kept], list(range(1, 201)), "Their places")


def _require_standing(store: Store, labels: list[str], when: str) -> None:
    """What stands is as expected, and the replay of the events."""
    standing = store.standing("hunt")
    require_equal([word.label for word in standing], labels, f"Labels that stand {when}")
    require_equal(standing, replay(store.events("hunt")).statements, f"What stands {when}")


RULES: tuple[Rule, ...] = (
    _place,
    _once,
    _other_contents,
    _no_gaps,
    _latest,
    _only_word,
    _not_undone,
    _append,
    _rename,
    _batch,
    _in_batch,
    _together,
    _rows,
    _nonsense,
    _threads,
)
"""What every store keeps to about events."""
