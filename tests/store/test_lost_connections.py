"""A connection to the server of PostgreSQL that is cut: mended, without pages of a traceback."""

from __future__ import annotations

import logging
import os

import psycopg

from rarefind.store.opening import open_store
from rarefind.testing.stores.examples import label, with_hunt
from tests.store.example import create_schema


def test_a_cut_connection_is_made_again_and_logged_in_one_line_at_most(postgres, caplog, capfd):
    name = f"cut_{os.getpid()}"
    with with_hunt(open_store(create_schema(postgres, name))) as store:
        for row in range(3):
            caplog.clear()
            capfd.readouterr()
            with psycopg.connect(postgres, autocommit=True) as connection:
                (cut,) = connection.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                    "WHERE application_name = 'rarefind'"
                ).fetchone()
            assert cut >= 1
            assert store.submit(label(row)).result().event.row == row
            assert len(store.events("hunt")) == row + 1
            told = [each for each in caplog.records if each.levelno >= logging.WARNING]
            lines = [*(each.getMessage() for each in told), *capfd.readouterr().err.splitlines()]
            assert len(lines) <= 1, lines
            assert not any(each.exc_info for each in told)
