"""What every store must do with leases."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rarefind.core.errors import ParameterError
from rarefind.store import Store
from rarefind.testing.rules import Rule, require_equal, require_refused
from rarefind.testing.stores.examples import ask, candidates, label, skip, undo, with_hunt


def _one_each(store: Store) -> None:
    """Nobody gets the record of another."""
    with_hunt(store)
    asked = [ask(store, "ann"), ask(store, "bob"), ask(store, "cem", count=5), ask(store, "dan")]
    require_equal(asked, [[1], [2], [3], []], "Four people who ask about rows 1, 2 and 3")


def _renewed(store: Store) -> None:
    """Whoever comes back sees the same question, renewed, and then further ones."""
    with_hunt(store)
    ask(store, "ann", now=100.0)
    again = store.take_leases("hunt", "ann", candidates(8), count=1, seconds=60, now=130.0)
    found = [(lease.candidate, lease.expires_at) for lease in again]
    require_equal(found, [(candidates(1)[0], 190.0)], "Asked again after 30 of 60 seconds")
    more = ask(store, "ann", rows=(8, 9), count=3, now=140.0)
    require_equal(more, [1, 8, 9], "Three at once, one of which was held")
    require_equal(ask(store, "ann", rows=(7,), count=2, now=150.0), [1, 8], "Two of three held")


def _expires(store: Store) -> None:
    """A lease expires, and the record is offered again."""
    with_hunt(store)
    asked = [ask(store, who, now=now) for who, now in [("ann", 100), ("bob", 159), ("cem", 160)]]
    require_equal(asked, [[1], [2], [1]], "Asked at 100, 159 and 160, each lease of 60 seconds")
    held = [(lease.annotator, lease.candidate.row) for lease in store.leases("hunt", 160.0)]
    require_equal(held, [("bob", 2), ("cem", 1)], "Leases at 160")


def _late(store: Store) -> None:
    """An answer ends the lease, and a late one still counts."""
    with_hunt(store)
    ask(store, "ann", now=100.0)
    ask(store, "bob", now=200.0)
    require_equal(store.keep(label(1, annotator="ann")).repeated, False, "A late answer, repeated")
    held = [lease.annotator for lease in store.leases("hunt", 200.0)]
    require_equal(held, ["bob"], "Who holds row 1 after somebody else answered late")
    store.keep(skip(1, annotator="bob"))
    require_equal(store.leases("hunt", 200.0), [], "Leases after bob answered, too")


def _overlap(store: Store) -> None:
    """With an overlap of n, n people see a record and no more."""
    with_hunt(store)
    asked = [ask(store, who, overlap=2) for who in ("ann", "bob", "cem")]
    require_equal(asked, [[1], [1], [2]], "Three people with an overlap of 2")
    store.keep(label(1, annotator="ann"))
    asked = [ask(store, who, overlap=2) for who in ("dan", "ann")] + [ask(store, "eve", overlap=3)]
    require_equal(asked, [[2], [3], [1]], "Two more and an overlap of 3, after row 1 was answered")


def _taken_back(store: Store) -> None:
    """A record that somebody spoke about is not leased again until the word is taken back."""
    with_hunt(store)
    word = store.keep(label(1)).event
    asked = [ask(store, "bob", rows=(1,)), ask(store, "ann", rows=(1,), overlap=5)]
    require_equal(asked, [[], []], "Row 1, labelled by ann, for bob and with overlap for ann")
    store.keep(undo(word.id))
    require_equal(ask(store, "bob", rows=(1,)), [1], "Row 1 for bob after ann took it back")


def _released(store: Store) -> None:
    """A released lease is free, and may be released twice."""
    with_hunt(store)
    lease = store.take_leases("hunt", "ann", candidates(1), count=1, seconds=60, now=0.0)[0]
    store.release(lease.id)
    store.release(lease.id)
    require_equal(store.leases("hunt", 0.0), [], "Leases after the only one was released")
    require_equal(ask(store, "bob", now=0.0), [1], "Row 1 for bob after that")


def _named_twice(store: Store) -> None:
    """A candidate named twice is leased once."""
    with_hunt(store)
    require_equal(ask(store, rows=(1, 1, 2), count=3), [1, 2], "Of rows 1, 1 and 2")


def _reason(store: Store) -> None:
    """A lease keeps the reason of the question."""
    with_hunt(store)
    evidence = {"jump": np.float64(2.5), "far": float("inf")}
    candidate = replace(candidates(5)[0], why="odd \ud800 text", evidence=evidence)
    store.take_leases("hunt", "ann", [candidate], count=1, seconds=60, now=0.0)
    kept = store.leases("hunt", 1.0)[0].candidate
    found = (kept.row, kept.why, dict(kept.evidence), kept.neighbours)
    require_equal(found, (5, "odd \ud800 text", evidence, (6,)), "The question leased")


def _many(store: Store) -> None:
    """The first free ones of a thousand candidates are found."""
    with_hunt(store)
    for future in [store.submit(label(row)) for row in range(1200)]:
        future.result()
    found = ask(store, "bob", rows=range(1300), count=2)
    require_equal(found, [1200, 1201], "Of 1300 rows, 1200 of them labelled")


def _nonsense(store: Store) -> None:
    """Leases that make no sense are refused."""
    with_hunt(store)
    wrong: list[dict[str, Any]] = [
        {"count": 0},
        {"overlap": 0},
        {"seconds": 0.0},
        {"seconds": float("nan")},
    ]
    for changes in wrong:
        name = next(iter(changes))
        require_refused(partial(ask, store, **changes), ParameterError, str(changes), naming=name)
    require_equal(store.leases("hunt", 100.0), [], "Leases after that")


def _at_once(store: Store) -> None:
    """People who ask at once never hold the same record."""
    with_hunt(store)
    held: dict[str, list[int]] = {}

    def work(annotator: str) -> None:
        held[annotator] = ask(store, annotator, rows=range(40), count=4)

    threads = [threading.Thread(target=work, args=(f"a{i}",)) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = sorted(row for mine in held.values() for row in mine)
    require_equal(rows, list(range(40)), "Rows that ten people hold, four each")


def _unseen(store: Store) -> None:
    """What nobody has seen yet is given back for what is better now."""
    with_hunt(store)
    taken = store.take_leases("hunt", "ann", candidates(1, 2, 3), count=3, seconds=60, now=100.0)
    seen = [taken[1].id, "not mine"]
    now = store.take_leases(
        "hunt", "ann", candidates(7, 3, 8), count=3, seconds=60, now=110.0, seen=seen
    )
    rows = [lease.candidate.row for lease in now]
    require_equal(rows, [2, 7, 3], "Of rows 7, 3 and 8, when of 1, 2 and 3 only 2 was seen")
    require_equal(now[0].id, taken[1].id, "The lease on row 2")
    held = {lease.id for lease in store.leases("hunt", 110.0)}
    require_equal(held, {lease.id for lease in now}, "The leases after that")
    free = ask(store, "bob", rows=(1, 2, 3), count=3, now=110.0)
    require_equal(free, [1], "Of rows 1, 2 and 3 for bob")
    nothing = store.take_leases("hunt", "ann", [], count=3, seconds=60, now=110.0, seen=[])
    require_equal(nothing, [], "Leases when nothing was seen and nothing is better")
    people = [lease.annotator for lease in store.leases("hunt", 110.0)]
    require_equal(people, ["bob"], "Who holds a lease after that")


RULES: tuple[Rule, ...] = (
    _one_each,
    _renewed,
    _expires,
    _late,
    _overlap,
    _taken_back,
    _released,
    _named_twice,
    _reason,
    _many,
    _nonsense,
    _at_once,
    _unseen,
)
"""What every store keeps to about leases."""
