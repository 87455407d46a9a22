"""Between the rows of the tables and the objects of the contract.

Every event carries the place of the event before it in its hunt and a digest of its contents,
checked whenever it is read: a byte that changed on the disk, or a row that is gone, is noticed
instead of being believed. Data sets, hunts and rankings carry digests, too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.core.errors import StorageError
from rarefind.store.contract import DataSet, Event, HuntEntry, Lease, RankingEntry
from rarefind.store.rules.values import candidate_from_json, candidate_to_json, to_json

Row = Mapping[Any, Any]
"""A row by the names of its columns."""

_OF_AN_EVENT = tuple(field.name for field in fields(Event))
"""What is told of an event, listed once: it is asked for with every event that is kept."""


def digest(event: Event, previous: int) -> str:
    """Return a short digest of everything an event says, and of what it follows."""
    contents = (
        event.seq,
        event.id,
        event.hunt,
        event.kind,
        event.row,
        event.value,
        event.annotator,
        float(event.at).hex(),
        _asked(event.asked_by),
        previous,
    )
    return _short(json.dumps(contents).encode())  # plain ASCII, the same in every Python


def chained(chain: str, digests: Iterable[str]) -> str:
    """Bind the digests of further events to all before them."""
    for each in digests:
        chain = _short(f"{chain} {each}".encode())
    return chain


def entry_digest(row: Row) -> str:
    """Return a short digest of a row as it is written, whatever its columns are."""
    contents = {
        name: float(value).hex()
        if isinstance(value, float)
        else _short(value)
        if isinstance(value, bytes | memoryview)
        else value
        for name, value in row.items()
        if name != "digest"
    }
    return _short(json.dumps(contents, sort_keys=True).encode())


def _short(written: bytes | memoryview) -> str:
    return hashlib.blake2b(written, digest_size=8).hexdigest()


def signed(row: dict[str, Any]) -> dict[str, Any]:
    """Add the digest of a row."""
    return {**row, "digest": entry_digest(row)}


def verified(what: str, row: Row) -> dict[str, Any]:
    """Return a row without its digest; one that does not fit it is refused."""
    values = dict(row)
    expected = values.pop("digest")
    if entry_digest(values) != expected:
        raise StorageError(damage(what, row["id"]))
    return values


def damage(what: str, id: str) -> str:
    """Say that a row is not as it was written."""
    return (
        f"The {what} {id!r} is damaged: its contents do not fit its digest. Restore a backup, or "
        "bring back the rest with rarefind salvage."
    )


def _asked(asked_by: AskedBy | None) -> bool | str:
    """Return what the digest has of who asked: all that version 1 knew was whether anybody did."""
    return asked_by is not None if asked_by in (None, UNKNOWN) else asked_by.written()


def event_rows(events: Iterable[Event], last: dict[str, int]) -> list[dict[str, Any]]:
    """Write events in order; ``last`` has the place of the last event of each hunt before them."""
    written = []
    for event in events:
        previous = last.get(event.hunt, 0)
        last[event.hunt] = event.seq
        asked_by = None if event.asked_by is None else event.asked_by.written()
        following = {"previous": previous, "digest": digest(event, previous)}
        values = {name: getattr(event, name) for name in _OF_AN_EVENT}
        written.append({**values, "asked_by": asked_by, **following})
    return written


def read_event(row: Row) -> Event:
    """Read an event; one whose digest does not fit is refused."""
    values = dict(row)
    expected, previous = values.pop("digest"), values.pop("previous")
    written = values.pop("asked_by")
    event = Event(**values, asked_by=None if written is None else AskedBy.read(written))
    if digest(event, previous) != expected:
        raise StorageError(
            f"The event at place {event.seq} is damaged: its contents do not fit its digest. "
            "Restore a backup."
        )
    return event


def read_events(rows: Iterable[Row], after: int = 0) -> Iterator[Event]:
    """Read the events of a hunt after a place; a hole among them is refused."""
    last = after
    for row in rows:
        # The first event after a place follows one that is not read here.
        followed = row["previous"] <= last if last == after else row["previous"] == last
        event = read_event(row)
        if not followed:
            raise StorageError(
                f"Events are missing between the places {last} and {event.seq}. Restore a backup."
            )
        last = event.seq
        yield event


def dataset_row(dataset: DataSet) -> dict[str, Any]:
    """Write a data set."""
    return signed({**vars(dataset), "reading": to_json("reading of a data set", dataset.reading)})


def read_dataset(row: Row) -> DataSet:
    """Read a data set."""
    return DataSet(**{**verified("data set", row), "reading": json.loads(row["reading"])})


def hunt_row(hunt: HuntEntry) -> dict[str, Any]:
    """Write a hunt."""
    return signed({**vars(hunt), "settings": to_json("settings of a hunt", hunt.settings)})


def read_hunt(row: Row) -> HuntEntry:
    """Read a hunt."""
    return HuntEntry(**{**verified("hunt", row), "settings": json.loads(row["settings"])})


def lease_row(lease: Lease, place: int) -> dict[str, Any]:
    """Write a lease; ``place`` keeps the order in which leases were taken."""
    return {
        "id": lease.id,
        "hunt": lease.hunt,
        "row": int(lease.candidate.row),
        "annotator": lease.annotator,
        "place": place,
        "reason": candidate_to_json(lease.candidate),
        "expires_at": lease.expires_at,
    }


def read_lease(row: Row) -> Lease:
    """Read a lease."""
    candidate = candidate_from_json(row["row"], row["reason"])
    return Lease(row["id"], row["hunt"], row["annotator"], candidate, row["expires_at"])


def ranking_row(ranking: RankingEntry) -> dict[str, Any]:
    """Write a ranking, its numbers as little-endian bytes."""
    return signed(
        {
            **vars(ranking),
            "note": to_json("note of a ranking", ranking.note),
            "rows": ranking.rows.astype("<i8").tobytes(),
            "scores": ranking.scores.astype("<f8").tobytes(),
        }
    )


def read_ranking(row: Row) -> RankingEntry:
    """Read a ranking, with its digest and its numbers or without either."""
    return RankingEntry(
        **{
            **(verified("ranking", row) if "digest" in row else row),
            "note": json.loads(row["note"]),
            "rows": np.frombuffer(row.get("rows", b""), "<i8"),
            "scores": np.frombuffer(row.get("scores", b""), "<f8"),
        }
    )
