"""Opening says in one sentence what is wrong."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from rarefind.core.errors import MissingPackageError, ParameterError, RarefindError, StorageError
from rarefind.store import MemoryStore, open_store, upgrade_store
from rarefind.store import opening as opening_module
from rarefind.testing.stores.examples import with_hunt
from tests.store.example import create_schema
from tests.waiting import wait_until


def refused(address, reason, **options):
    with pytest.raises(RarefindError, match=reason) as caught:
        open_store(address, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def test_memory_by_name_and_by_none():
    assert isinstance(open_store("memory:"), MemoryStore)
    assert isinstance(open_store(None), MemoryStore)


def test_a_file_by_path_text_and_address_is_the_same_store(tmp_path):
    path = tmp_path / "rare find%20.db"
    with open_store(path) as store:
        with_hunt(store)
    for address in (str(path), f"sqlite:///{path}"):
        with open_store(address, create=False) as store:
            assert len(store.hunts()) == 1
    with pytest.raises(ParameterError, match="always up to date"):
        upgrade_store("memory:")


def test_a_new_file_belongs_to_its_owner_alone(tmp_path):
    with open_store(tmp_path / "new.db") as store:
        with_hunt(store)
        assert {path.name for path in tmp_path.iterdir()} == {"new.db", "new.db-wal", "new.db-shm"}
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    assert [path.name for path in tmp_path.iterdir()] == ["new.db"]


def test_a_missing_folder_and_a_folder_are_named(tmp_path):
    refused(tmp_path / "none" / "x.db", "There is no folder for the store .*none/x.db: make it")
    refused(tmp_path, "is a folder: name a file in it")


def test_a_missing_file_is_not_made_unless_wanted(tmp_path):
    refused(tmp_path / "typo.db", "There is no store .*typo.db", create=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("contents", [b"hello, this is text" * 100, b"\x00" * 5000, b"PK\x03\x04"])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path, contents):
    path = tmp_path / "data.csv"
    path.write_bytes(contents)
    assert isinstance(refused(path, "is not a rarefind store"), StorageError)
    assert path.read_bytes() == contents


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE events (id)")
    connection.close()
    before = path.read_bytes()
    refused(path, "holds tables of another program")
    with pytest.raises(StorageError, match="another program"):
        upgrade_store(path)
    assert path.read_bytes() == before


def test_a_database_without_our_tables_is_another_programs(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (id)")
    connection.close()
    refused(path, "holds tables of another program")


@pytest.mark.parametrize("address", ["mysql://host/db", "http://x", ""])
def test_an_address_that_is_none_of_ours_is_refused(address):
    refused(address, "(A store is a path, sqlite:///path|must be a path or an address)")


@pytest.mark.parametrize(
    ("package", "address", "extra"),
    [
        ("sqlalchemy", "x.db", "store"),
        ("alembic", "x.db", "store"),
        ("psycopg", "postgresql://host/db", "postgres"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(monkeypatch, package, address, extra):
    real = opening_module.find_spec
    monkeypatch.setattr(
        opening_module, "find_spec", lambda name: None if name == package else real(name)
    )
    with pytest.raises(MissingPackageError, match=rf"rarefind\[{extra}\]"):
        open_store(address)


def test_the_store_loads_no_database_package_until_one_is_opened():
    code = """
import sys
import rarefind.store
with rarefind.store.open_store("memory:") as store:
    store.hunts()
print([name for name in ("sqlalchemy", "alembic", "psycopg", "scipy") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# -- PostgreSQL -----------------------------------------------------------------------------------


def test_a_server_that_is_not_there_is_said_to_be_out_of_reach(tmp_path):
    said = refused("postgresql://ann:geheim@127.0.0.1:9/db", "cannot be reached .*is it running")
    assert "geheim" not in str(said)
    said = refused(f"postgresql:///db?host={tmp_path}&password=geheim", "cannot be reached")
    assert "geheim" not in str(said)


def test_unknown_database_and_user_are_named(postgres):
    refused(postgres.replace("/postgres?", "/none?"), "There is no database .*none.*createdb")
    refused(postgres.replace("rarefind@", "nobody@"), "does not know the user")


def needs_a_password(address):
    try:
        psycopg.connect(address).close()
    except psycopg.OperationalError:
        return True
    return False


@pytest.fixture
def postgres_with_password(postgres):
    """An address of a user whom the server asks for a password ("secret")."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE ROLE careful LOGIN SUPERUSER PASSWORD 'secret'")
        rules = Path(connection.execute("SHOW hba_file").fetchone()[0])
        before = rules.read_text()
        rules.write_text(f"local all careful scram-sha-256\n{before}")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("CREATE SCHEMA careful")
        wait_until(lambda: needs_a_password(postgres.replace("rarefind@", "careful@")))
        yield postgres.replace("rarefind@", "careful:{password}@")
        rules.write_text(before)
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("DROP SCHEMA careful CASCADE; DROP ROLE careful")


def test_a_wrong_password_is_said_to_be_wrong(postgres_with_password):
    said = refused(postgres_with_password.format(password="wrong"), "refused the password")
    assert "wrong" not in str(said)
    open_store(postgres_with_password.format(password="secret")).close()


def test_a_database_that_does_not_keep_all_text_is_refused(postgres):
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE DATABASE narrow ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    refused(postgres.replace("/postgres?", "/narrow?"), "keeps text as LATIN1: make one with UTF8")


def test_tables_of_another_program_on_the_server_are_refused(postgres):
    address = create_schema(postgres, "foreign_tables")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE TABLE events (id int)")
    refused(address, "holds tables of another program")
