"""Stores that break one rule each."""

from __future__ import annotations

import shutil
import threading
from concurrent.futures import Future
from dataclasses import replace

import pytest

from rarefind.core.asked_by import UNKNOWN
from rarefind.core.errors import ParameterError, StateError, UnknownNameError
from rarefind.store import Kept, MemoryStore, open_store, replay
from rarefind.testing import check_store
from rarefind.testing.stores import RULES, SHARED_RULES
from rarefind.testing.stores.examples import new_id
from tests.testing.broken import assert_breaks, assert_every_rule_is_tried


def done(event, repeated=False):
    future = Future()
    future.set_result(Kept(event, repeated))
    return future


def elsewhere():
    return threading.current_thread() is not threading.main_thread()


def forgiving(name, error, otherwise=lambda *given: None):
    """A method that does not mind an error."""

    def method(self, *given, **options):
        try:
            return getattr(MemoryStore, name)(self, *given, **options)
        except error:
            return otherwise(*given)

    return method


def submitting(change):
    """A store that does something else with some events: ``change(store, event)``, or None."""

    def submit(self, event):
        other = change(self, event)
        return MemoryStore.submit(self, event) if other is None else other

    return {"submit": submit}


def taken_back_alone(self, events):
    """A step that ends with its first event when it is taken back."""
    undone = all(event.kind == "undo" for event in events)
    return MemoryStore.submit_together(self, events[:1] if undone else events)


def asking(change):
    """A store that leases other candidates, or in another way."""

    def take_leases(self, hunt, annotator, candidates, **options):
        candidates, options = change(self, annotator, candidates, options)
        return MemoryStore.take_leases(self, hunt, annotator, candidates, **options)

    return {"take_leases": take_leases}


def accepts(kind):
    def change(store, event):
        future = MemoryStore.submit(store, event)
        return done(event) if event.kind == kind and future.exception() else future

    return submitting(change)


def returns_what_came(self, dataset):
    MemoryStore.put_dataset(self, dataset)
    return dataset


def only_by_id(self, name):
    if name.startswith("the "):
        raise UnknownNameError(f"There is no hunt {name!r}.")
    return MemoryStore.hunt(self, name)


def old_settings(self, id, settings):
    before = self.hunt(id)
    MemoryStore.change_hunt(self, id, settings)
    return before


def never_repeated(store, event):
    future = MemoryStore.submit(store, event)
    return future if future.exception() else done(future.result().event)


def known_id_is_enough(store, event):
    before = store.event(event.id)
    return None if before is None else done(before, repeated=True)


def counts_each_hunt(self, hunt, after=0):
    events = MemoryStore.events(self, hunt)
    return [replace(e, seq=place) for place, e in enumerate(events, 1) if place > after]


def forgets_rows_undone(self, hunt):
    events = {event.id: event for event in self.events(hunt)}
    rows = {events[e.value].row for e in events.values() if e.kind == "undo"}
    return [word for word in MemoryStore.standing(self, hunt) if word.row not in rows]


def skips_stay(self, hunt):
    events = self.events(hunt)
    skips = {event.id for event in events if event.kind == "skip"}
    return replay([e for e in events if e.value not in skips]).statements


def old_names(self, hunt):
    return replay([e for e in self.events(hunt) if e.kind != "rename"]).statements


def spoilt(store, event):
    before, store.spoilt = getattr(store, "spoilt", False), False
    if before:
        raise RuntimeError("the batch was spoilt")
    future = MemoryStore.submit(store, event)
    store.spoilt = isinstance(future.exception(), UnknownNameError)
    return future


class OneByOne(MemoryStore):
    """Takes nothing back that was handed over without waiting for it."""

    def keep(self, event):
        return super().submit(event).result()

    def submit(self, event):
        if event.kind != "undo":
            return super().submit(event)
        future = Future()
        future.set_exception(StateError("There is no such event."))
        return future


