"""No table of models: nothing was ever kept in it but by calling the store itself."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the table."""
    op.drop_table("models")
