"""Open a store by what a person types: a path or the address of a database."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from rarefind.core.errors import MissingPackageError, ParameterError, StorageError
from rarefind.store.contract import Store
from rarefind.store.in_memory import MemoryStore


def open_store(
    url_or_path: str | Path | None, *, create: bool = True, to_read: bool = False
) -> Store:
    """Open a store, and make a new one if there is none.

    Parameters
    ----------
    url_or_path
        A path or ``sqlite:///path``, ``postgresql://user:password@host/database``, or ``memory:``
        (also None) for a store that is forgotten when the process ends.
    create
        Whether a file that does not exist is made; otherwise it is refused.
    to_read
        Whether it is enough to read: then a file that cannot be written (a read-only disk, a full
        one) is opened all the same, and ``read_only`` of the store says why.

    >>> with open_store("memory:") as store:
    ...     store.hunts()
    []
    """
    kind, place = _read(url_or_path)
    if kind == "memory":
        return MemoryStore()
    _need(kind)
    if kind == "postgres":
        from rarefind.store.database.postgres import PostgresStore

        return PostgresStore(place)
    from rarefind.store.database.problems import OutOfReachError
    from rarefind.store.database.sqlite import SQLiteStore

    if not create and not Path(place).exists():
        raise StorageError(
            f"There is no store {place}: begin a hunt first, or name the one you used before."
        )
    if not create and Path(place).is_file() and not Path(place).stat().st_size:
        raise StorageError(f"{place} is an empty file and no store: name the one you used before.")
    try:
        return SQLiteStore(place)
    except StorageError as problem:
        if not to_read or isinstance(problem, OutOfReachError) or not os.access(place, os.R_OK):
            raise
        from rarefind.store.database.sqlite_read_only import ReadOnlySQLiteStore

        return ReadOnlySQLiteStore(place, str(problem))


def upgrade_store(url_or_path: str | Path) -> int:
    """Bring a store made by an older rarefind up to date; return the version it had.

    A SQLite store is copied first, to a file beside it that ends in ``.version-N``.
    """
    kind, place = _read(url_or_path)
    if kind == "memory":
        raise ParameterError("A store in memory is always up to date.")
    _need(kind)
    if kind == "postgres":
        from rarefind.store.database.postgres import upgrade_database

        return upgrade_database(place)
    from rarefind.store.database.sqlite import upgrade_file

    return upgrade_file(place)


def _read(url_or_path: str | Path | None) -> tuple[str, str]:
    if url_or_path is None or str(url_or_path) == "memory:":
        return "memory", ""
    text = str(url_or_path)
    if not text:
        raise ParameterError("The store must be a path or an address. Got an empty text.")
    if text.startswith("sqlite:///"):
        return "sqlite", text.removeprefix("sqlite:///")
    if text.startswith(("postgresql://", "postgres://")):
        return "postgres", "postgresql://" + text.partition("://")[2]
    scheme, found, _ = text.partition("://")
    if found and isinstance(url_or_path, str):
        raise ParameterError(
            f"A store is a path, sqlite:///path or postgresql://user@host/database. "
            f"Got {scheme}://… instead."
        )
    return "sqlite", text


def _need(kind: str) -> None:
    for package, name in (("sqlalchemy", "SQLAlchemy"), ("alembic", "alembic")):
        if find_spec(package) is None:
            raise MissingPackageError("Keeping hunts", name, "store")
    if kind == "postgres" and find_spec("psycopg") is None:
        raise MissingPackageError("Keeping hunts in PostgreSQL", "psycopg", "postgres")
