"""A migration that is killed leaves the old tables or the new ones, never something between."""

from __future__ import annotations

import os
import random
import time

import pytest

from rarefind.store import open_store
from tests.faults.workers import client_event
from tests.store.example import create_schema, new_id, with_hunt
from tests.store.test_migrations import EVENTS, next_folder, rows

ROUNDS = max(6, int(os.environ.get("RAREFIND_FAULT_ROUNDS", "50")) // 8)


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_killed_migration_leaves_the_old_or_the_new_tables(zygote, engine, request, tmp_path):
    address = str(tmp_path / "rarefind.db")
    if engine == "postgres":
        address = create_schema(request.getfixturevalue("postgres"), f"killed_{new_id()[:8]}")
    with open_store(address) as store:
        with_hunt(store)
        for future in [store.submit(client_event(1, number)) for number in range(1000)]:
            future.result()
    before = rows(address, "events", EVENTS)
    folder, out = next_folder(tmp_path / "migrations"), tmp_path / "said"
    rng = random.Random(6)
    longest = 0.3
    for _ in range(ROUNDS):
        out.unlink(missing_ok=True)
        pid = zygote.start("upgrade", address=address, folder=str(folder), out=str(out))
        while not out.exists():
            time.sleep(0.002)
        time.sleep(rng.uniform(0, longest))
        zygote.kill(pid)
        version = rows(address, "rarefind_version")
        assert version in ([("0001",)], [("0002",)])
        assert rows(address, "events", EVENTS) == before
        assert len(rows(address, "hunts", "choices" if version == [("0002",)] else "settings")) == 1
        if version == [("0002",)]:
            break
    zygote.wait(zygote.start("upgrade", address=address, folder=str(folder), out=str(out)))
    assert out.read_text() == "done"
    assert rows(address, "rarefind_version") == [("0002",)]
    assert rows(address, "owners") == [("nobody",)]
    assert rows(address, "events", EVENTS) == before
