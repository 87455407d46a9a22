"""Who had asked: found where an answer says only that the record was a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, select

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.store.contract import Event
from rarefind.store.database import tables as schema
from rarefind.store.rules.values import candidate_from_json

_leases, _events = schema.leases.c, schema.events.c
_hunts: BindParameter[Any] = bindparam("hunts", expanding=True)
_rows: BindParameter[Any] = bindparam("rows", expanding=True)
_held = select(_leases.hunt, _leases.row, _leases.annotator, _leases.reason).where(
    _leases.hunt.in_(_hunts), _leases.row.in_(_rows)
)
# In no order: asked for the order of events, SQLite would read all events of the hunt.
_said = select(_events.seq, _events.hunt, _events.row, _events.annotator, _events.asked_by).where(
    _events.hunt.in_(_hunts),
    _events.row.in_(_rows),
    _events.asked_by.is_not(None),
    _events.asked_by != UNKNOWN.written(),
)


def with_askers(connection: Connection, batch: Sequence[Event]) -> Sequence[Event]:
    """Return the events with who asked, as told by leases or by what was said of a row before."""
    open_rows = {(event.hunt, event.row) for event in batch if event.asked_by == UNKNOWN}
    if not open_rows:
        return batch
    wanted = {"hunts": list({hunt for hunt, _ in open_rows}), "rows": [row for _, row in open_rows]}
    known: dict[tuple[str, int | None, str], AskedBy] = {}
    for _, hunt, row, annotator, written in sorted(connection.execute(_said, wanted)):
        known[hunt, row, annotator] = AskedBy.read(written)
    for hunt, row, annotator, reason in connection.execute(_held, wanted):
        known[hunt, row, annotator] = candidate_from_json(row, reason).asked_by
    return [
        replace(event, asked_by=known.get((event.hunt, event.row, event.annotator), UNKNOWN))
        if event.asked_by == UNKNOWN
        else event
        for event in batch
    ]
