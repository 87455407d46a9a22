"""Leases in the tables. ``take`` and ``release`` run inside a transaction of the writer."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    bindparam,
    delete,
    func,
    insert,
    select,
    union_all,
    update,
)

from rarefind.store.contract import LATE_SECONDS, Candidate, Lease
from rarefind.store.database import tables as schema
from rarefind.store.database.rows import lease_row, read_lease
from rarefind.store.rules.free_records import free_candidates
from rarefind.store.rules.values import candidate_from_json, candidate_to_json

_leases = schema.leases.c
_standing = schema.standing.c
ROWS_AT_ONCE = 500
"""Rows named in one statement: SQLite may have been built to take 999."""

# Statements are made once: making them takes longer than running them.
_of_hunt = _leases.hunt == bindparam("of_hunt")
_alive = _leases.expires_at > bindparam("now")
_these: BindParameter[Any] = bindparam("these", expanding=True)
_live = select(schema.leases).where(_of_hunt, _alive).order_by(_leases.place)
_held_by = _live.where(_leases.annotator == bindparam("of_annotator"))
_forget = delete(schema.leases).where(_of_hunt, _leases.expires_at <= bindparam("long_ago"))
_expired_of = delete(schema.leases).where(
    _of_hunt,
    _leases.annotator == bindparam("of_annotator"),
    _leases.row.in_(_these),
    _leases.expires_at <= bindparam("now"),
)
_renew = update(schema.leases).where(_leases.id.in_(_these)).values(expires_at=bindparam("until"))
_busy = union_all(
    select(_leases.row, _leases.annotator).where(_of_hunt, _leases.row.in_(_these), _alive),
    select(_standing.row, _standing.annotator).where(
        _standing.hunt == bindparam("of_hunt"), _standing.row.in_(_these)
    ),
)
_last_place = select(func.coalesce(func.max(_leases.place), 0))
_insert = insert(schema.leases)
_end = delete(schema.leases).where(_leases.id == bindparam("of_id"))


def live(connection: Connection, hunt: str, now: float) -> list[Lease]:
    """Return the leases of a hunt that have not expired, in the order they were taken."""
    rows = connection.execute(_live, {"of_hunt": hunt, "now": now})
    return [read_lease(row) for row in rows.mappings()]


def take(
    connection: Connection,
    hunt: str,
    annotator: str,
    candidates: Sequence[Candidate],
    *,
    count: int,
    until: float,
    now: float,
    overlap: int,
    seen: Collection[str] | None,
) -> list[Lease]:
    """Renew what the annotator holds and lease free candidates up to ``count``."""
    here = {"of_hunt": hunt, "now": now}
    connection.execute(_forget, {"of_hunt": hunt, "long_ago": now - LATE_SECONDS})
    rows = connection.execute(_held_by, {**here, "of_annotator": annotator}).mappings()
    mine = [read_lease(row) for row in rows]
    if seen is not None:
        unseen = [lease.id for lease in mine if lease.id not in seen]
        connection.execute(_renew, {"these": unseen, "until": now})  # it still tells who asked
        mine = [lease for lease in mine if lease.id in seen]
    mine = mine[:count]
    if mine:
        connection.execute(_renew, {"these": [lease.id for lease in mine], "until": until})
    renewed = [Lease(one.id, hunt, annotator, one.candidate, until) for one in mine]
    if len(mine) == count:
        return renewed
    busy = _who_is_busy(connection, [int(candidate.row) for candidate in candidates], here)
    free = free_candidates(candidates, annotator, busy, overlap)
    new = [
        Lease(uuid.uuid4().hex, hunt, annotator, _as_read(candidate), until)
        for candidate in free[: count - len(mine)]
    ]
    if new:
        again = {"of_annotator": annotator, "these": [lease.candidate.row for lease in new]}
        connection.execute(_expired_of, {**here, **again})
        place = connection.execute(_last_place).scalar_one()
        connection.execute(
            _insert, [lease_row(lease, place + offset) for offset, lease in enumerate(new, start=1)]
        )
    return renewed + new


def release(connection: Connection, lease: str) -> None:
    """End a lease; one that has ended already is no fault."""
    connection.execute(_end, {"of_id": lease})


def _who_is_busy(
    connection: Connection, rows: list[int], here: dict[str, Any]
) -> dict[int, set[str]]:
    """Name, for these rows, everybody who holds them or has spoken about them.

    Only the rows asked for are looked at: there may be very many leases.
    """
    busy: dict[int, set[str]] = {}
    for start in range(0, len(rows), ROWS_AT_ONCE):
        these = {"these": rows[start : start + ROWS_AT_ONCE]}
        for row, annotator in connection.execute(_busy, {**here, **these}):
            busy.setdefault(row, set()).add(annotator)
    return busy


def _as_read(candidate: Candidate) -> Candidate:
    return candidate_from_json(int(candidate.row), candidate_to_json(candidate))