def truth_is_one(store, event):
    plain = replace(event, row=int(event.row)) if event.row is True else event
    return MemoryStore.submit(store, plain)


def guesses(store, event):
    plain = replace(event, kind="label") if event.kind == "guess" else event
    return MemoryStore.submit(store, plain)


def twice_in_threads(store, event):
    other = replace(event, id=new_id()) if elsewhere() else event
    return MemoryStore.submit(store, other)


def to_anybody(store, annotator, candidates, options):
    return candidates, {**options, "overlap": 9}


def to_nobody_twice(store, annotator, candidates, options):
    for lease in store.leases("hunt", options["now"]) if candidates else ():
        if lease.annotator == annotator:
            store.release(lease.id)
    return candidates, options


def ends_every_lease(store, event):
    future = MemoryStore.submit(store, event)
    for lease in store.leases(event.hunt, 200.0) if event.hunt == "hunt" else ():
        store.release(lease.id)
    return future


def once_spoken(store, annotator, candidates, options):
    said = {e.row for e in store.events("hunt")} if options.get("overlap") == 1 else set()
    return [one for one in candidates if one.row not in said], options


def in_threads_to_anybody(store, annotator, candidates, options):
    return candidates, {**options, "overlap": 9 if elsewhere() else options.get("overlap", 1)}


def doubled(self, hunt, annotator, candidates, **options):
    leases = MemoryStore.take_leases(self, hunt, annotator, candidates, **options)
    rows = [candidate.row for candidate in candidates]
    return leases if len(set(rows)) == len(rows) else [leases[0], *leases]


def without_evidence(self, hunt, now):
    # What is leased again is looked up here as well, and compared in an earlier rule.
    return [
        replace(one, candidate=replace(one.candidate, evidence={}))
        if one.candidate.row == 5
        else one
        for one in MemoryStore.leases(self, hunt, now)
    ]


def nobody_asked(self, hunt):
    return [replace(word, asked_by=None) for word in MemoryStore.standing(self, hunt)]


def release(store, wanted):
    for lease in MemoryStore.leases(store, "hunt", 0.0):
        if wanted(lease):
            store.release(lease.id)


def lease_ends_first(store, event):
    if event.asked_by == UNKNOWN and store.hunts():
        release(store, lambda lease: lease.candidate.row == event.row)


def expired_is_gone(store, annotator, candidates, options):
    if candidates:
        release(store, lambda lease: lease.expires_at <= options["now"])
    return candidates, options


def forgets_with_undo(store, event):
    if event.asked_by != UNKNOWN or all(one.kind != "undo" for one in store.events(event.hunt)):
        return None
    return done(replace(MemoryStore.submit(store, event).result().event, asked_by=UNKNOWN))


def keeps_what_nobody_saw(store, annotator, candidates, options):
    return candidates, {name: value for name, value in options.items() if name != "seen"}


def readable(self, path):
    MemoryStore.backup(self, path)
    path.chmod(0o644)


def overwriting(self, path):
    path.unlink(missing_ok=True)
    MemoryStore.backup(self, path)


def never_whole(self, *, repair=False):
    return replace(MemoryStore.check(self), ok=not repair)


