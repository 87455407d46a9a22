"""The store in one file where nothing can be written: a read-only or full disk, another's file."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from rarefind.core.errors import StorageError
from rarefind.store.copying import fold_into_one_file, new_file
from rarefind.store.database import migrations
from rarefind.store.database.access import SECONDS_TO_TRY
from rarefind.store.database.problems import Problem, of_sqlite
from rarefind.store.database.sql import SqlStore
from rarefind.store.database.sqlite import copy_file, driver_of

_MEMORY_DISK = Path("/dev/shm")  # noqa: S108  (a folder of ours is made in it, for its owner alone)
"""Where Linux keeps files in memory: there is room when the disk is full."""


class ReadOnlySQLiteStore(SqlStore):
    """Reads a SQLite store without touching it or its folder; whatever would write is refused.

    Parameters
    ----------
    path
        The file. If there is a write-ahead log beside it, which SQLite reads only where it may
        write, both are copied elsewhere first.
    why
        Why nothing can be written, as a sentence.
    """

    def __init__(self, path: str | Path, why: str) -> None:
        self.path = Path(path).absolute()
        self.where = str(path)
        self.read_only = why
        self._copied: tempfile.TemporaryDirectory[str] | None = None
        log = self.path.with_name(f"{self.path.name}-wal")
        if log.exists() and log.stat().st_size:
            self._engine = _engine(self._copy(log), "mode=rw")
        else:
            self._engine = _engine(self.path, "immutable=1")
        try:
            self._try(self._prepare)
        except BaseException:
            self._let_go()
            raise
        super().__init__()

    def backup(self, path: Path) -> None:
        """Copy everything into a new file elsewhere."""
        with new_file(Path(path)) as draft:
            self._read(lambda connection: copy_file(driver_of(connection), draft))
            fold_into_one_file(draft)

    def close(self) -> None:
        """Let go of the file, and of the copy if there is one."""
        super().close()
        if self._copied is not None:
            self._copied.cleanup()

    def _prepare(self) -> None:
        with self._engine.begin() as connection:
            version = migrations.version_of(connection, self.where)
        if version == 0:
            raise StorageError(f"{self.where} is not a rarefind store.")
        migrations.refuse_other_version(version, self.where)

    def _copy(self, log: Path) -> Path:
        for folder in (None, _MEMORY_DISK):
            try:
                self._copied = tempfile.TemporaryDirectory(prefix="rarefind-", dir=folder)
                copy = Path(self._copied.name) / self.path.name
                shutil.copyfile(self.path, copy)
                shutil.copyfile(log, copy.with_name(log.name))
            except OSError as problem:
                reason = problem.strerror
                if self._copied is not None:
                    self._copied.cleanup()
                continue
            return copy
        raise StorageError(f"There is no room for a copy of {self.where} to read ({reason}).")

    def _writing(self) -> AbstractContextManager[Connection]:
        raise StorageError(f"Nothing can be added or changed here. {self.read_only}")

    def _reading(self, *, snapshot: bool = False) -> AbstractContextManager[Connection]:
        return self._engine.begin()

    def _problem(self, problem: BaseException) -> Problem:
        return of_sqlite(self.where, problem)

    def _let_go(self) -> None:
        self._engine.dispose()


def _engine(path: Path, how: str) -> Engine:
    def connect() -> sqlite3.Connection:
        address = f"{path.as_uri()}?{how}"
        connection = sqlite3.connect(
            address, uri=True, isolation_level=None, check_same_thread=False
        )
        for setting in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {setting}")
        return connection

    engine = create_engine(
        "sqlite://",
        creator=connect,
        poolclass=QueuePool,
        pool_size=4,
        max_overflow=0,
        pool_timeout=SECONDS_TO_TRY,
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine
