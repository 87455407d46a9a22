"""The tables, the same for SQLite and PostgreSQL.

``events`` is what happened and only ever grows; ``standing`` and ``undone`` follow from it and
can be rebuilt at any time. ``counter`` has one row: whoever writes locks it first, so that events
get their places in the order of their commits and without gaps. It also binds what the other
tables hold: a chain of the digests of all events, and how many rows have been added.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

VERSION = 5
"""The version of the tables below, which is also the number of the last migration."""

metadata = MetaData()
Whole = BigInteger().with_variant(Integer, "sqlite")

version = Table("rarefind_version", metadata, Column("version_num", String(32), primary_key=True))

counter = Table(
    "counter",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("last_seq", Whole, nullable=False),
    Column("chain", Text, nullable=False),
    Column("datasets", Whole, nullable=False),
    Column("hunts", Whole, nullable=False),
    Column("rankings", Whole, nullable=False),
)

datasets = Table(
    "datasets",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("n_rows", Whole, nullable=False),
    Column("reading", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("digest", Text, nullable=False),
)

hunts = Table(
    "hunts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("dataset", Text, ForeignKey("datasets.id", name="hunts_dataset"), nullable=False),
    Column("settings", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("digest", Text, nullable=False),
    UniqueConstraint("name", name="hunts_name"),
)

events = Table(
    "events",
    metadata,
    Column("seq", Whole, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False),
    Column("hunt", Text, ForeignKey("hunts.id", name="events_hunt"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("row", Whole),
    Column("value", Text),
    Column("annotator", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("asked_by", Text),
    Column("previous", Whole, nullable=False),
    Column("digest", Text, nullable=False),
    UniqueConstraint("id", name="events_id"),
    Index("events_by_hunt", "hunt", "seq"),
    Index("events_by_row", "hunt", "row", "annotator"),
)

undone = Table(
    "undone",
    metadata,
    Column(
        "seq",
        Whole,
        ForeignKey("events.seq", name="undone_event"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("by_seq", Whole, ForeignKey("events.seq", name="undone_by_event"), nullable=False),
)

standing = Table(
    "standing",
    metadata,
    Column("hunt", Text, ForeignKey("hunts.id", name="standing_hunt"), primary_key=True),
    Column("row", Whole, primary_key=True, autoincrement=False),
    Column("annotator", Text, primary_key=True),
    Column("seq", Whole, ForeignKey("events.seq", name="standing_event"), nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hunt", Text, ForeignKey("hunts.id", name="leases_hunt"), nullable=False),
    Column("row", Whole, nullable=False),
    Column("annotator", Text, nullable=False),
    Column("place", Whole, nullable=False),
    Column("reason", Text, nullable=False),
    Column("expires_at", Double, nullable=False),
    UniqueConstraint("hunt", "row", "annotator", name="leases_row"),
)

rankings = Table(
    "rankings",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hunt", Text, ForeignKey("hunts.id", name="rankings_hunt"), nullable=False),
    Column("target", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("after_seq", Whole, nullable=False),
    Column("note", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("rows", LargeBinary, nullable=False),
    Column("scores", LargeBinary, nullable=False),
    Column("digest", Text, nullable=False),
    Index("rankings_by_hunt", "hunt"),
)

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("joined_at", Double),
    Column("revoked_at", Double),
    Column("generation", Whole, nullable=False),
    Column("invitation", Text),
    Column("invited_until", Double),
    Column("digest", Text, nullable=False),
    UniqueConstraint("name", name="people_name"),
)
