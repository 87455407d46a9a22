"""How every store is backed up, checked, closed, opened again and shared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rarefind.core.errors import RarefindError, StateError
from rarefind.store import Store, open_store
from rarefind.testing.rules import Rule, require_equal, require_refused
from rarefind.testing.stores.examples import (
    append,
    ask,
    data_set,
    label,
    ranking,
    skip,
    undo,
    with_hunt,
)


def fill(store: Store) -> None:
    """Keep something of every kind."""
    with_hunt(store, "hunt", "other")
    words = [store.keep(label(row, annotator=f"a{row % 3}")).event for row in range(20)]
    store.keep(skip(30, hunt="other"))
    store.keep(undo(words[4].id))
    store.keep(append("data"))
    ask(store, "ann", rows=(90, 91), count=2)
    store.put_ranking(ranking())


def everything(store: Store) -> dict[str, Any]:
    """Return all that a filled store holds."""
    hunts = [hunt.id for hunt in store.hunts()]
    kept = store.ranking("r")
    return {
        "data sets": store.datasets(),
        "hunts": store.hunts(),
        "events": [store.events(hunt) for hunt in hunts],
        "what stands": [store.standing(hunt) for hunt in hunts],
        "leases": [store.leases(hunt, 100.0) for hunt in hunts],
        "ranking": (kept.id, kept.rows.tolist(), kept.scores.astype(str).tolist()),
    }


def _backup(store: Store) -> None:
    """A backup holds everything, in one new file of which nobody else can read, and goes on."""
    fill(store)
    with TemporaryDirectory() as folder:
        target = Path(folder) / "copy.db"
        store.backup(target)
        require_equal([path.name for path in Path(folder).iterdir()], ["copy.db"], "The files")
        require_equal(oct(target.stat().st_mode & 0o777), "0o600", "Who may read it")
        with open_store(target) as copy:
            _require_same(copy, everything(store), "of the copy")
            require_equal(copy.check().ok, True, "Whether the copy is whole")
            require_equal(copy.keep(label(77)).event.seq, 24, "The next place in the copy")
    require_equal(len(store.events("hunt")), 22, "The number of events in the original")


def _no_overwriting(store: Store) -> None:
    """A backup never writes over a file, and says when there is no such folder."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "copy.db"
        target.write_text("precious")
        require_refused(lambda: store.backup(target), StateError, "A backup to a file that exists")
        require_equal(target.read_text(), "precious", "That file")
        nowhere = Path(folder) / "none" / "copy.db"
        require_refused(lambda: store.backup(nowhere), RarefindError, "A folder that is not there")


def _whole(store: Store) -> None:
    """A store that is whole is found whole, and there is nothing to repair."""
    fill(store)
    for repair in (False, True):
        report = store.check(repair=repair)
        found = (report.ok, report.faults, report.repaired, report.hunts, report.events)
        require_equal(found, (True, (), (), 2, 23), f"check(repair={repair})")


def _closed(store: Store) -> None:
    """A store that was closed, once or twice, says so."""
    with_hunt(store)
    store.close()
    store.close()
    for what, call in {
        "keep": lambda: store.keep(label(1)),
        "hunts": lambda: store.hunts(),
        "put_dataset": lambda: store.put_dataset(data_set()),
        "take_leases": lambda: ask(store),
    }.items():
        require_refused(call, StateError, f"{what} of a closed store", naming="closed")


def _opened_again(store: Store, again: Callable[[], Store]) -> None:
    """What is kept is there when the store is opened again."""
    fill(store)
    kept = everything(store)
    store.close()
    with again() as opened:
        _require_same(opened, kept, "after the store was opened again")


def _two(store: Store, again: Callable[[], Store]) -> None:
    """Two who have opened the same store see each other's events and leases."""
    with again() as other:
        with_hunt(store)
        event = label(3)
        store.keep(event)
        require_equal(other.keep(event).repeated, True, "The same event through the other")
        require_equal(other.keep(label(4)).event.seq, 2, "The place of an event of the other")
        rows = [kept.row for kept in store.events("hunt")]
        require_equal(rows, [3, 4], "Rows of both")
        require_equal([ask(store, "ann"), ask(other, "bob")], [[1], [2]], "Rows leased")


def _require_same(store: Store, expected: dict[str, Any], where: str) -> None:
    found = everything(store)
    for what, value in expected.items():
        require_equal(found[what], value, f"The {what} {where}")


RULES: tuple[Rule, ...] = (_backup, _no_overwriting, _whole, _closed)
"""What every store keeps to about copies and checks."""

SHARED_RULES: tuple[Rule, ...] = (_opened_again, _two)
"""And those that others can open at the same time."""
