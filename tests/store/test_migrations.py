"""Stores of other versions are refused with what to do, or brought up to date whole."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine

from rarefind.core.asked_by import UNKNOWN
from rarefind.core.errors import StateError, StorageError
from rarefind.store import open_store, replay, upgrade_store
from rarefind.store.database import migrations
from rarefind.store.database import tables as schema
from rarefind.store.people.invitations import invite
from rarefind.testing.stores.examples import label, new_id, undo, with_hunt
from tests.store.example import create_schema

NEXT = Path(__file__).parent / "next_version"
OLD = Path(__file__).parent / "old"
THIS = schema.VERSION


@pytest.fixture
def next_version(tmp_path, monkeypatch):
    """A rarefind that has one version of the tables more than this one."""
    folder = next_folder(tmp_path / "migrations")
    monkeypatch.setattr(migrations, "FOLDER", folder)
    monkeypatch.setattr(schema, "VERSION", THIS + 1)


def next_folder(folder):
    shutil.copytree(migrations.FOLDER / "versions", folder / "versions")
    shutil.copy(NEXT / "versions" / "v0006_next.py", folder / "versions")
    return folder


@pytest.fixture(params=["sqlite", "postgres"])
def old_store(request, tmp_path):
    """A store of this version with something in it."""
    address = str(tmp_path / "rarefind.db")
    if request.param == "postgres":
        address = create_schema(request.getfixturevalue("postgres"), f"old_{new_id()[:8]}")
    with open_store(address) as store:
        with_hunt(store)
        kept = [store.keep(label(row)).event for row in range(50)]
        store.keep(undo(kept[3].id))
    return address


def rows(address, table, columns="*"):
    query = f"SELECT {columns} FROM {table} ORDER BY 1"
    if address.startswith("postgresql"):
        with psycopg.connect(address) as connection:
            return connection.execute(query).fetchall()
    with sqlite3.connect(address) as connection:
        found = connection.execute(query).fetchall()
    connection.close()
    return found


EVENTS = "seq, id, hunt, kind, row, value, annotator, at, asked_by, previous, digest"


@pytest.fixture(params=[(n, kind) for n in range(1, THIS) for kind in ("sqlite", "postgres")])
def earlier(request, tmp_path):
    """A store as an earlier version left it: labels, a skip, an undo, added records, a ranking."""
    version, kind = request.param
    server = request.getfixturevalue("postgres") if kind == "postgres" else None
    return version, as_left_by(version, tmp_path, server)


def as_left_by(version, folder, server=None):
    """Make a store as an earlier version left it, in a file or on a server; return its address."""
    if server is None:
        return str(shutil.copy(OLD / f"version_{version}.db", folder / f"{new_id()}.db"))
    address = create_schema(server, f"before_{new_id()[:8]}")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute((OLD / f"version_{version}.sql").read_text())
    return address


def test_a_store_of_every_earlier_version_is_brought_up_to_date(earlier):
    version, address = earlier
    with pytest.raises(StateError, match="older rarefind"):
        open_store(address)
    digests = rows(address, "events", "seq, digest")
    assert upgrade_store(address) == version
    assert rows(address, "events", "seq, digest") == digests
    with open_store(address) as store:
        assert store.check().faults == ()
        events = {event.id: event for event in store.events("first")}
        asked = [events[f"asked-{row}"].asked_by for row in range(12)]
        assert asked == [UNKNOWN] * 12
        assert [events[id].asked_by for id in ("told", "skipped", "undone", "grown")] == [None] * 4
        assert store.standing("first") == replay(store.events("first")).statements
        assert replay(store.events("first")).agreed[8] == ("strange" if version == 4 else "odd 8")
        [lease] = store.leases("first", now=0.0)
        assert (lease.candidate.row, lease.candidate.asked_by) == (50, UNKNOWN)
        assert store.keep(label(50, hunt="first", asked_by=UNKNOWN)).event.asked_by == UNKNOWN
        assert store.ranking("r").model == "lago"
        assert store.change_hunt("first", {"title": "again"}).settings == {"title": "again"}
        assert store.change_person(invite("cem", "leads", "secret", 1.0)).role == "leads"
        assert store.check().ok


def test_an_older_store_is_refused_with_the_command_to_run(old_store, request):
    request.getfixturevalue("next_version")
    command = r"older rarefind .*rarefind check --upgrade --store "
    with pytest.raises(StateError, match=command):
        open_store(old_store)


def test_an_older_store_is_brought_up_to_date_whole(old_store, request):
    before = rows(old_store, "events", EVENTS)
    hunts = rows(old_store, "hunts", "id, name, settings")
    request.getfixturevalue("next_version")
    assert upgrade_store(old_store) == THIS
    assert upgrade_store(old_store) == THIS + 1
    assert rows(old_store, "rarefind_version") == [(f"{THIS + 1:04d}",)]
    assert rows(old_store, "events", EVENTS) == before
    assert rows(old_store, "hunts", "id, name, choices") == hunts
    assert rows(old_store, "owners") == [("nobody",)]


def test_a_copy_of_the_older_file_stays_beside(tmp_path, next_version, monkeypatch):
    path = tmp_path / "rarefind.db"
    with monkeypatch.context() as as_now:
        as_now.setattr(schema, "VERSION", THIS)
        with open_store(path) as store:
            with_hunt(store).keep(label(1))
    upgrade_store(path)
    monkeypatch.setattr(schema, "VERSION", THIS)
    with open_store(tmp_path / f"rarefind.db.version-{THIS}") as store:
        assert len(store.events("hunt")) == 1


def test_a_store_upgraded_while_open_is_written_no_more(old_store, request, monkeypatch):
    with open_store(old_store) as store:
        with monkeypatch.context() as newer:
            newer.setattr(migrations, "FOLDER", next_folder(request.getfixturevalue("tmp_path")))
            newer.setattr(schema, "VERSION", THIS + 1)
            upgrade_store(old_store)
        with pytest.raises(StateError, match="was upgraded by another rarefind while it was open"):
            store.keep(label(99))


def test_a_newer_store_is_refused_with_what_to_upgrade(old_store, request, monkeypatch):
    request.getfixturevalue("next_version")
    upgrade_store(old_store)
    monkeypatch.setattr(schema, "VERSION", THIS)
    for call in (open_store, upgrade_store):
        with pytest.raises(StateError, match=r"newer rarefind .*pip install --upgrade rarefind"):
            call(old_store)


def test_what_is_no_store_is_not_upgraded(tmp_path, postgres):
    (tmp_path / "empty.db").touch()
    for address in (tmp_path / "empty.db", create_schema(postgres, f"none_{new_id()[:8]}")):
        with pytest.raises(StorageError, match="is not a rarefind store"):
            upgrade_store(address)
    with pytest.raises(StorageError, match="There is no store"):
        upgrade_store(tmp_path / "none.db")


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM rarefind_version",
        "INSERT INTO rarefind_version VALUES ('0001')",
        "UPDATE rarefind_version SET version_num = 'garbage'",
        "UPDATE rarefind_version SET version_num = '²'",
        "UPDATE rarefind_version SET version_num = '0000'",
        "UPDATE rarefind_version SET version_num = '-1'",
    ],
)
def test_a_store_that_lost_its_version_is_refused(tmp_path, change):
    path = tmp_path / "rarefind.db"
    open_store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(change)
    connection.close()
    with pytest.raises(StorageError, match="does not say which version it is of"):
        open_store(path)


def test_the_migrations_lead_to_the_tables_a_new_store_has(tmp_path, postgres):
    server = create_schema(postgres, f"migrated_{new_id()[:8]}")
    for address in (
        f"sqlite:///{tmp_path / 'migrated.db'}",
        server.replace("postgresql:", "postgresql+psycopg:"),
    ):
        engine = create_engine(address)
        with engine.begin() as connection:
            migrations.upgrade(connection)
        with engine.connect() as connection:
            options = {"version_table": "rarefind_version", "compare_type": True}
            context = MigrationContext.configure(connection, opts=options)
            assert compare_metadata(context, schema.metadata) == []
            assert migrations.version_of(connection, "here") == schema.VERSION
        engine.dispose()
    with open_store(tmp_path / "migrated.db") as store:
        with_hunt(store).keep(label(1))
        assert store.check().ok


def test_the_last_migration_has_the_number_of_this_version():
    names = sorted(path.name for path in (migrations.FOLDER / "versions").glob("v*.py"))
    assert [name[1:5] for name in names] == [f"{n:04d}" for n in range(1, schema.VERSION + 1)]
