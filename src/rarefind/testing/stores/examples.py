"""What the suite for stores keeps in them: a data set, hunts, words about rows, questions."""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np

from rarefind.core.asked_by import AskedBy
from rarefind.store import Candidate, DataSet, Event, HuntEntry, RankingEntry, Store
from rarefind.store.rules.renames import rename_value


def data_set(id: str = "data", **changes: Any) -> DataSet:
    """Make a data set."""
    values: dict[str, Any] = {
        "name": "payments",
        "path": "/somewhere/payments.csv",
        "sha256": "ab" * 32,
        "n_rows": 1000,
        "reading": {"columns": {"amount": "number"}},
        "created_at": 10.0,
    }
    return DataSet(id, **{**values, **changes})


def hunt_entry(id: str = "hunt", **changes: Any) -> HuntEntry:
    """Make a hunt in that data set, named after its id."""
    values: dict[str, Any] = {
        "name": f"the {id}",
        "dataset": "data",
        "settings": {"strategy": "auto", "seed": 0},
        "created_at": 20.0,
    }
    return HuntEntry(id, **{**values, **changes})


def with_hunt(store: Store, *hunts: str) -> Store:
    """Keep the data set and hunts in the store."""
    store.put_dataset(data_set())
    for hunt in hunts or ["hunt"]:
        store.create_hunt(hunt_entry(hunt))
    return store


def label(
    row: Any,
    value: Any = "fraud",
    annotator: str = "ann",
    *,
    hunt: str = "hunt",
    id: str | None = None,
    asked_by: AskedBy | None = None,
) -> Event:
    """Say what a row is."""
    return Event(id or new_id(), hunt, "label", row, value, annotator, at=0.0, asked_by=asked_by)


def skip(row: int, annotator: str = "ann", *, hunt: str = "hunt", id: str | None = None) -> Event:
    """Leave a row undecided."""
    return Event(id or new_id(), hunt, "skip", row, None, annotator, at=0.0)


def undo(target: str, annotator: str = "ann", *, hunt: str = "hunt") -> Event:
    """Take back an event."""
    return Event(new_id(), hunt, "undo", None, target, annotator, at=0.0)


def append(data: str, annotator: str = "ann", *, hunt: str = "hunt") -> Event:
    """Add the records of a data set to a hunt."""
    return Event(new_id(), hunt, "append", None, data, annotator, at=0.0)


def rename(
    old: str, new: str, annotator: str = "ann", *, hunt: str = "hunt", id: str | None = None
) -> Event:
    """Give a class another name."""
    return Event(id or new_id(), hunt, "rename", None, rename_value(old, new), annotator, at=0.0)


def candidates(*rows: int) -> list[Candidate]:
    """Make rows that could be asked about."""
    return [Candidate(row, f"row {row} is odd", {"oddness": row / 2}, (row + 1,)) for row in rows]


def ask(
    store: Store,
    annotator: str = "ann",
    rows: Any = (1, 2, 3),
    *,
    count: int = 1,
    now: float = 100.0,
    seconds: float = 60.0,
    overlap: int = 1,
) -> list[int]:
    """Lease some of these rows; return those that were leased."""
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


def ranking(id: str = "r", **changes: Any) -> RankingEntry:
    """Make a ranking of three rows, one of which has no score."""
    values: dict[str, Any] = {
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


def new_id() -> str:
    """Make an id that nobody else has."""
    return str(uuid.uuid4())
