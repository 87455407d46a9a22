"""The store on a PostgreSQL server: for teams, and for several machines."""

# ruff: noqa: D102  (the contract says what each method does)

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from rarefind.core.errors import ParameterError, StorageError
from rarefind.store.copying import Contents, export
from rarefind.store.database import migrations
from rarefind.store.database import tables as schema
from rarefind.store.database.access import SECONDS_TO_TRY, Result
from rarefind.store.database.problems import Problem, of_postgres
from rarefind.store.database.rows import (
    Row,
    read_dataset,
    read_event,
    read_hunt,
    read_lease,
    read_ranking,
)
from rarefind.store.database.sql import SqlStore
from rarefind.store.people.in_tables import read_person

LOCK = 7_265_627_366
"""Whoever makes or upgrades the tables holds this advisory lock."""

# A server that went away without a word is noticed within seconds, not after hours.
NETWORK = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
    "application_name": "rarefind",
}

SESSION = (
    "SET synchronous_commit = on",
    "SET lock_timeout = '10s'",
    "SET idle_in_transaction_session_timeout = '60s'",
)
"""An answer is acknowledged when it is on the disk; a lock or a transaction somebody forgot
ends."""


class PostgresStore(SqlStore):
    """Keeps hunts in a PostgreSQL database; several processes may use it at once.

    Parameters
    ----------
    url
        ``postgresql://user:password@host/database``, with any parameter libpq knows.
    """

    def __init__(self, url: str) -> None:
        address = _address(url)
        self.where = _shown(address)
        self._write_engine = _engine(address, connections=1)
        self._read_engine = _engine(address, connections=8)
        try:
            _once(self._write_engine, self.where, self._prepare)
        except BaseException:
            self._let_go()
            raise
        super().__init__()

    def _prepare(self, connection: Connection) -> None:
        """Make the tables if there are none; refuse those of another version."""
        version = migrations.version_of(connection, self.where)
        if version == 0:
            encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
            if encoding != "UTF8":
                raise StorageError(
                    f"The database {self.where} keeps text as {encoding}: "
                    "make one with UTF8 (createdb --encoding=UTF8 --template=template0)."
                )
            migrations.create(connection)
        else:
            migrations.refuse_other_version(version, self.where)

    def backup(self, path: Path) -> None:
        export(self._read(_contents, snapshot=True), Path(path))

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._write_engine.begin() as connection:
            connection.execute(select(schema.counter.c.last_seq).with_for_update())
            yield connection

    @contextmanager
    def _reading(self, *, snapshot: bool = False) -> Iterator[Connection]:
        with self._read_engine.connect() as connection:
            if snapshot:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    def _problem(self, problem: BaseException) -> Problem:
        return of_postgres(self.where, problem)

    def _let_go(self) -> None:
        self._write_engine.dispose()
        self._read_engine.dispose()


def upgrade_database(url: str) -> int:
    """Bring a store up to date; return the version it had."""
    address = _address(url)
    where = _shown(address)
    engine = _engine(address, connections=1)
    found = []

    def upgrade(connection: Connection) -> None:
        version = migrations.version_of(connection, where)
        if version == 0:
            raise StorageError(f"{where} is not a rarefind store.")
        if version < schema.VERSION:
            migrations.upgrade(connection)
        else:
            migrations.refuse_other_version(version, where)
        found.append(version)

    try:
        _once(engine, where, upgrade)
    finally:
        engine.dispose()
    return found[0]


def _once(engine: Engine, where: str, work: Callable[[Connection], None]) -> None:
    """Work on the tables themselves, alone, in one transaction."""
    try:
        with engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            work(connection)
    except DBAPIError as error:
        raise of_postgres(where, error.orig or error).error from error


def _contents(connection: Connection) -> Contents:
    def all_of(table: Table, order: str, read: Callable[[Row], Result]) -> list[Result]:
        found = connection.execute(select(table).order_by(table.c[order]))
        return [read(row) for row in found.mappings()]

    return Contents(
        datasets=all_of(schema.datasets, "id", read_dataset),
        hunts=all_of(schema.hunts, "id", read_hunt),
        events=all_of(schema.events, "seq", read_event),
        leases=all_of(schema.leases, "place", read_lease),
        rankings=all_of(schema.rankings, "id", read_ranking),
        people=all_of(schema.people, "id", read_person),
    )


def _address(url: str) -> URL:
    try:
        address = make_url(url)
    except ArgumentError:
        raise ParameterError(
            "The address of the database cannot be read: write "
            "postgresql://user:password@host:port/database."
        ) from None
    return address.set(drivername="postgresql+psycopg")


def _shown(address: URL) -> str:
    """Return the address as a person wrote it, without the password."""
    plain = address.set(drivername="postgresql")
    if "password" in plain.query:
        plain = plain.update_query_dict({"password": "***"})
    return plain.render_as_string(hide_password=True)


def _engine(address: URL, connections: int) -> Engine:
    engine = create_engine(
        address.update_query_dict(
            {name: value for name, value in NETWORK.items() if name not in address.query}
        ),
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
        pool_timeout=SECONDS_TO_TRY,
    )

    @event.listens_for(engine, "connect")
    def _set_up(driver: Any, record: object) -> None:
        for statement in SESSION:
            driver.execute(statement)
        driver.commit()

    return engine
