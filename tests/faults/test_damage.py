"""A file that was cut or changed opens or is refused in one sentence, and never has a hole."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3

import pytest

from rarefind.core.errors import RarefindError
from rarefind.store import open_store
from rarefind.testing.stores.examples import with_hunt
from tests.faults.workers import client_event

DAMAGES = 2 * int(os.environ.get("RAREFIND_FAULT_ROUNDS", "50"))


@pytest.fixture(scope="module")
def victim(tmp_path_factory):
    """A store as a killed process leaves it: part of it in the log, part in the file."""
    folder = tmp_path_factory.mktemp("victim")
    with open_store(folder / "live.db") as store:
        with_hunt(store)
        told = []
        for number in range(300):
            told.append(store.keep(client_event(1, number)).event)
            if number == 200:
                with sqlite3.connect(folder / "live.db") as connection:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.close()
        for suffix in ("", "-wal"):
            shutil.copy(folder / f"live.db{suffix}", folder / f"dead.db{suffix}")
    return folder / "dead.db", told


def copy_of(victim, folder, name):
    path = folder / f"{name}.db"
    for suffix in ("", "-wal"):
        shutil.copy(f"{victim}{suffix}", f"{path}{suffix}")
    return path


def cut(path, rng):
    os.truncate(path, rng.randrange(path.stat().st_size))


def flip(path, rng):
    contents = bytearray(path.read_bytes())
    for _ in range(rng.choice([1, 1, 20])):
        contents[rng.randrange(len(contents))] ^= 1 << rng.randrange(8)
    path.write_bytes(bytes(contents))


def outcome(path, work):
    """What the work on the store gives, or the one sentence with which it is refused."""
    try:
        with open_store(path) as store:
            return work(store), None
    except RarefindError as problem:
        return None, str(problem)


def events_of(store):
    store.hunts()
    store.standing("hunt")
    return store.events("hunt")


def one_sentence(text):
    return text is not None and "\n" not in text and len(text) > 20


@pytest.mark.parametrize("damage", [cut, flip])
def test_a_damaged_log_leaves_the_beginning_of_what_was_told(victim, tmp_path, damage):
    dead, told = victim
    rng = random.Random(3)
    lengths = set()
    for number in range(DAMAGES // 4):
        path = copy_of(dead, tmp_path, number)
        damage(path.with_name(f"{path.name}-wal"), rng)
        events, refused = outcome(path, events_of)
        assert refused is None
        assert events == told[: len(events)]
        lengths.add(len(events))
    assert min(lengths) >= 200
    assert len(lengths) > 3


@pytest.mark.parametrize("damage", [cut, flip])
def test_a_damaged_file_is_refused_or_has_no_hole(victim, tmp_path, damage):
    dead, told = victim
    rng = random.Random(4)
    opened = 0
    for number in range(DAMAGES // 2):
        path = copy_of(dead, tmp_path, number)
        damage(path, rng)
        events, refused = outcome(path, events_of)
        if events is None:
            assert one_sentence(refused)
        else:
            assert events == told[: len(events)]
            opened += 1
    assert opened > 0 if damage is flip else opened < DAMAGES // 2


def test_check_says_in_sentences_what_is_damaged(victim, tmp_path):
    dead, _ = victim
    rng = random.Random(5)
    found = 0
    for number in range(DAMAGES // 4):
        path = copy_of(dead, tmp_path, number)
        flip(path, rng)
        report, refused = outcome(path, lambda store: store.check(repair=True))
        if report is None:
            assert one_sentence(refused)
            continue
        found += not report.ok
        assert all(one_sentence(sentence) for sentence in report.faults + report.repaired)
        assert report.ok == (report.faults == ())
    assert found > 0
