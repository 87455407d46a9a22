"""Events tell who asked, not only whether anybody did.

The digests stay as they are: those of events whose asker is unknown are the same in both versions.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_UNKNOWN = '{"member": "unknown", "notes": {}}'
"""As it was written then: a migration does not follow the code."""


def upgrade() -> None:
    """Add who asked, and drop whether."""
    op.add_column("events", sa.Column("asked_by", sa.Text()))
    events = sa.table("events", sa.column("asked", sa.Boolean()), sa.column("asked_by", sa.Text()))
    op.execute(sa.update(events).where(events.c.asked).values(asked_by=_UNKNOWN))
    with op.batch_alter_table("events") as batch:
        batch.drop_column("asked")
