"""Everything a store holds, written into a new SQLite file that appears whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rarefind.core.errors import StateError, StorageError
from rarefind.store.contract import DataSet, Event, HuntEntry, Lease, RankingEntry
from rarefind.store.people.invitations import Person


@dataclass(frozen=True)
class Contents:
    """All that a store holds."""

    datasets: Sequence[DataSet]
    hunts: Sequence[HuntEntry]
    events: Sequence[Event]
    leases: Sequence[Lease]
    rankings: Sequence[RankingEntry]
    people: Sequence[Person]


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Lend a temporary path; what is written there gets its name at the end, all at once."""
    if path.exists():
        raise StateError(f"{path} exists already: give the backup a new name.")
    if not path.parent.is_dir():
        raise StorageError(f"There is no folder {path.parent} for {path.name}: make it first.")
    draft = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        private_file(draft)
        yield draft
        with draft.open("rb+") as written:
            os.fsync(written.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    except OSError as problem:
        if isinstance(problem, StorageError):
            raise
        raise StorageError(f"{path} cannot be written: {problem.strerror}.") from problem
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            draft.with_name(f"{draft.name}{suffix}").unlink(missing_ok=True)


def private_file(path: Path) -> None:
    """Make an empty file that only its owner may read and write."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the names of the files in a folder on the disk, where the system can do that."""
    if os.name != "posix":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def export(contents: Contents, path: Path) -> None:
    """Write all contents into a new store."""
    from sqlalchemy import Connection, delete, insert

    from rarefind.store.database import checking as sql_check
    from rarefind.store.database import rows
    from rarefind.store.database import tables as schema
    from rarefind.store.database.sqlite import SQLiteStore
    from rarefind.store.people.in_tables import person_row

    def write(connection: Connection) -> None:
        leases = [rows.lease_row(lease, place) for place, lease in enumerate(contents.leases, 1)]
        tables: list[tuple[Any, list[dict[str, Any]]]] = [
            (schema.datasets, [rows.dataset_row(one) for one in contents.datasets]),
            (schema.hunts, [rows.hunt_row(one) for one in contents.hunts]),
            (schema.events, rows.event_rows(contents.events, {})),
            (schema.leases, leases),
            (schema.rankings, [rows.ranking_row(one) for one in contents.rankings]),
            (schema.people, [person_row(one) for one in contents.people]),
        ]
        for table, values in tables:
            if values:
                connection.execute(insert(table), values)
        connection.execute(delete(schema.counter))
        sql_check.rebuild(connection)

    with new_file(path) as draft:
        store = SQLiteStore(draft)
        try:
            store._do(write)
        finally:
            store.close()
        fold_into_one_file(draft)


def fold_into_one_file(path: Path) -> None:
    """Leave no write-ahead log beside a copy, so that it can be moved as one file."""
    import sqlite3

    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    finally:
        connection.close()
