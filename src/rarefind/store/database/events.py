"""How events are kept in the tables, many at once, with all that follows from them.

Everything here runs inside a transaction that holds the lock of the writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from rarefind.core.errors import StateError
from rarefind.store.contract import Event, Kept
from rarefind.store.database import tables as schema
from rarefind.store.database.askers import with_askers
from rarefind.store.database.rows import chained, event_rows, read_event
from rarefind.store.rules.ledger import Ledger, Verdict

Key = tuple[str, int, str]
"""A hunt, a row and an annotator: what a standing word is filed under."""

_standing = schema.standing.c


def _filing(dialect: Any) -> Any:
    statement = dialect.insert(schema.standing)
    return statement.on_conflict_do_update(
        index_elements=[_standing.hunt, _standing.row, _standing.annotator],
        set_={"seq": statement.excluded.seq},
    )


# Statements are made once: making them takes longer than running them.
_file_words = {"sqlite": _filing(sqlite), "postgresql": _filing(postgresql)}
_these: BindParameter[Any] = bindparam("these", expanding=True)
_known_events = select(schema.events).where(schema.events.c.id.in_(_these))
_known_undone = select(schema.undone.c.seq).where(schema.undone.c.seq.in_(_these))
_known_hunts = select(schema.hunts.c.id).where(schema.hunts.c.id.in_(_these))
_known_datasets = select(schema.datasets.c.id).where(schema.datasets.c.id.in_(_these))
_last_seq = select(
    schema.counter.c.last_seq, select(schema.version.c.version_num).scalar_subquery()
)
_last_of_hunt = select(func.max(schema.events.c.seq)).where(
    schema.events.c.hunt == bindparam("of_hunt")
)
_insert_events = insert(schema.events)
_count_up = update(schema.counter).values(last_seq=bindparam("new"), chain=bindparam("bound"))
_chain = select(schema.counter.c.chain)
_end_lease = delete(schema.leases).where(
    schema.leases.c.hunt == bindparam("of_hunt"),
    schema.leases.c.row == bindparam("of_row"),
    schema.leases.c.annotator == bindparam("of_annotator"),
)


def keep_events(connection: Connection, batch: Sequence[Event], at: float) -> list[Verdict]:
    """Keep the events of a batch that can be kept, and say for each what became of it."""
    ledger = _lay_out(connection, batch)
    verdicts = ledger.judge_all(with_askers(connection, batch), at)
    new = [kept.event for kept in verdicts if isinstance(kept, Kept) and not kept.repeated]
    if new:
        last = {hunt: _last_of(connection, hunt) for hunt in {event.hunt for event in new}}
        rows = event_rows(new, last)
        connection.execute(_insert_events, rows)
        before = connection.execute(_chain).scalar_one()
        bound = chained(before, (row["digest"] for row in rows))
        connection.execute(_count_up, {"new": ledger.last_seq, "bound": bound})
        _project(connection, new, ledger)
    return verdicts


def _lay_out(connection: Connection, batch: Sequence[Event]) -> Ledger:
    """Fetch all that the ledger needs to judge the batch."""
    targets = {str(event.value) for event in batch if event.kind == "undo"}
    ids = {event.id for event in batch} | targets
    found = connection.execute(_known_events, {"these": list(ids)})
    known = {row["id"]: read_event(row) for row in found.mappings()}
    undone: set[str] = set()
    if targets:
        seqs = {event.seq: event.id for event in known.values()}
        undone = {seqs[seq] for seq in _existing(connection, _known_undone, seqs)}
    hunts = _existing(connection, _known_hunts, {event.hunt for event in batch})
    parts = {str(event.value) for event in batch if event.kind == "append"}
    datasets = _existing(connection, _known_datasets, parts)
    last_seq, version = connection.execute(_last_seq).one()
    if version != f"{schema.VERSION:04d}":
        raise StateError(
            "The store was upgraded by another rarefind while it was open here: "
            "upgrade rarefind and open it again."
        )
    return Ledger(known, undone, hunts, datasets, last_seq)


def _last_of(connection: Connection, hunt: str) -> int:
    """Return the place of the last event of a hunt."""
    return connection.execute(_last_of_hunt, {"of_hunt": hunt}).scalar_one() or 0


def _existing(connection: Connection, statement: Any, these: Iterable[Any]) -> set[Any]:
    wanted = list(these)
    return set(connection.execute(statement, {"these": wanted}).scalars()) if wanted else set()


def _project(connection: Connection, new: Sequence[Event], ledger: Ledger) -> None:
    """Bring the tables that follow from the events up to date."""
    words: dict[Key, int] = {}
    reopened: set[Key] = set()
    taken_back = []
    for event in new:
        if event.kind == "undo":
            target = ledger.target(event)
            taken_back.append({"seq": target.seq, "by_seq": event.seq})
            if target.row is not None:
                reopened.add(_key(target))
        elif event.row is not None:
            words[_key(event)] = event.seq
    if taken_back:
        connection.execute(insert(schema.undone), taken_back)
    if words:
        ended = [
            {"of_hunt": hunt, "of_row": row, "of_annotator": name} for hunt, row, name in words
        ]
        connection.execute(_end_lease, ended)
    for key in reopened:
        words.pop(key, None)
        latest = _latest_word(connection, key)
        if latest is None:
            connection.execute(delete(schema.standing).where(*_filed_under(key)))
        else:
            words[key] = latest
    file_words(connection, words)


def file_words(connection: Connection, words: dict[Key, int]) -> None:
    """Note which event is each annotator's standing word."""
    if not words:
        return
    rows = [
        {"hunt": hunt, "row": row, "annotator": name, "seq": seq}
        for (hunt, row, name), seq in words.items()
    ]
    connection.execute(_file_words[connection.dialect.name], rows)


def _latest_word(connection: Connection, key: Key) -> int | None:
    columns = schema.events.c
    hunt, row, annotator = key
    statement = select(func.max(columns.seq)).where(
        columns.hunt == hunt,
        columns.row == row,
        columns.annotator == annotator,
        ~exists().where(schema.undone.c.seq == columns.seq),
    )
    return connection.execute(statement).scalar_one()


def _filed_under(key: Key) -> list[Any]:
    hunt, row, annotator = key
    return [_standing.hunt == hunt, _standing.row == row, _standing.annotator == annotator]


def _key(event: Event) -> Key:
    assert event.row is not None
    return (event.hunt, event.row, event.annotator)
