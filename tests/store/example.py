"""What the tests of the store keep in it."""

from __future__ import annotations

import uuid

import numpy as np
import psycopg

from rarefind.store import Candidate, DataSet, Event, HuntEntry, RankingEntry


def create_schema(server, name):
    """A room of its own on the server; its address."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{server}&options=-csearch_path%3D{name}"


def data_set(id="data", **changes):
    values = {
        "name": "payments",
        "path": "/somewhere/payments.csv",
        "sha256": "ab" * 32,
        "n_rows": 1000,
        "reading": {"columns": {"amount": "number"}},
        "created_at": 10.0,
    }
    return DataSet(id, **{**values, **changes})


def hunt_entry(id="hunt", **changes):
    values = {
        "name": f"the {id}",
        "dataset": "data",
        "settings": {"strategy": "auto", "seed": 0},
        "created_at": 20.0,
    }
    return HuntEntry(id, **{**values, **changes})


def with_hunt(store, *hunts):
    """Keep a data set and hunts in the store."""
    store.put_dataset(data_set())
    for hunt in hunts or ["hunt"]:
        store.create_hunt(hunt_entry(hunt))
    return store


def label(row, value="fraud", annotator="ann", *, hunt="hunt", id=None, asked_by=None):
    return Event(id or new_id(), hunt, "label", row, value, annotator, at=0.0, asked_by=asked_by)


def skip(row, annotator="ann", *, hunt="hunt", id=None):
    return Event(id or new_id(), hunt, "skip", row, None, annotator, at=0.0)


def undo(target, annotator="ann", *, hunt="hunt", id=None):
    return Event(id or new_id(), hunt, "undo", None, target, annotator, at=0.0)


def append(data, annotator="ann", *, hunt="hunt", id=None):
    return Event(id or new_id(), hunt, "append", None, data, annotator, at=0.0)


def candidates(*rows):
    return [Candidate(row, f"row {row} is odd", {"oddness": row / 2}, (row + 1,)) for row in rows]


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


def new_id():
    return str(uuid.uuid4())
