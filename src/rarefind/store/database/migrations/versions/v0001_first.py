"""The first tables. They stay as they were then: later modules change them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    _create_hunts(whole)
    _create_events(whole)
    _create_findings(whole)
    counter = op.create_table(
        "counter",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("last_seq", whole, nullable=False),
    )
    op.bulk_insert(counter, [{"id": 1, "last_seq": 0}])


def _create_hunts(whole: sa.types.TypeEngine[int]) -> None:
    op.create_table(
        "datasets",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("n_rows", whole, nullable=False),
        sa.Column("reading", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
    )
    op.create_table(
        "hunts",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "dataset", sa.Text(), sa.ForeignKey("datasets.id", name="hunts_dataset"), nullable=False
        ),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.UniqueConstraint("name", name="hunts_name"),
    )


def _create_events(whole: sa.types.TypeEngine[int]) -> None:
    op.create_table(
        "events",
        sa.Column("seq", whole, primary_key=True, autoincrement=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hunt", sa.Text(), sa.ForeignKey("hunts.id", name="events_hunt"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("row", whole),
        sa.Column("value", sa.Text()),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.Column("previous", whole, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.UniqueConstraint("id", name="events_id"),
    )
    op.create_index("events_by_hunt", "events", ["hunt", "seq"])
    op.create_index("events_by_row", "events", ["hunt", "row", "annotator"])
    op.create_table(
        "undone",
        sa.Column(
            "seq",
            whole,
            sa.ForeignKey("events.seq", name="undone_event"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column(
            "by_seq", whole, sa.ForeignKey("events.seq", name="undone_by_event"), nullable=False
        ),
    )
    op.create_table(
        "standing",
        sa.Column(
            "hunt", sa.Text(), sa.ForeignKey("hunts.id", name="standing_hunt"), primary_key=True
        ),
        sa.Column("row", whole, primary_key=True, autoincrement=False),
        sa.Column("annotator", sa.Text(), primary_key=True),
        sa.Column("seq", whole, sa.ForeignKey("events.seq", name="standing_event"), nullable=False),
    )


def _create_findings(whole: sa.types.TypeEngine[int]) -> None:
    op.create_table(
        "leases",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("hunt", sa.Text(), sa.ForeignKey("hunts.id", name="leases_hunt"), nullable=False),
        sa.Column("row", whole, nullable=False),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("place", whole, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.UniqueConstraint("hunt", "row", "annotator", name="leases_row"),
    )
    op.create_table(
        "rankings",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column(
            "hunt", sa.Text(), sa.ForeignKey("hunts.id", name="rankings_hunt"), nullable=False
        ),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("after_seq", whole, nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("rows", sa.LargeBinary(), nullable=False),
        sa.Column("scores", sa.LargeBinary(), nullable=False),
    )
    op.create_index("rankings_by_hunt", "rankings", ["hunt"])
    op.create_table(
        "models",
        sa.Column(
            "hunt", sa.Text(), sa.ForeignKey("hunts.id", name="models_hunt"), primary_key=True
        ),
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("arrays", sa.LargeBinary(), nullable=False),
    )
