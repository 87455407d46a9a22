"""A migration that is killed leaves the old tables or the new ones, never something between."""

from __future__ import annotations

import os
import random
import shutil
import time

import numpy as np
import pytest

from rarefind.store import open_store
from rarefind.store.database import tables as schema
from rarefind.testing.stores.examples import new_id, with_hunt
from tests.faults.workers import client_event
from tests.store.example import create_schema
from tests.store.test_migrations import EVENTS, THIS, as_left_by, next_folder, rows
from tests.waiting import wait_until

NOW, NEXT = f"{THIS:04d}", f"{THIS + 1:04d}"
ROUNDS = max(6, int(os.environ.get("RAREFIND_FAULT_ROUNDS", "50")) // 5)


TABLES = list(schema.metadata.tables)
POINTS = max(2, ROUNDS // 5)
"""At so many statements of each migration it is killed, spread evenly; all of them if so many."""


def old_store(address):
    with open_store(address) as store:
        with_hunt(store)
        for future in [store.submit(client_event(1, number)) for number in range(500)]:
            future.result()
    return address


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request):
    return request.param


@pytest.fixture
def fresh(engine, request, tmp_path):
    """A function that gives the address of an old store, another one each time."""
    if engine == "postgres":
        server = request.getfixturevalue("postgres")
        return lambda: old_store(create_schema(server, f"killed_{new_id()[:8]}"))
    original = old_store(str(tmp_path / "original.db"))
    return lambda: shutil.copy(original, tmp_path / f"{new_id()}.db")


def test_a_killed_migration_leaves_the_old_or_the_new_tables(zygote, engine, fresh, tmp_path):
    folder, out = next_folder(tmp_path / "migrations"), tmp_path / "said"
    rng = random.Random(6)

    def start(address):
        out.unlink(missing_ok=True)
        pid = zygote.start("upgrade", address=str(address), folder=str(folder), out=str(out))
        wait_until(out.exists)
        return pid

    address = str(fresh())
    made = time.monotonic()
    zygote.wait(start(address))
    longest = time.monotonic() - made
    versions = []
    # Tables on a server are slow to make: a few rounds must do.
    for _ in range(ROUNDS // 3 if engine == "postgres" else ROUNDS):
        address = str(fresh())
        before = rows(address, "events", EVENTS)
        pid = start(address)
        time.sleep(rng.uniform(0, longest))
        zygote.kill(pid)
        versions += rows(address, "rarefind_version")
        is_new = versions[-1] == (NEXT,)
        assert rows(address, "events", EVENTS) == before
        assert len(rows(address, "hunts", "choices" if is_new else "settings")) == 1
        if not is_new:
            zygote.wait(start(address))
        assert out.read_text() in ("begun", "done")
        assert rows(address, "rarefind_version") == [(NEXT,)]
        assert rows(address, "owners") == [("nobody",)]
        assert rows(address, "events", EVENTS) == before
    assert {version for (version,) in versions} <= {NOW, NEXT}


@pytest.mark.parametrize("version", range(1, THIS))
def test_every_earlier_store_is_brought_up_to_date_however_often_that_is_killed(
    zygote, engine, version, request, tmp_path
):
    server = request.getfixturevalue("postgres") if engine == "postgres" else None
    out = tmp_path / "statements"

    def upgraded(address, statement=0):
        zygote.wait(
            zygote.start("upgrade_until", address=address, statement=statement, out=str(out))
        )

    upgraded(whole := as_left_by(version, tmp_path, server))
    expected = {table: rows(whole, table) for table in TABLES}
    for statement in np.unique(np.linspace(1, int(out.read_text()), POINTS, dtype=int)):
        out.unlink()
        address = as_left_by(version, tmp_path, server)
        before = rows(address, "events")
        upgraded(address, int(statement))
        assert not out.exists(), "killed"
        assert rows(address, "rarefind_version") == [(f"{version:04d}",)]
        assert rows(address, "events") == before
        upgraded(address)
        assert {table: rows(address, table) for table in TABLES} == expected
        with open_store(address) as store:
            assert store.check().faults == ()
