"""A version that may come one day: what a migration is tried with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table("hunts") as hunts:
        hunts.add_column(sa.Column("owner", sa.Text(), nullable=False, server_default="nobody"))
        hunts.alter_column("settings", new_column_name="choices")
    with op.batch_alter_table("events") as events:
        events.add_column(sa.Column("note", sa.Text()))
    op.create_table("owners", sa.Column("name", sa.Text(), primary_key=True))
    op.execute("INSERT INTO owners SELECT DISTINCT owner FROM hunts")
