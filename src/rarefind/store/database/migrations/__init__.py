"""From the tables of an older rarefind to those of this one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, inspect, select

from rarefind.core.errors import StateError, StorageError
from rarefind.store.database import tables as schema

FOLDER = Path(__file__).parent
"""Where the versions are."""


def create(connection: Connection) -> None:
    """Make the tables of this version in an empty database."""
    schema.metadata.create_all(connection, checkfirst=False)
    connection.execute(insert(schema.version), {"version_num": f"{schema.VERSION:04d}"})
    none = dict.fromkeys(("last_seq", "datasets", "hunts", "rankings"), 0)
    connection.execute(insert(schema.counter), {"id": 1, "chain": "", **none})


def version_of(connection: Connection, where: str) -> int:
    """Return the version of the tables there; 0 if there are none.

    Tables of another program are refused: any in a file, those that bear our names on a server.
    """
    tables = set(inspect(connection).get_table_names())
    if schema.version.name not in tables:
        if tables if connection.dialect.name == "sqlite" else tables & set(schema.metadata.tables):
            raise StorageError(
                f"{where} holds tables of another program: choose another place for the store."
            )
        return 0
    numbers = connection.execute(select(schema.version.c.version_num)).scalars().all()
    # Version 0 would be a store without tables, into which they would be written once more.
    if len(numbers) != 1 or not str(numbers[0]).isdecimal() or int(numbers[0]) == 0:
        raise StorageError(f"{where} does not say which version it is of: restore a backup.")
    return int(numbers[0])


def refuse_other_version(version: int, where: str) -> None:
    """Raise StateError, with what to do, unless this rarefind can use such tables as they are."""
    if version < schema.VERSION:
        raise StateError(
            f"{where} was made by an older rarefind (version {version} of the tables, not "
            f"{schema.VERSION}). Bring it up to date with: rarefind check --upgrade --store {where}"
        )
    if version > schema.VERSION:
        raise StateError(
            f"{where} was made by a newer rarefind (version {version} of the tables, not "
            f"{schema.VERSION}). Upgrade rarefind: pip install --upgrade rarefind"
        )


def upgrade(connection: Connection) -> None:
    """Run all migrations that are missing, inside the transaction that is open."""
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    script = ScriptDirectory.from_config(config)

    def missing(revision: Any, context: MigrationContext) -> Any:
        return script._upgrade_revs("head", revision)

    with EnvironmentContext(config, script, fn=missing) as environment:
        environment.configure(
            connection=connection,
            version_table=schema.version.name,
            render_as_batch=True,
            transactional_ddl=False,  # the transaction is ours: all of it, or nothing
        )
        environment.run_migrations()
