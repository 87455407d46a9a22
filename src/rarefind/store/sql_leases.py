"""Leases in the tables. ``take`` and ``release`` run inside a transaction of the writer."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, insert, select, union_all, update

from rarefind.store import schema
from rarefind.store.contract import Candidate, Lease
from rarefind.store.leasing import free_candidates
from rarefind.store.rows import lease_row, read_lease
from rarefind.store.values import candidate_from_json, candidate_to_json

_leases = schema.leases.c
_standing = schema.standing.c
ROWS_AT_ONCE = 500


def live(connection: Connection, hunt: str, now: float) -> list[Lease]:
    """Return the leases of a hunt that have not expired, in the order they were taken."""
    statement = (
        select(schema.leases)
        .where(_leases.hunt == hunt, _leases.expires_at > now)
        .order_by(_leases.place)
    )
    return [read_lease(row) for row in connection.execute(statement).mappings()]


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
) -> list[Lease]:
    """Renew what the annotator holds and lease free candidates up to ``count``."""
    connection.execute(delete(schema.leases).where(_leases.hunt == hunt, _leases.expires_at <= now))
    mine = _held_by(connection, hunt, annotator, now)[:count]
    if mine:
        ids = [lease.id for lease in mine]
        connection.execute(
            update(schema.leases).where(_leases.id.in_(ids)).values(expires_at=until)
        )
    renewed = [Lease(one.id, hunt, annotator, one.candidate, until) for one in mine]
    if len(mine) == count:
        return renewed
    busy = _busy(connection, hunt, [int(candidate.row) for candidate in candidates], now)
    free = free_candidates(candidates, annotator, busy, overlap)
    new = [
        Lease(uuid.uuid4().hex, hunt, annotator, _as_read(candidate), until)
        for candidate in free[: count - len(mine)]
    ]
    if new:
        place = connection.execute(select(func.coalesce(func.max(_leases.place), 0))).scalar_one()
        rows = [lease_row(lease, place + offset) for offset, lease in enumerate(new, start=1)]
        connection.execute(insert(schema.leases), rows)
    return renewed + new


def release(connection: Connection, lease: str) -> None:
    """End a lease; one that has ended already is no fault."""
    connection.execute(delete(schema.leases).where(_leases.id == lease))


def _held_by(connection: Connection, hunt: str, annotator: str, now: float) -> list[Lease]:
    statement = (
        select(schema.leases)
        .where(_leases.hunt == hunt, _leases.annotator == annotator, _leases.expires_at > now)
        .order_by(_leases.place)
    )
    return [read_lease(row) for row in connection.execute(statement).mappings()]


def _busy(connection: Connection, hunt: str, rows: list[int], now: float) -> dict[int, set[str]]:
    """Name, for these rows, everybody who holds them or has spoken about them.

    Only the rows asked for are looked at: there may be very many leases.
    """
    busy: dict[int, set[str]] = {}
    for start in range(0, len(rows), ROWS_AT_ONCE):
        some = rows[start : start + ROWS_AT_ONCE]
        held = select(_leases.row, _leases.annotator).where(
            _leases.hunt == hunt, _leases.row.in_(some), _leases.expires_at > now
        )
        spoken = select(_standing.row, _standing.annotator).where(
            _standing.hunt == hunt, _standing.row.in_(some)
        )
        for row, annotator in connection.execute(union_all(held, spoken)):
            busy.setdefault(row, set()).add(annotator)
    return busy


def _as_read(candidate: Candidate) -> Candidate:
    return candidate_from_json(int(candidate.row), candidate_to_json(candidate))
