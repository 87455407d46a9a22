"""Every store that there is, empty, behind one fixture."""

from __future__ import annotations

import psycopg
import pytest

from rarefind.store import open_store
from rarefind.testing.stores.examples import new_id
from tests.store.example import create_schema

ENGINES = ["memory", "sqlite", "postgres"]

EMPTY = """
DELETE FROM undone; DELETE FROM standing; DELETE FROM events; DELETE FROM leases;
DELETE FROM rankings; DELETE FROM hunts; DELETE FROM datasets;
DELETE FROM counter; DELETE FROM people;
INSERT INTO counter (id, last_seq, chain, datasets, hunts, rankings) VALUES (1, 0, '', 0, 0, 0)
"""


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture
def address(engine, tmp_path, request):
    """What a person would type to open an empty store of that engine."""
    if engine == "memory":
        return "memory:"
    if engine == "sqlite":
        return str(tmp_path / "rarefind.db")
    return request.getfixturevalue("empty_postgres")


@pytest.fixture
def store(address):
    with open_store(address) as opened:
        yield opened


@pytest.fixture(scope="session")
def used_postgres(postgres):
    """The address of a store on the server that all tests share."""
    address = create_schema(postgres, f"shared_{new_id()[:8]}")
    open_store(address).close()
    return address


@pytest.fixture
def empty_postgres(used_postgres):
    """The shared store, emptied: much faster than making all tables anew for each test."""
    address = used_postgres
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(EMPTY)
    return address
