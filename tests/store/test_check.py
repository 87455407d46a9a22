"""``check`` finds what is wrong, and repairs what follows from the events."""

from __future__ import annotations

import sqlite3

import psycopg
import pytest

from rarefind.core.errors import StorageError
from rarefind.store import open_store, replay
from rarefind.store.people.invitations import invite
from rarefind.testing.stores.examples import (
    candidates,
    data_set,
    label,
    ranking,
    undo,
    with_hunt,
)


@pytest.fixture(params=["sqlite", "postgres"])
def damaged(request, tmp_path):
    """A function that opens a store after some SQL was run on its tables."""
    is_file = request.param == "sqlite"
    path = tmp_path / "rarefind.db"
    address = str(path) if is_file else request.getfixturevalue("empty_postgres")
    with open_store(address) as store:
        with_hunt(store)
        kept = [store.keep(label(row)).event for row in range(5)]
        store.keep(label(0, "error"))
        store.keep(undo(kept[1].id))
        store.take_leases("hunt", "bob", candidates(9), count=1, seconds=60, now=0.0)
        store.put_ranking(ranking("ranking"))
        store.change_person(invite("bob", "labels", "a secret", 0.0))
    opened = []

    def run(*statements):
        if is_file:
            with sqlite3.connect(path) as connection:
                for statement in statements:
                    connection.execute(statement)
            connection.close()
        else:
            with psycopg.connect(address) as connection:
                connection.execute("SET session_replication_role = replica")  # no foreign keys
                for statement in statements:
                    connection.execute(statement)
        opened.append(open_store(address))
        return opened[0]

    yield run
    for store in opened:
        store.close()


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("DELETE FROM standing", "The standing labels of the hunt 'the hunt' differ"),
        ("UPDATE standing SET seq = 1 WHERE seq = 6", "The standing labels of the hunt"),
        ("INSERT INTO standing VALUES ('hunt', 77, 'eve', 2)", "The standing labels of the hunt"),
        ("DELETE FROM undone", "What was taken back in the hunt 'the hunt' differs"),
        ("UPDATE counter SET last_seq = 3", "The counter of events stands at 3, not 7"),
        ("DELETE FROM counter", "The counter of events is missing"),
        (
            "UPDATE leases SET hunt = 'gone'",
            "There are rows in leases of a hunt",
        ),
    ],
)
def test_what_follows_from_the_events_is_repaired(damaged, statement, sentence):
    store = damaged(statement)
    report = store.check()
    assert not report.ok
    assert [fault.startswith(sentence) for fault in report.faults] == [True]
    assert report.repaired == ()
    mended = store.check(repair=True)
    assert (mended.ok, mended.faults) == (True, ())
    assert mended.repaired == report.faults
    assert store.check().ok
    assert store.standing("hunt") == replay(store.events("hunt")).statements
    assert store.keep(label(8)).event.seq == 8


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("DELETE FROM events WHERE seq = 3", "Events are missing among the first 7: 1"),
        ("DELETE FROM events WHERE seq = 7", "The last events are missing: 1 of 7"),
        ("UPDATE events SET value = 'other' WHERE seq = 2", "The event at place 2 is damaged"),
        (
            "UPDATE events SET hunt = 'gone' WHERE seq = 7",
            "There are rows in events of a",
        ),
        ("UPDATE hunts SET dataset = 'gone'", "There are hunts whose data set is missing: 1"),
        ("UPDATE hunts SET settings = '{\"seed\": 7}'", "The hunt 'hunt' is damaged"),
        ("UPDATE hunts SET created_at = 2", "The hunt 'hunt' is damaged"),
        ("UPDATE datasets SET sha256 = 'ff'", "The data set 'data' is damaged"),
        ("UPDATE rankings SET target = 'error'", "The ranking 'ranking' is damaged"),
        ("UPDATE rankings SET scores = rows", "The ranking 'ranking' is damaged"),
        ("DELETE FROM rankings", "Rows of rankings are missing: 1 of 1"),
        ("UPDATE people SET role = 'leads'", "The person "),
    ],
)
def test_what_cannot_be_repaired_is_said(damaged, statement, sentence):
    store = damaged(statement)
    report = store.check(repair=True)
    assert not report.ok
    assert any(fault.startswith(sentence) for fault in report.faults), report.faults


@pytest.mark.parametrize(
    "further",
    [
        "UPDATE counter SET last_seq = 6",
        "INSERT INTO events (seq, id, hunt, kind, row, value, annotator, at, previous, digest) "
        "SELECT 7, 'new', hunt, kind, row, value, annotator, at, 6, digest FROM events "
        "WHERE seq = 5",
    ],
)
def test_a_last_event_that_was_removed_with_care_is_missed(damaged, further):
    """The counter put back with it, or another event in its place: the chain knows better."""
    store = damaged(
        "DELETE FROM undone WHERE by_seq = 7",
        "DELETE FROM events WHERE seq = 7",
        "INSERT INTO standing VALUES ('hunt', 1, 'ann', 2)",
        further,
    )
    report = store.check(repair=True)
    assert any("they do not fit their chain" in fault for fault in report.faults), report.faults


def test_settings_that_were_changed_are_noticed_when_the_hunt_is_opened(damaged):
    store = damaged("UPDATE hunts SET settings = '{\"seed\": 7}'")
    with pytest.raises(StorageError, match="The hunt 'hunt' is damaged"):
        store.hunt("hunt")
    store.dataset("data")


def test_a_hole_is_noticed_when_the_events_are_read(damaged):
    store = damaged("DELETE FROM events WHERE seq = 3")
    with pytest.raises(StorageError, match="Events are missing between the places 2 and 4"):
        store.events("hunt")
    assert [event.seq for event in store.events("hunt", after=3)] == [4, 5, 6, 7]


def test_a_changed_event_is_noticed_when_it_is_read(damaged):
    store = damaged("UPDATE events SET row = 99 WHERE seq = 2")
    with pytest.raises(StorageError, match="The event at place 2 is damaged"):
        store.events("hunt")


def test_a_ranking_with_lost_numbers_is_said(damaged):
    store = damaged("UPDATE rankings SET rows = '12345678'")
    report = store.check()
    assert "The ranking 'ranking' has not one score for each row." in report.faults
    with pytest.raises(StorageError, match="The ranking 'ranking' is damaged"):
        store.ranking("ranking")


def test_settings_that_cannot_be_read_back_are_damage(damaged):
    store = damaged("UPDATE hunts SET settings = '{'")
    with pytest.raises(StorageError, match="is damaged"):
        store.hunts()


def test_a_damaged_index_is_built_anew(tmp_path):
    path = tmp_path / "rarefind.db"
    with open_store(path) as store:
        with_hunt(store)
        for row in range(5):
            store.keep(label(row))
        store.put_dataset(data_set("more", sha256="00"))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'events_by_row'"
        ).fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    contents = bytearray(path.read_bytes())
    start = (root - 1) * size
    contents[start : start + size] = bytes([10, 0, 0, 0, 0, 16, 0, 0]) + bytes(size - 8)
    path.write_bytes(bytes(contents))
    with open_store(path) as store:
        assert not store.check().ok
        assert store.check(repair=True).ok
        assert store.check().ok
