"""The store on a database, whichever of the two it is.

Everything that changes the tables goes through one writer; reading has connections of its own.
"""

# ruff: noqa: D102  (the contract says what each method does)

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, bindparam, insert, select, tuple_, update

from rarefind.core.errors import RarefindError, StateError, StorageError
from rarefind.store.contract import (
    Candidate,
    CheckReport,
    DataSet,
    Event,
    HuntEntry,
    Kept,
    Lease,
    RankingEntry,
    Store,
)
from rarefind.store.database import checking as sql_check
from rarefind.store.database import leases as sql_leases
from rarefind.store.database import tables as schema
from rarefind.store.database.access import DatabaseAccess
from rarefind.store.database.current_labels import standing_words
from rarefind.store.database.rows import (
    Row,
    dataset_row,
    hunt_row,
    ranking_row,
    read_dataset,
    read_event,
    read_events,
    read_hunt,
    read_ranking,
)
from rarefind.store.people.in_tables import SqlPeople
from rarefind.store.rules.entries import (
    clean_dataset,
    clean_hunt,
    clean_ranking,
    find_hunt,
    no_such,
    plain,
    refuse_hunt,
    refuse_ranking,
    same_dataset,
)
from rarefind.store.rules.free_records import check_asking
from rarefind.store.rules.ledger import Verdict
from rarefind.store.rules.projection import Statement
from rarefind.store.rules.values import clean_event

Result = TypeVar("Result")


