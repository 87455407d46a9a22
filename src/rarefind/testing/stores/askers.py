"""What every store must remember of who asked a question."""

from __future__ import annotations

from dataclasses import replace

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.store import Candidate, Event, Store
from rarefind.store.contract import LATE_SECONDS
from rarefind.testing.rules import Rule, require_equal
from rarefind.testing.stores.examples import label, skip, undo, with_hunt

KNOT = AskedBy("knot", {"chance": 0.1 + 0.2, "radius": 1e-300})
"""Numbers that do not survive being written with few digits."""


def _kept(store: Store) -> None:
    """Who asked is kept with the answer."""
    with_hunt(store)
    store.keep(label(3, asked_by=KNOT))
    store.keep(skip(4))
    events = [event.asked_by for event in store.events("hunt")]
    require_equal(events, [KNOT, None], "Who asked, by the events")
    standing = [word.asked_by for word in store.standing("hunt")]
    require_equal(standing, [KNOT, None], "Who asked, by what stands")


def _lease_tells(store: Store) -> None:
    """Where an answer does not know who asked, the lease of that person on that row tells."""
    with_hunt(store)
    for row in (3, 4, 5, 6):
        _ask(store, row)
    for event, expected in [
        (label(3, asked_by=UNKNOWN), KNOT),
        (replace(skip(4), asked_by=UNKNOWN), KNOT),
        (label(5), None),
        (label(6, annotator="bob", asked_by=UNKNOWN), UNKNOWN),
    ]:
        _require_asker(store, event, expected, f"a {event.kind} by {event.annotator}")


def _expired(store: Store) -> None:
    """A lease that expired still tells who asked, for a while; a newer one goes before it."""
    with_hunt(store)
    _ask(store, 3, now=100.0)
    _ask(store, 4, "bob", now=1000.0)
    held = [lease.candidate.row for lease in store.leases("hunt", 1000.0)]
    require_equal(held, [4], "Rows leased after the lease on row 3 expired")
    _require_asker(store, label(3, asked_by=UNKNOWN), KNOT, "a late answer")
    newer = AskedBy("reach")
    _ask(store, 5, now=100.0)
    _ask(store, 5, now=1000.0, asked_by=newer)
    _require_asker(store, label(5, asked_by=UNKNOWN), newer, "an answer after a second lease")
    _ask(store, 6, now=100.0)
    _ask(store, 7, "bob", now=161.0 + LATE_SECONDS)
    _require_asker(store, label(6, asked_by=UNKNOWN), UNKNOWN, "an answer that came much too late")


def _told_again(store: Store) -> None:
    """Whoever takes an answer back and tells again was asked all the same."""
    with_hunt(store)
    _ask(store, 3)
    first = store.keep(label(3, asked_by=UNKNOWN)).event
    store.keep(undo(first.id))
    _require_asker(store, label(3, "error", asked_by=UNKNOWN), KNOT, "an answer told again")
    other = label(3, "x", annotator="bob", asked_by=UNKNOWN)
    _require_asker(store, other, UNKNOWN, "an answer of somebody else")


def _ask(
    store: Store, row: int, who: str = "ann", *, now: float = 100.0, asked_by: AskedBy = KNOT
) -> None:
    candidate = Candidate(row, "it is odd", asked_by=asked_by)
    leases = store.take_leases("hunt", who, [candidate], count=9, seconds=60.0, now=now)
    found = [lease.candidate.asked_by for lease in leases if lease.candidate.row == row]
    require_equal(found, [asked_by], f"Who asked, by the lease on row {row}")


def _require_asker(store: Store, event: Event, expected: AskedBy | None, what: str) -> None:
    require_equal(store.keep(event).event.asked_by, expected, f"Who asked, by {what}")


RULES: tuple[Rule, ...] = (_kept, _lease_tells, _expired, _told_again)
"""What every store keeps to about who asked."""
