"""What can be read of a damaged store comes back, exactly, and what is missing is told."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from click.testing import CliRunner

from rarefind.cli.main import cli
from rarefind.core.errors import StateError, StorageError
from rarefind.store import open_store
from rarefind.store.contract import Event
from rarefind.store.salvage import salvage
from rarefind.testing.stores.examples import ranking, with_hunt

EVENTS = 400


def told(number, **changes):
    kind, row, value = "label", number, f"class {number % 3} {'x' * 60}"
    if number % 10 == 9:
        kind, row, value = "undo", None, f"e{number - 1}"
    values = {"id": f"e{number}", "hunt": "hunt", "kind": kind, "row": row, "value": value}
    return Event(**{**values, "annotator": "ann", "at": 0.0, **changes})


@pytest.fixture
def whole(tmp_path):
    path = tmp_path / "whole.db"
    with open_store(path) as store:
        with_hunt(store)
        for number in range(EVENTS):
            store.submit(told(number)).result()
        store.put_ranking(ranking("best", after_seq=EVENTS))
    return path


def events_of(path):
    with open_store(path) as store:
        assert store.check().ok, store.check().faults
        return [replaced(event) for event in store.events("hunt")]


def replaced(event):
    """An event without its place, which may change where others are lost."""
    return (event.id, event.kind, event.row, event.value, event.annotator, event.at)


def test_a_whole_store_comes_back_whole(whole, tmp_path):
    found = salvage(whole, tmp_path / "new.db")
    assert found.missing == ()
    assert (found.hunts, found.events, found.rankings) == (1, EVENTS, 1)
    assert events_of(tmp_path / "new.db") == events_of(whole)
    with open_store(tmp_path / "new.db") as store:
        kept = store.ranking("best")
        assert kept.after_seq == EVENTS
        np.testing.assert_array_equal(kept.rows, ranking("best").rows)


def test_around_damaged_pages_everything_comes_back(whole, tmp_path):
    """Whatever is damaged, what comes back is a part of what was said, in its order."""
    everything = events_of(whole)
    sound = whole.read_bytes()
    chance = random.Random(0)
    pages = len(sound) // 4096
    most = 0
    for attempt in range(12):
        broken, out = tmp_path / f"broken{attempt}.db", tmp_path / f"new{attempt}.db"
        data = bytearray(sound)
        page = chance.randrange(3, pages)
        data[page * 4096 : page * 4096 + 4096] = bytes(chance.randbytes(4096))
        broken.write_bytes(data)
        found = salvage(broken, out)
        back = events_of(out)
        assert len(back) == found.events
        places = [everything.index(event) for event in back]
        assert places == sorted(places)
        assert len(back) == EVENTS or found.missing
        most = max(most, len(back))
        assert broken.read_bytes() == bytes(data)
    assert most >= EVENTS - 40


def test_a_changed_event_is_left_out_and_so_is_what_took_it_back(whole, tmp_path):
    with closing(sqlite3.connect(whole)) as connection, connection:
        connection.execute("UPDATE events SET value = 'other' WHERE id = 'e8'")
    found = salvage(whole, tmp_path / "new.db")
    assert found.events == EVENTS - 2
    assert "damaged: 1" in found.missing[0]
    assert "took back is lost" in found.missing[1]


def test_labels_of_a_hunt_that_is_lost_come_back_under_another_name(whole, tmp_path):
    with closing(sqlite3.connect(whole)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM hunts")
        connection.execute("DELETE FROM datasets")
    done = CliRunner().invoke(
        cli, ["salvage", str(whole), "--out", str(tmp_path / "new.db"), "--json"]
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert told["events"] == EVENTS
    assert "name and the settings of the hunt hunt are lost" in told["missing"][0]
    with open_store(tmp_path / "new.db") as store:
        assert [hunt.name for hunt in store.hunts()] == ["salvaged hunt"]
        assert len(store.events("hunt")) == EVENTS


def test_what_is_no_store_is_refused(whole, tmp_path):
    other = tmp_path / "other.db"
    with pytest.raises(StorageError, match="There is no store"):
        salvage(other, tmp_path / "new.db")
    other.write_bytes(b"something else" * 1000)
    with pytest.raises(StorageError, match="Nothing can be read of"):
        salvage(other, tmp_path / "new.db")
    with pytest.raises(StateError, match="exists already"):
        salvage(whole, other)
