"""Events may rename classes, which an older rarefind would not understand; no table changes."""

from __future__ import annotations

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing but the number of the version."""
