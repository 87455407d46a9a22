"""What can still be read of a damaged SQLite store, brought into a new one.

Rows are looked up one by one around the damaged places. Every event carries a digest, so what comes
back is what was said; what does not fit is left out and counted.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rarefind.core.errors import RarefindError, StorageError
from rarefind.store.contract import DataSet, Event, HuntEntry, RankingEntry
from rarefind.store.copying import Contents, export
from rarefind.store.rules.projection import Projection

Made = TypeVar("Made")

_GIVE_UP = 10_000
"""Rows looked for in vain, one after the other, before the rest of a table is given up."""


@dataclass(frozen=True)
class Salvaged:
    """What came back, and a sentence for everything that did not."""

    hunts: int
    events: int
    rankings: int
    missing: tuple[str, ...]


def salvage(broken: Path, out: Path) -> Salvaged:
    """Write what can be read of a damaged store into a new one; the damaged file is not touched."""
    if not broken.is_file():
        raise StorageError(f"There is no store {broken}: name the damaged file.")
    missing: list[str] = []
    with tempfile.TemporaryDirectory(prefix="rarefind-") as folder:
        copy = Path(folder) / "broken.db"
        for ending in ("", "-wal"):
            part = broken.with_name(f"{broken.name}{ending}")
            if part.exists():
                shutil.copyfile(part, copy.with_name(f"{copy.name}{ending}"))
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.row_factory = sqlite3.Row
            contents = _contents(connection, str(broken), missing)
    export(contents, out)
    counts = len(contents.hunts), len(contents.events), len(contents.rankings)
    return Salvaged(*counts, tuple(missing))


def _contents(connection: sqlite3.Connection, where: str, missing: list[str]) -> Contents:
    from rarefind.store.database import rows
    from rarefind.store.people.in_tables import read_person

    try:
        version = connection.execute("SELECT version_num FROM rarefind_version").fetchone()
    except sqlite3.DatabaseError as problem:
        raise StorageError(
            f"Nothing can be read of {where} ({problem}): restore a backup."
        ) from problem
    _refuse_other_version(version, where)
    datasets = _made(connection, "datasets", rows.read_dataset, missing)
    hunts = _made(connection, "hunts", rows.read_hunt, missing)
    events = _made(connection, "events", rows.read_event, missing)
    rankings = _made(connection, "rankings", rows.read_ranking, missing)
    hunts = _with_lost_hunts(hunts, events, rankings, missing)
    datasets = _with_lost_datasets(datasets, hunts, events, missing)
    kept = _replayable(sorted(events, key=lambda event: event.seq), missing)
    places = np.array([event.seq for event in kept])
    renumbered = [replace(event, seq=place) for place, event in enumerate(kept, 1)]
    rankings = [
        replace(each, after_seq=int(np.searchsorted(places, each.after_seq, "right")))
        for each in rankings
    ]
    people = _made(connection, "people", read_person, missing)
    return Contents(datasets, hunts, renumbered, [], rankings, people)


def _refuse_other_version(version: Any, where: str) -> None:
    from rarefind.store.database import migrations

    number = "" if version is None else str(version[0])
    if not number.isdigit():
        raise StorageError(f"{where} does not say which version it is of: restore a backup.")
    migrations.refuse_other_version(int(number), where)


def _made(
    connection: sqlite3.Connection,
    table: str,
    make: Callable[[Mapping[Any, Any]], Made],
    missing: list[str],
) -> list[Made]:
    """Read all rows of a table that can be read and are what was written."""
    found, damaged = [], 0
    rows, lost = _rows(connection, table)
    for row in rows:
        try:
            found.append(make(dict(row)))
        except (RarefindError, ValueError, TypeError, KeyError, AttributeError):
            damaged += 1
    if damaged:
        missing.append(f"Rows of {table} that are damaged: {damaged}.")
    if lost:
        missing.append(f"Rows of {table} that cannot be read: {lost}.")
    return found


def _rows(connection: sqlite3.Connection, table: str) -> tuple[list[sqlite3.Row], str]:
    """Return the rows in the order of their places, and how many places hold none, in words."""
    front, broken = _walk(connection, table, "ASC")
    if not broken:
        return list(front.values()), _holes(table, front)
    back, _ = _walk(connection, table, "DESC")
    first, last = max(front, default=0), min(back, default=0)
    between, vain, place = {}, 0, first
    while vain < _GIVE_UP and (not last or place < last - 1):
        place += 1
        row = _row(connection, table, place)
        vain = 0 if row is not None else vain + 1
        if row is not None:
            between[place] = row
    found = {**front, **between, **back}
    return [found[place] for place in sorted(found)], _holes(table, found) or "unknown"


def _holes(table: str, found: Mapping[int, Any]) -> str:
    """Count the places without an event; other tables may have holes for good reasons."""
    count = max(found, default=0) - len(found) if table == "events" else 0
    return f"{count}" if count else ""


def _walk(connection: sqlite3.Connection, table: str, way: str) -> tuple[dict[int, Any], bool]:
    """Read from one end until something is in the way."""
    found: dict[int, Any] = {}
    query = f"SELECT rowid AS place_, * FROM {table} NOT INDEXED ORDER BY rowid {way}"  # noqa: S608
    try:
        for row in connection.execute(query):
            values = dict(row)
            found[int(values.pop("place_"))] = values
    except (sqlite3.DatabaseError, ValueError, TypeError):
        return found, True
    return found, False


def _row(connection: sqlite3.Connection, table: str, place: int) -> Any:
    query = f"SELECT * FROM {table} NOT INDEXED WHERE rowid = ?"  # noqa: S608
    try:
        row = connection.execute(query, (place,)).fetchone()
    except (sqlite3.DatabaseError, ValueError):
        return None
    return None if row is None else dict(row)


def _with_lost_hunts(
    hunts: list[HuntEntry],
    events: list[Event],
    rankings: list[RankingEntry],
    missing: list[str],
) -> list[HuntEntry]:
    known = {hunt.id for hunt in hunts}
    named = [event.hunt for event in events] + [each.hunt for each in rankings]
    lost = dict.fromkeys(id for id in named if id not in known)
    for id in lost:
        missing.append(f"The name and the settings of the hunt {id} are lost; its labels are not.")
    return hunts + [HuntEntry(id, f"salvaged {id}", "lost", {}, 0.0) for id in lost]


def _with_lost_datasets(
    datasets: list[DataSet], hunts: list[HuntEntry], events: list[Event], missing: list[str]
) -> list[DataSet]:
    known = {data.id for data in datasets}
    added = (str(event.value) for event in events if event.kind == "append")
    lost = dict.fromkeys(
        id for id in (*(hunt.dataset for hunt in hunts), *added) if id not in known
    )
    rows = 1 + max((event.row for event in events if event.row is not None), default=0)
    for id in lost:
        missing.append(f"Where the records of the data set {id} are is lost.")
    return datasets + [DataSet(id, id, id, "lost", rows, {}, 0.0) for id in lost]


def _replayable(events: list[Event], missing: list[str]) -> list[Event]:
    """Leave out what refers to something that is lost."""
    states: dict[str, Projection] = {}
    kept = []
    for event in events:
        try:
            states.setdefault(event.hunt, Projection()).apply(event)
        except RarefindError:
            missing.append(f"What the event at place {event.seq} took back is lost.")
        else:
            kept.append(event)
    return kept
