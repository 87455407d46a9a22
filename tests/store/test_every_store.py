"""Every store there is keeps the promises of stores."""

from __future__ import annotations

import psycopg
import pytest

from rarefind.core.errors import UnknownNameError
from rarefind.store import open_store
from rarefind.testing import check_store
from rarefind.testing.stores.examples import with_hunt
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


def test_a_model_comes_back_and_is_replaced(store):
    with_hunt(store)
    store.put_model("hunt", "lago", {"alpha": 1}, b"\x00\x01")
    store.put_model("hunt", "lago", {"alpha": 2}, b"\xff" * 100_000)
    assert store.model("hunt", "lago") == ({"alpha": 2}, b"\xff" * 100_000)
    with pytest.raises(UnknownNameError, match="Did you mean 'lago'"):
        store.model("hunt", "lag")
    for call in (
        lambda: store.model("none", "lago"),
        lambda: store.put_model("none", "lago", {}, b""),
    ):
        with pytest.raises(UnknownNameError, match=r"There is no .*none"):
            call()
