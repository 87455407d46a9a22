"""Where the tests of the store keep things on a server."""

from __future__ import annotations

import psycopg


def create_schema(server, name):
    """A room of its own on the server; its address."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{server}&options=-csearch_path%3D{name}"
