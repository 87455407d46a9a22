"""Processes are killed at any moment: what was acknowledged is there, and there once."""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter

import psycopg
import pytest

from rarefind.store import open_store, replay
from rarefind.testing.stores.examples import with_hunt
from tests.faults.workers import client_event
from tests.store.example import create_schema
from tests.waiting import wait_until

ROUNDS = int(os.environ.get("RAREFIND_FAULT_ROUNDS", "50"))
CLIENTS = 20


class Crowd:
    """Twenty clients in two processes who label without end, and what they were told."""

    def __init__(self, zygote, address, folder):
        self.zygote, self.address, self.folder = zygote, address, folder
        self.end = folder / "end"
        self.next = dict.fromkeys(range(CLIENTS), 0)
        self.told = {}
        self.running = []

    def start(self):
        for half in (0, 1):
            acks = self.folder / f"acks-{time.monotonic_ns()}-{half}"
            starts = {client: self.next[client] for client in range(half, CLIENTS, 2)}
            paths = {"acks": str(acks), "end": str(self.end)}
            pid = self.zygote.start("label", address=self.address, starts=starts, **paths)
            self.running.append((pid, acks))

    def lines(self):
        """What the clients wrote down so far; a line that is being written is left for later."""
        return [
            json.loads(line)
            for _, acks in self.running
            if acks.exists()
            for line in acks.read_text().splitlines(keepends=True)
            if line.endswith("\n")
        ]

    def wait_for_everybody(self):
        """Wait until each client has been told something that it was not told before."""
        before = Counter(line["client"] for line in self.lines())

        def all_told_more():
            lines = self.lines()
            assert [line["error"] for line in lines if "error" in line] == []
            return len(Counter(line["client"] for line in lines) - before) == CLIENTS

        wait_until(all_told_more)

    def read(self):
        """Gather what the clients were told; return how many lines and the errors."""
        lines = self.lines()
        self.running = []
        errors = [line["error"] for line in lines if "error" in line]
        told = [line for line in lines if "seq" in line]
        for line in told:
            self.told[line["id"]] = line["seq"]
            self.next[line["client"]] = max(self.next[line["client"]], line["number"] + 1)
        return told, errors

    def kill(self, rng):
        for pid, _ in rng.sample(self.running, len(self.running)):
            time.sleep(rng.uniform(0, 0.05))
            self.zygote.kill(pid)
        return self.read()

    def finish(self):
        self.end.touch()
        for pid, _ in self.running:
            self.zygote.wait(pid)
        return self.read()


def nothing_lost_nothing_doubled(store, crowd):
    events = store.events("hunt")
    kept = {event.id: event.seq for event in events}
    assert len(kept) == len(events)
    lost = {id: seq for id, seq in crowd.told.items() if kept.get(id) != seq}
    assert lost == {}
    # Each client's events are there without a hole, at most one more than it was told of.
    by_client = Counter(event.annotator for event in events)
    for client, told in crowd.next.items():
        stored = by_client[f"client {client}"]
        assert told <= stored <= told + 1
        expected = [client_event(client, number).id for number in range(stored)]
        assert [e.id for e in events if e.annotator == f"client {client}"] == expected
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    report = store.check()
    assert report.ok, report.faults
    assert store.standing("hunt") == replay(events).statements


def kill_again_and_again(crowd, rounds, seed):
    """Kill while the processes start, or after some words, at any moment between two."""
    rng = random.Random(seed)
    for round in range(rounds):
        crowd.start()
        words = rng.choice([0, 1, 4, 15, 40])
        wait_until(lambda words=words: len(crowd.lines()) >= words)
        crowd.kill(rng)
        if round % 10 == 9 or round == rounds - 1:
            with open_store(crowd.address) as store:
                nothing_lost_nothing_doubled(store, crowd)
    assert len(crowd.told) > 4 * rounds


def test_killed_sqlite_processes_lose_and_double_nothing(zygote, tmp_path):
    address = str(tmp_path / "rarefind.db")
    with open_store(address) as store:
        with_hunt(store)
    kill_again_and_again(Crowd(zygote, address, tmp_path), ROUNDS, seed=1)


def test_killed_postgres_processes_lose_and_double_nothing(zygote, postgres, tmp_path):
    address = create_schema(postgres, f"kills_{os.getpid()}")
    with open_store(address) as store:
        with_hunt(store)
    kill_again_and_again(Crowd(zygote, address, tmp_path), max(5, ROUNDS // 5), seed=2)


def test_killed_connections_are_made_again_and_nobody_notices(zygote, postgres, tmp_path):
    address = create_schema(postgres, f"backends_{os.getpid()}")
    with open_store(address) as store:
        with_hunt(store)
    crowd = Crowd(zygote, address, tmp_path)
    kills = max(10, ROUNDS // 4)
    crowd.start()
    crowd.wait_for_everybody()
    killed = 0
    with psycopg.connect(postgres, autocommit=True) as connection:

        def enough_killed():  # on a busy machine it takes a while until there are new ones
            nonlocal killed
            time.sleep(0.15)
            killed += connection.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE application_name = 'rarefind'"
            ).fetchone()[0]
            return killed >= kills

        wait_until(enough_killed)
    crowd.wait_for_everybody()
    _, errors = crowd.finish()
    assert errors == []
    assert killed >= kills
    with open_store(address) as store:
        nothing_lost_nothing_doubled(store, crowd)


def test_a_server_that_starts_again_is_found_by_everybody(
    zygote, postgres, restart_postgres, tmp_path
):
    address = create_schema(postgres, f"restarts_{os.getpid()}")
    with open_store(address) as store:
        with_hunt(store)
    crowd = Crowd(zygote, address, tmp_path)
    restarts = max(2, ROUNDS // 25)
    crowd.start()
    for number in range(restarts):
        crowd.wait_for_everybody()
        restart_postgres("immediate" if number % 2 == 0 else "fast")
    crowd.wait_for_everybody()
    _, errors = crowd.finish()
    assert errors == []
    with open_store(address) as store:
        nothing_lost_nothing_doubled(store, crowd)


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_processes_that_live_side_by_side_all_get_their_turn(zygote, engine, request, tmp_path):
    address = str(tmp_path / "rarefind.db")
    if engine == "postgres":
        address = create_schema(request.getfixturevalue("postgres"), f"beside_{os.getpid()}")
    with open_store(address) as store:
        with_hunt(store)
    crowd = Crowd(zygote, address, tmp_path)
    crowd.start()
    crowd.wait_for_everybody()
    _, errors = crowd.finish()
    assert errors == []
    with open_store(address) as store:
        nothing_lost_nothing_doubled(store, crowd)


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_processes_that_make_the_same_store_at_once_all_get_it(zygote, engine, request, tmp_path):
    for attempt in range(3):
        address = str(tmp_path / f"new{attempt}.db")
        if engine == "postgres":
            server = request.getfixturevalue("postgres")
            address = create_schema(server, f"at_once_{attempt}_{os.getpid()}")
        notes = [tmp_path / f"{attempt} {number}" for number in range(4)]
        for pid in [zygote.start("make", address=address, out=str(note)) for note in notes]:
            zygote.wait(pid)
        assert [note.read_text() for note in notes] == ["made"] * 4
        with open_store(address) as store:
            assert store.check().ok


def test_a_store_opened_before_a_fork_says_so_instead_of_waiting(zygote, tmp_path):
    out = tmp_path / "said"
    pid = zygote.start("use_after_fork", address=str(tmp_path / "x.db"), out=str(out))
    zygote.wait(pid)
    assert out.read_text() == (
        "The store was opened in another process: open it anew in each process."
    )
