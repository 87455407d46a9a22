"""The store in one file: SQLite with a write-ahead log, every commit on the disk."""

# ruff: noqa: D102  (the contract says what each method does)

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from rarefind.core.errors import StorageError
from rarefind.store.copying import fold_into_one_file, new_file, private_file
from rarefind.store.database import migrations
from rarefind.store.database import tables as schema
from rarefind.store.database.access import SECONDS_TO_TRY
from rarefind.store.database.problems import Problem, of_sqlite
from rarefind.store.database.sql import SqlStore

SECONDS_BUSY = 1.0
"""How long SQLite itself waits for a lock before we try again."""


class SQLiteStore(SqlStore):
    """Keeps hunts in a SQLite file; several processes may use it at once.

    Parameters
    ----------
    path
        The file; a new one, readable only by its owner, is made if there is none.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()
        self.where = str(path)
        self.beside = self.path.with_name(f"{self.path.name}.kept")
        _prepare_file(self.path, self.where)
        self._file = _identity(self.path)
        self._write_engine = _engine(self.path, "BEGIN IMMEDIATE", connections=1)
        self._read_engine = _engine(self.path, "BEGIN", connections=8)
        try:
            self._try(self._prepare)
        except BaseException:
            self._let_go()
            raise
        super().__init__()

    def _prepare(self) -> None:
        """Make the tables if there are none; refuse those of another version."""
        with self._writing() as connection:
            version = migrations.version_of(connection, self.where)
            if version == 0:
                migrations.create(connection)
                return
        migrations.refuse_other_version(version, self.where)

    def backup(self, path: Path) -> None:
        with new_file(Path(path)) as draft:
            self._read(lambda connection: copy_file(driver_of(connection), draft))
            fold_into_one_file(draft)

    def _writing(self) -> AbstractContextManager[Connection]:
        # Writing would succeed all the same, into a file that nobody will ever find again.
        if _identity(self.path) != self._file:
            raise StorageError(
                f"The store {self.where} was moved, removed or replaced while it was open: put "
                "it back, or open the new one."
            )
        return self._write_engine.begin()

    def _reading(self, *, snapshot: bool = False) -> AbstractContextManager[Connection]:
        return self._read_engine.begin()  # SQLite reads one moment in any transaction

    def _problem(self, problem: BaseException) -> Problem:
        return of_sqlite(self.where, problem)

    def _let_go(self) -> None:
        self._write_engine.dispose()
        self._read_engine.dispose()


def upgrade_file(path: str | Path) -> int:
    """Bring a store up to date, after a copy of it beside; return the version it had."""
    where, path = str(path), Path(path).absolute()
    if not path.exists():
        raise StorageError(f"There is no store {where}.")
    # A table is changed by copying it; meanwhile nothing may insist on what refers to it.
    engine = _engine(path, "BEGIN IMMEDIATE", connections=1, foreign_keys="OFF")
    try:
        with engine.begin() as connection:
            version = migrations.version_of(connection, where)
            if version == 0:
                raise StorageError(f"{where} is not a rarefind store.")
            if version < schema.VERSION:
                _copy_beside(path, version)
                migrations.upgrade(connection)
                if connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                    raise StorageError(f"{where} was left as it was: its tables do not fit.")
            else:
                migrations.refuse_other_version(version, where)
        return version
    except DBAPIError as error:
        raise of_sqlite(where, error.orig or error).error from error
    finally:
        engine.dispose()


def copy_file(source: sqlite3.Connection, target: Path) -> None:
    """Copy a database while it is in use; the copy is of one moment."""
    with closing(sqlite3.connect(target, isolation_level=None)) as copy:
        source.backup(copy)


def _copy_beside(path: Path, version: int) -> None:
    kept = path.with_name(f"{path.name}.version-{version}")
    kept.unlink(missing_ok=True)  # of an upgrade that was cut short; labels may have come since
    with new_file(kept) as draft, closing(sqlite3.connect(path)) as source:
        copy_file(source, draft)
        fold_into_one_file(draft)


def driver_of(connection: Connection) -> sqlite3.Connection:
    """Return SQLite's own connection."""
    driver: Any = connection.connection.dbapi_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _prepare_file(path: Path, where: str) -> None:
    if path.is_dir():
        raise StorageError(
            f"{where} is a folder: name a file in it, such as {path / 'rarefind.db'}."
        )
    if not path.parent.is_dir():
        raise StorageError(f"There is no folder for the store {where}: make it first.")
    try:
        private_file(path)
    except FileExistsError:
        if not os.access(path, os.R_OK | os.W_OK):
            raise StorageError(f"The store {where} may not be read and written by you.") from None
    except OSError as problem:
        raise StorageError(f"The store {where} cannot be made: {problem.strerror}.") from problem


def _engine(path: Path, begin: str, connections: int, foreign_keys: str = "ON") -> Engine:
    settings = {
        "synchronous": "FULL",
        "foreign_keys": foreign_keys,
        "trusted_schema": "OFF",
        "cell_size_check": "ON",
        "query_only": "ON" if begin == "BEGIN" else "OFF",
    }

    def connect() -> sqlite3.Connection:
        return _connect(path, settings)

    engine = create_engine(
        "sqlite://",
        creator=connect,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=SECONDS_TO_TRY,
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _connect(path: Path, settings: Mapping[str, str]) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=SECONDS_BUSY,
        isolation_level=None,  # we say when a transaction begins
        check_same_thread=False,
    )
    try:
        for name, value in settings.items():
            connection.execute(f"PRAGMA {name} = {value}")
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            _refuse_foreign(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    """Leave the file of another program exactly as it is."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if names and schema.version.name not in names:
        raise StorageError(
            f"{path} holds tables of another program: choose another place for the store."
        )