class SqlStore(SqlPeople, DatabaseAccess, Store):
    """What SQLite and PostgreSQL share."""

    def put_dataset(self, dataset: DataSet) -> DataSet:
        dataset = clean_dataset(dataset)

        def put(connection: Connection) -> DataSet:
            columns = schema.datasets.c
            alike = select(schema.datasets).where(
                (columns.id == dataset.id)
                | ((columns.path == dataset.path) & (columns.sha256 == dataset.sha256))
            )
            others = [read_dataset(row) for row in connection.execute(alike).mappings()]
            for other in others:
                if same_dataset(other, dataset):
                    return other
            if any(other.id == dataset.id for other in others):
                raise StateError(f"The id {dataset.id!r} stands for another data set already.")
            _add(connection, schema.datasets, dataset_row(dataset))
            return dataset

        return self._do(put)

    def dataset(self, id: str) -> DataSet:
        rows = self._rows(select(schema.datasets).where(schema.datasets.c.id == id), read_dataset)
        if not rows:
            raise no_such("data set", id)
        return rows[0]

    def datasets(self) -> list[DataSet]:
        columns = schema.datasets.c
        statement = select(schema.datasets).order_by(columns.created_at, columns.id)
        return self._rows(statement, read_dataset)

    def create_hunt(self, hunt: HuntEntry) -> None:
        hunt = clean_hunt(hunt)

        def create(connection: Connection) -> None:
            columns = schema.hunts.c
            alike = select(schema.hunts).where(
                (columns.id == hunt.id) | (columns.name == hunt.name)
            )
            others = [read_hunt(row) for row in connection.execute(alike).mappings()]
            data = select(schema.datasets.c.id).where(schema.datasets.c.id == hunt.dataset)
            if not refuse_hunt(hunt, others, list(connection.execute(data).scalars())):
                _add(connection, schema.hunts, hunt_row(hunt))

        self._do(create)

    def hunt(self, name_or_id: str) -> HuntEntry:
        columns = schema.hunts.c
        called = (columns.id == name_or_id) | (columns.name == name_or_id)
        found = self._rows(select(schema.hunts).where(called), read_hunt)
        return find_hunt(name_or_id, found or self.hunts())  # whose error names the nearest match

    def hunts(self, limit: int | None = None, before: str | None = None) -> list[HuntEntry]:
        columns = schema.hunts.c
        newest_first = (columns.created_at.desc(), columns.id.desc())
        statement = select(schema.hunts).order_by(*newest_first).limit(limit)

        def read(connection: Connection) -> list[HuntEntry]:
            wanted = statement
            if before is not None:
                _known_hunt(connection, before)
                last = select(columns.created_at, columns.id).where(columns.id == before)
                age = connection.execute(last).one()
                wanted = statement.where(tuple_(columns.created_at, columns.id) < tuple_(*age))
            return [read_hunt(row) for row in connection.execute(wanted).mappings()][::-1]

        return self._read(read)

    def change_hunt(self, id: str, settings: Mapping[str, Any]) -> HuntEntry:
        settings = plain("settings of a hunt", settings)
        mine = schema.hunts.c.id == id

        def change(connection: Connection) -> HuntEntry:
            row = connection.execute(select(schema.hunts).where(mine)).mappings().one_or_none()
            if row is None:
                raise no_such("hunt", id)
            changed = replace(read_hunt(row), settings=settings)
            connection.execute(update(schema.hunts).where(mine).values(hunt_row(changed)))
            return changed

        return self._do(change)

    def submit(self, event: Event) -> Future[Kept]:
        try:
            return self._writer.hand_over(clean_event(event))
        except RarefindError as reason:
            refused: Future[Kept] = Future()
            refused.set_exception(reason)
            return refused

    def submit_together(self, events: Sequence[Event]) -> Future[list[Verdict]]:
        try:
            return self._writer.hand_over(tuple(clean_event(event) for event in events))
        except RarefindError as reason:
            refused: Future[list[Verdict]] = Future()
            refused.set_exception(reason)
            return refused

    def events(self, hunt: str, after: int = 0) -> list[Event]:
        columns = schema.events.c
        statement = (
            select(schema.events)
            .where(columns.hunt == hunt, columns.seq > after)
            .order_by(columns.seq)
        )

        def read(connection: Connection) -> list[Event]:
            found = list(read_events(connection.execute(statement).mappings(), after))
            if not found:
                _known_hunt(connection, hunt)
            return found

        return self._read(read)

    def event(self, id: str) -> Event | None:
        found = self._rows(select(schema.events).where(schema.events.c.id == id), read_event)
        return found[0] if found else None

    def standing(self, hunt: str) -> list[Statement]:
        def read(connection: Connection) -> list[Statement]:
            _known_hunt(connection, hunt)
            return standing_words(connection, hunt)

        return self._read(read, snapshot=True)

    def take_leases(
        self,
        hunt: str,
        annotator: str,
        candidates: Sequence[Candidate],
        *,
        count: int,
        seconds: float,
        now: float,
        overlap: int = 1,
        seen: Collection[str] | None = None,
    ) -> list[Lease]:
        check_asking(annotator, candidates, count, seconds, now, overlap)

        def take(connection: Connection) -> list[Lease]:
            _known_hunt(connection, hunt)
            return sql_leases.take(
                connection,
                hunt,
                annotator,
                candidates,
                count=count,
                until=now + seconds,
                now=now,
                overlap=overlap,
                seen=seen,
            )

        return self._do(take)

    def leases(self, hunt: str, now: float) -> list[Lease]:
        def read(connection: Connection) -> list[Lease]:
            _known_hunt(connection, hunt)
            return sql_leases.live(connection, hunt, now)

        return self._read(read)

    def release(self, lease: str) -> None:
        self._do(lambda connection: sql_leases.release(connection, lease))

    def put_ranking(self, ranking: RankingEntry) -> None:
        ranking = clean_ranking(ranking)

        def put(connection: Connection) -> None:
            _known_hunt(connection, ranking.hunt)
            same_id = select(schema.rankings).where(schema.rankings.c.id == ranking.id)
            before = connection.execute(same_id).mappings().one_or_none()
            if before is None:
                _add(connection, schema.rankings, ranking_row(ranking))
            else:
                refuse_ranking(ranking, read_ranking(before))

        self._do(put)

    def ranking(self, id: str) -> RankingEntry:
        rows = self._rows(select(schema.rankings).where(schema.rankings.c.id == id), read_ranking)
        if not rows:
            raise no_such("ranking", id)
        return rows[0]

    def rankings(self, hunt: str) -> list[RankingEntry]:
        columns = schema.rankings.c
        light = [column for column in columns if column.name not in ("rows", "scores", "digest")]
        statement = (
            select(*light).where(columns.hunt == hunt).order_by(columns.created_at, columns.id)
        )
        return self._rows(statement, read_ranking, of_hunt=hunt)

    def check(self, *, repair: bool = False) -> CheckReport:
        found = self._read(sql_check.examine, snapshot=True)
        if repair and found.repairs:
            try:
                self._do(sql_check.rebuild)
            except StorageError as problem:
                found.faults.append(f"It could not be repaired: {problem}")
                return found.report()
            again = self._read(sql_check.examine, snapshot=True)
            return again.report(repaired=found.repairs)
        return found.report()

    def _rows(
        self, statement: Any, read_row: Callable[[Row], Result], *, of_hunt: str | None = None
    ) -> list[Result]:
        def read(connection: Connection) -> list[Result]:
            rows = [read_row(row) for row in connection.execute(statement).mappings()]
            if not rows and of_hunt is not None:
                _known_hunt(connection, of_hunt)
            return rows

        return self._read(read)


def _add(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Insert a row and count it, so that one that goes missing is missed."""
    connection.execute(insert(table), row)
    counted = schema.counter.c[table.name]
    connection.execute(update(schema.counter).values({counted: counted + 1}))


_hunt_of_id = select(schema.hunts.c.id).where(schema.hunts.c.id == bindparam("of_id"))


def _known_hunt(connection: Connection, id: str) -> None:
    if connection.execute(_hunt_of_id, {"of_id": id}).first() is None:
        raise no_such("hunt", id)
