"""Is what the tables hold whole? And the tables that follow from the events, built anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, text, update

from rarefind.core.errors import RarefindError, StorageError
from rarefind.store.contract import CheckReport, Event
from rarefind.store.database import tables as schema
from rarefind.store.database.events import file_words
from rarefind.store.database.rows import chained, damage, entry_digest, read_events
from rarefind.store.rules.projection import Projection, replay

MOST_SENTENCES = 20
"""Faults told: a broken file has as many as rows, and a person needs to know that it is broken."""

_ENTRIES = {
    schema.datasets: "data set",
    schema.hunts: "hunt",
    schema.rankings: "ranking",
    schema.people: "person",
}
"""Tables whose rows carry a digest of their own, and what a row is."""

_FOLLOWING = (schema.leases, schema.standing)
"""Tables from which a row that belongs to nothing may go."""


@dataclass
class Findings:
    """Faults that stay, and faults that ``rebuild`` repairs, each as a sentence."""

    faults: list[str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    hunts: int = 0
    events: int = 0

    def report(self, repaired: list[str] | None = None) -> CheckReport:
        """Say what was found; ``repaired`` is gone by now."""
        left = self.faults + self.repairs
        return CheckReport(not left, tuple(left), tuple(repaired or ()), self.hunts, self.events)


def examine(connection: Connection) -> Findings:
    """Look at everything, change nothing."""
    found = Findings()
    _examine_file(connection, found)
    if found.faults:
        # What such a file says about itself is not worth reading, nor building upon.
        found.faults, found.repairs = found.faults + found.repairs, []
        return found
    found.hunts = _count(connection, schema.hunts)
    found.events = _count(connection, schema.events)
    _examine_places(connection, found)
    _examine_entries(connection, found)
    _examine_orphans(connection, found)
    _examine_numbers(connection, found)
    for hunt, name in connection.execute(select(schema.hunts.c.id, schema.hunts.c.name)):
        _examine_hunt(connection, hunt, name, found)
    del found.faults[MOST_SENTENCES:]
    return found


def rebuild(connection: Connection) -> None:
    """Build all that follows from the events anew."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("REINDEX"))
    last = connection.execute(select(func.coalesce(func.max(schema.events.c.seq), 0))).scalar_one()
    counter = schema.counter
    held = {"last_seq": last, "chain": _chain(connection), **_counts(connection)}
    if connection.execute(select(counter.c.last_seq)).first() is None:
        connection.execute(insert(counter), {"id": 1, **held})
    # A counter that is behind was damaged; one that is ahead knows of what is lost.
    connection.execute(update(counter).where(counter.c.last_seq < last).values(held))
    for table in _FOLLOWING:
        connection.execute(delete(table).where(table.c.hunt.not_in(select(schema.hunts.c.id))))
    for hunt in connection.execute(select(schema.hunts.c.id)).scalars().all():
        try:
            state = replay(_events(connection, hunt))
        except RarefindError:
            continue  # stays a fault: there is nothing to build from
        standing, undone = _following(hunt, state)
        of_hunt = select(schema.events.c.seq).where(schema.events.c.hunt == hunt)
        connection.execute(delete(schema.undone).where(schema.undone.c.seq.in_(of_hunt)))
        connection.execute(delete(schema.standing).where(schema.standing.c.hunt == hunt))
        if undone:
            rows = [{"seq": seq, "by_seq": by_seq} for seq, by_seq in undone.items()]
            connection.execute(insert(schema.undone), rows)
        file_words(connection, standing)


def _examine_file(connection: Connection, found: Findings) -> None:
    if connection.dialect.name != "sqlite":
        return
    found_by_sqlite = connection.execute(text("PRAGMA integrity_check")).scalars()
    lines = [line for message in found_by_sqlite for line in message.splitlines()]
    for line in lines[:MOST_SENTENCES]:
        if line != "ok":
            kind = found.repairs if "index" in line else found.faults
            kind.append(f"SQLite says: {line}.")


def _examine_places(connection: Connection, found: Findings) -> None:
    last_seq = connection.execute(select(schema.counter.c.last_seq)).scalar_one_or_none()
    seqs = schema.events.c.seq
    lowest, highest = connection.execute(select(func.min(seqs), func.max(seqs))).one()
    if last_seq is None:
        found.repairs.append("The counter of events is missing.")
    elif last_seq < (highest or 0):
        found.repairs.append(f"The counter of events stands at {last_seq}, not {highest}.")
    elif last_seq > (highest or 0):
        missing = last_seq - (highest or 0)
        found.faults.append(f"The last events are missing: {missing} of {last_seq}.")
    if highest is not None:
        missing = highest - found.events if lowest >= 1 else highest
        if missing:
            found.faults.append(f"Events are missing among the first {highest}: {missing}.")

    if last_seq is not None and last_seq == (highest or 0) and not found.faults:
        bound = connection.execute(select(schema.counter.c.chain)).scalar_one()
        if bound != _chain(connection):
            found.faults.append(
                "The events are not those that were kept: they do not fit their chain. Restore a "
                "backup."
            )


