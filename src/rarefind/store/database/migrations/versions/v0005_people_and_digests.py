"""People with names of their own; data sets, hunts and rankings carry digests, events a chain.

The digests are computed here as they were then: a migration does not follow the code.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_SIGNED = ("datasets", "hunts", "rankings")
"""Tables whose rows get a digest."""


def upgrade() -> None:
    """Add the columns, fill them from what there is, and make the table of people."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    connection = op.get_bind()
    for table in _SIGNED:
        op.add_column(table, sa.Column("digest", sa.Text(), nullable=False, server_default=""))
        _sign(connection, table)
        with op.batch_alter_table(table) as batch:
            batch.alter_column("digest", existing_type=sa.Text(), server_default=None)
    with op.batch_alter_table("counter") as batch:
        batch.add_column(sa.Column("chain", sa.Text(), nullable=False, server_default=""))
        for table in _SIGNED:
            batch.add_column(sa.Column(table, whole, nullable=False, server_default="0"))
    _bind(connection)
    with op.batch_alter_table("counter") as batch:
        batch.alter_column("chain", existing_type=sa.Text(), server_default=None)
        for table in _SIGNED:
            batch.alter_column(table, existing_type=whole, server_default=None)
    op.create_table(
        "people",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("joined_at", sa.Double()),
        sa.Column("revoked_at", sa.Double()),
        sa.Column("generation", whole, nullable=False),
        sa.Column("invitation", sa.Text()),
        sa.Column("invited_until", sa.Double()),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.UniqueConstraint("name", name="people_name"),
    )


def _sign(connection: sa.Connection, name: str) -> None:
    table = sa.Table(name, sa.MetaData(), autoload_with=connection)
    ids = connection.execute(sa.select(table.c.id)).scalars().all()
    for id in ids:  # one at a time: rankings are large
        mine = table.c.id == id
        row = connection.execute(sa.select(table).where(mine)).mappings().one()
        connection.execute(sa.update(table).where(mine).values(digest=_digest(dict(row))))


def _bind(connection: sa.Connection) -> None:
    events = sa.table("events", sa.column("seq"), sa.column("digest"))
    chain = ""
    for digest in connection.execute(sa.select(events.c.digest).order_by(events.c.seq)).scalars():
        chain = _short(f"{chain} {digest}".encode())
    held: dict[str, Any] = {"chain": chain}
    for name in _SIGNED:
        held[name] = connection.execute(
            sa.select(sa.func.count()).select_from(sa.table(name))
        ).scalar_one()
    counter = sa.table("counter", *(sa.column(name) for name in held))
    connection.execute(sa.update(counter).values(held))


def _digest(row: dict[str, Any]) -> str:
    contents = {}
    for name, value in row.items():
        if isinstance(value, float):
            value = value.hex()
        elif isinstance(value, bytes | memoryview):
            value = _short(value)
        if name != "digest":
            contents[name] = value
    return _short(json.dumps(contents, sort_keys=True).encode())


def _short(written: bytes | memoryview) -> str:
    return hashlib.blake2b(written, digest_size=8).hexdigest()
