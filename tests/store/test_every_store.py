"""Every store there is keeps the promises of stores."""

from __future__ import annotations

import psycopg

from rarefind.store import open_store
from rarefind.testing import check_store
from tests.store.conftest import EMPTY


def test_memory_keeps_its_promises():
    check_store(lambda: open_store("memory:"))


def test_sqlite_keeps_its_promises(tmp_path):
    files = [tmp_path / "0.db"]

    def empty():
        files.append(tmp_path / f"{len(files)}.db")
        return open_store(files[-1])

    check_store(empty, lambda: open_store(files[-1]))


def test_postgresql_keeps_its_promises(used_postgres):
    def empty():
        with psycopg.connect(used_postgres, autocommit=True) as connection:
            connection.execute(EMPTY)
        return open_store(used_postgres)

    check_store(empty, lambda: open_store(used_postgres))
