"""What stands in a hunt, read from the tables: the latest words, as their classes are called."""

from __future__ import annotations

from sqlalchemy import BindParameter, Connection, bindparam, select

from rarefind.store.database import tables as schema
from rarefind.store.database.rows import read_event
from rarefind.store.rules.projection import Statement
from rarefind.store.rules.renames import Rename, Renames, read_rename

_events = schema.events.c
_hunt: BindParameter[str] = bindparam("of_hunt")
_words = (
    select(schema.events)
    .join(schema.standing, schema.standing.c.seq == _events.seq)
    .where(schema.standing.c.hunt == _hunt)
    .order_by(_events.seq)
)
_renames = (
    select(schema.events)
    .where(
        _events.hunt == _hunt,
        _events.kind == "rename",
        _events.seq.not_in(select(schema.undone.c.seq)),
    )
    .order_by(_events.seq)
)


def standing_words(connection: Connection, hunt: str) -> list[Statement]:
    """Return the latest word of each annotator on each row, in order."""
    renames = Renames()
    for row in connection.execute(_renames, {"of_hunt": hunt}).mappings():
        event = read_event(row)
        renames.add(Rename(event.seq, *read_rename(event.value)))
    words = connection.execute(_words, {"of_hunt": hunt}).mappings()
    return [Statement.of(read_event(row)).renamed(renames) for row in words]