def _chain(connection: Connection) -> str:
    digests = select(schema.events.c.digest).order_by(schema.events.c.seq)
    return chained("", connection.execute(digests).scalars())


def _counts(connection: Connection) -> dict[str, int]:
    counted = (schema.datasets, schema.hunts, schema.rankings)
    return {table.name: _count(connection, table) for table in counted}


def _examine_entries(connection: Connection, found: Findings) -> None:
    """Look whether every data set, hunt and ranking is there, and is as it was written."""
    kept = connection.execute(select(schema.counter)).mappings().one_or_none()
    for name, there in _counts(connection).items():
        if kept is not None and there != kept[name]:
            missing = kept[name] - there
            found.faults.append(
                f"Rows of {name} are missing: {missing} of {kept[name]}."
                if missing > 0
                else f"There are rows of {name} that were never kept: {-missing}."
            )
    for table, what in _ENTRIES.items():
        for row in connection.execute(select(table)).mappings():
            if entry_digest(row) != row["digest"]:
                found.faults.append(damage(what, row["id"]))


def _examine_orphans(connection: Connection, found: Findings) -> None:
    hunts = select(schema.hunts.c.id)
    datasets = select(schema.datasets.c.id)
    for table in (schema.events, schema.rankings, *_FOLLOWING):
        lost = _count(connection, table, table.c.hunt.not_in(hunts))
        if lost:
            kind = found.repairs if table in _FOLLOWING else found.faults
            kind.append(f"There are rows in {table.name} of a hunt that is missing: {lost}.")
    lost = _count(connection, schema.hunts, schema.hunts.c.dataset.not_in(datasets))
    if lost:
        found.faults.append(f"There are hunts whose data set is missing: {lost}.")
    added = schema.events.c
    lost = _count(connection, schema.events, added.kind == "append", added.value.not_in(datasets))
    if lost:
        found.faults.append(f"There are added data sets that are missing: {lost}.")


def _examine_numbers(connection: Connection, found: Findings) -> None:
    columns = schema.rankings.c
    uneven = func.length(columns.rows) != func.length(columns.scores)
    for (id,) in connection.execute(select(columns.id).where(uneven)):
        found.faults.append(f"The ranking {id!r} has not one score for each row.")


def _examine_hunt(connection: Connection, hunt: str, name: str, found: Findings) -> None:
    try:
        state = replay(_events(connection, hunt))
    except StorageError as damage:
        found.faults.append(str(damage))
        return
    except RarefindError as reason:
        found.faults.append(f"The hunt {name!r} cannot be replayed: {reason}")
        return
    standing, undone = _following(hunt, state)
    columns = schema.standing.c
    rows = connection.execute(
        select(columns.row, columns.annotator, columns.seq).where(columns.hunt == hunt)
    )
    if standing != {(hunt, row, annotator): seq for row, annotator, seq in rows}:
        found.repairs.append(f"The standing labels of the hunt {name!r} differ from its events.")
    pairs = connection.execute(
        select(schema.undone.c.seq, schema.undone.c.by_seq)
        .join(schema.events, schema.events.c.seq == schema.undone.c.seq)
        .where(schema.events.c.hunt == hunt)
    )
    if undone != {row.seq: row.by_seq for row in pairs}:
        found.repairs.append(f"What was taken back in the hunt {name!r} differs from its events.")


def _following(
    hunt: str, state: Projection
) -> tuple[dict[tuple[str, int, str], int], dict[int, int]]:
    """Return what the tables ``standing`` and ``undone`` should hold."""
    standing = {(hunt, word.row, word.annotator): word.seq for word in state.statements}
    history = [entry.event for entry in state.history]
    seqs = {event.id: event.seq for event in history}
    undone = {seqs[str(event.value)]: event.seq for event in history if event.kind == "undo"}
    return standing, undone


def _events(connection: Connection, hunt: str) -> Iterator[Event]:
    columns = schema.events.c
    statement = select(schema.events).where(columns.hunt == hunt).order_by(columns.seq)
    return read_events(connection.execute(statement).mappings())


def _count(connection: Connection, table: Table, *conditions: Any) -> int:
    statement = select(func.count()).select_from(table).where(*conditions)
    return int(connection.execute(statement).scalar_one())
