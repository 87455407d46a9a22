"""How events are kept in the tables, many at once, with all that follows from them.

Everything here runs inside a transaction that holds the lock of the writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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

_AT_ONCE = 5_000
"""Values named in one statement: SQLite takes 32,766 as it is usually built. A choice below."""

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
_latest = (
    select(schema.events.c.row, func.max(schema.events.c.seq))
    .where(
        schema.events.c.hunt == bindparam("of_hunt"),
        schema.events.c.annotator == bindparam("of_annotator"),
        schema.events.c.row.in_(_these),
        ~exists().where(schema.undone.c.seq == schema.events.c.seq),
    )
    .group_by(schema.events.c.row)
)
_end_word = delete(schema.standing).where(
    _standing.hunt == bindparam("of_hunt"),
    _standing.row == bindparam("of_row"),
    _standing.annotator == bindparam("of_annotator"),
)
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
    known = {
        row["id"]: read_event(row)
        for these in _parts(ids)
        for row in connection.execute(_known_events, {"these": these}).mappings()
    }
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
    return {
        found
        for some in _parts(these)
        for found in connection.execute(statement, {"these": some}).scalars()
    }


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
        connection.execute(_end_lease, [_of(key) for key in words])
    if reopened:
        latest = _latest_words(connection, reopened)
        silent = [key for key in reopened if key not in latest]
        if silent:
            connection.execute(_end_word, [_of(key) for key in silent])
        words = {key: seq for key, seq in words.items() if key not in reopened} | latest
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


def _latest_words(connection: Connection, keys: Iterable[Key]) -> dict[Key, int]:
    """Return the latest word under each key that has not been taken back, if there is one."""
    rows: dict[tuple[str, str], list[int]] = {}
    for hunt, row, annotator in keys:
        rows.setdefault((hunt, annotator), []).append(row)
    return {
        (hunt, row, annotator): seq
        for (hunt, annotator), all_rows in rows.items()
        for these in _parts(all_rows)
        for row, seq in connection.execute(
            _latest, {"of_hunt": hunt, "of_annotator": annotator, "these": these}
        )
    }


def _parts(values: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield the values, so many at a time as one statement may name."""
    left = list(values)
    yield from (left[start : start + _AT_ONCE] for start in range(0, len(left), _AT_ONCE))


def _of(key: Key) -> dict[str, Any]:
    return dict(zip(("of_hunt", "of_row", "of_annotator"), key, strict=True))


def _key(event: Event) -> Key:
    assert event.row is not None
    return (event.hunt, event.row, event.annotator)