BROKEN = [
    ("A data set comes back", {"dataset": lambda s, id: replace(s.datasets()[0], name="x")}),
    ("The same file", {"put_dataset": returns_what_came}),
    ("An id stands", {"put_dataset": forgiving("put_dataset", StateError, lambda one: one)}),
    ("A hunt is found", {"hunt": only_by_id}),
    ("Data sets, hunts", {"hunts": lambda self: MemoryStore.hunts(self)[::-1]}),
    ("What does not exist", {"standing": forgiving("standing", UnknownNameError, lambda h: [])}),
    ("A name or id", {"create_hunt": forgiving("create_hunt", StateError)}),
    ("The settings", {"change_hunt": old_settings}),
    (
        "A ranking comes back",
        {"rankings": lambda s, h: [s.ranking("r")] if h == "hunt" else MemoryStore.rankings(s, h)},
    ),
    ("Another ranking", {"put_ranking": forgiving("put_ranking", StateError)}),
    ("Text that no", {"take_leases": forgiving("take_leases", ParameterError, lambda *g: [])}),
    (
        "All other text",
        {
            "standing": lambda s, h: [
                replace(word, label=str(word.label)[:200]) for word in MemoryStore.standing(s, h)
            ]
        },
    ),
    ("An event gets", {"events": lambda s, h, after=0: MemoryStore.events(s, h)}),
    ("The same id counts", submitting(never_repeated)),
    ("The same id with", submitting(known_id_is_enough)),
    ("Places count", {"events": counts_each_hunt}),
    ("The latest word", {"standing": forgets_rows_undone}),
    ("Undo of the only", {"standing": skips_stay}),
    ("Only a label", accepts("undo")),
    ("Records are added", accepts("append")),
    ("A rename changes", {"standing": old_names}),
    ("A refused event", submitting(spoilt)),
    ("An event may take back", OneByOne),
    ("A row is a whole", submitting(truth_is_one)),
    ("An event that makes", submitting(guesses)),
    ("Many threads", submitting(twice_in_threads)),
    ("Events that belong together", {"submit_together": taken_back_alone}),
    ("Nobody gets", asking(to_anybody)),
    ("Whoever comes back", asking(to_nobody_twice)),
    ("A lease expires", {"leases": lambda s, h, now: MemoryStore.leases(s, h, 0.0)}),
    ("An answer ends", submitting(ends_every_lease)),
    ("With an overlap", asking(lambda s, a, c, o: (c, {**o, "overlap": 1}))),
    ("A record that somebody", asking(once_spoken)),
    ("A released lease", {"release": lambda self, lease: None}),
    ("A candidate named", {"take_leases": doubled}),
    ("A lease keeps", {"leases": without_evidence}),
    ("The first free", asking(lambda s, a, c, o: (list(c)[:1000], o))),
    ("Leases that make", asking(lambda s, a, c, o: (c, {**o, "count": max(1, o["count"])}))),
    ("People who ask", asking(in_threads_to_anybody)),
    ("What nobody has seen", asking(keeps_what_nobody_saw)),
    ("Who asked is kept", {"standing": nobody_asked}),
    ("Where an answer", submitting(lease_ends_first)),
    ("A lease that expired", asking(expired_is_gone)),
    ("Whoever takes an answer back", submitting(forgets_with_undo)),
    ("A backup holds", {"backup": readable}),
    ("A backup never", {"backup": overwriting}),
    ("A store that is whole", {"check": never_whole}),
    ("A store that was closed", {"close": lambda self: None}),
]


@pytest.mark.parametrize(("rule", "broken"), BROKEN, ids=[rule for rule, _ in BROKEN])
def test_a_store_that_breaks_a_rule_is_told_which(rule, broken):
    kind = type("Broken", (MemoryStore,), broken) if isinstance(broken, dict) else broken
    assert_breaks(lambda: check_store(kind), rule, "")


def test_a_store_that_forgets_when_it_is_closed_is_found_out():
    assert_breaks(lambda: check_store(MemoryStore, MemoryStore), "What is kept is there", "")


def test_a_store_of_which_each_sees_a_copy_is_found_out(tmp_path):
    files = [tmp_path / "0.db"]

    def another():
        files.append(tmp_path / f"{len(files)}.db")
        return files[-1]

    def again():
        here = files[-1]
        shutil.copy(here, another())
        return open_store(files[-1])

    assert_breaks(lambda: check_store(lambda: open_store(another()), again), "Two who have", "")


def test_every_rule_is_broken_here():
    tried = [rule for rule, _ in BROKEN]
    assert_every_rule_is_tried(RULES, tried)
    assert_every_rule_is_tried(SHARED_RULES, ["What is kept is there", "Two who have"])
