"""The store on a database, whichever of the two it is.

Everything that changes the tables goes through one writer; reading has connections of its own.
"""

# ruff: noqa: D102  (the contract says what each method does)

from __future__ import annotations

import json
import time
from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from rarefind.core.errors import RarefindError, StateError, StorageError
from rarefind.core.names import unknown_name
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
from rarefind.store.database.events import keep_events
from rarefind.store.database.problems import Problem
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
from rarefind.store.database.writer import Job, Writer
from rarefind.store.rules.entries import (
    clean_dataset,
    clean_hunt,
    clean_ranking,
    find_hunt,
    no_such,
    refuse_hunt,
    refuse_ranking,
    same_dataset,
)
from rarefind.store.rules.free_records import check_asking
from rarefind.store.rules.projection import Statement
from rarefind.store.rules.values import LONGEST_NAME, clean_event, clean_text, to_json

Result = TypeVar("Result")

SECONDS_TO_TRY = 30.0
"""How long a busy file or a lost server is waited for before giving up in words."""


class SqlStore(Store):
    """What SQLite and PostgreSQL share."""

    where: str

    def __init__(self) -> None:
        self._closed = False
        self._writer = Writer(self._write)

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Connection]:
        """Begin a transaction that nobody else can write beside, committed at the end."""

    @abstractmethod
    def _reading(self, *, snapshot: bool = False) -> AbstractContextManager[Connection]:
        """Lend a connection to read with; all its reading is of one moment if ``snapshot``."""

    @abstractmethod
    def _problem(self, problem: BaseException) -> Problem:
        """Say what an error of the database means."""

    @abstractmethod
    def _let_go(self) -> None:
        """Close all connections; the next use opens new ones."""

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
            connection.execute(insert(schema.datasets), dataset_row(dataset))
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
                connection.execute(insert(schema.hunts), hunt_row(hunt))

        self._do(create)

    def hunt(self, name_or_id: str) -> HuntEntry:
        return find_hunt(name_or_id, self.hunts())

    def hunts(self) -> list[HuntEntry]:
        columns = schema.hunts.c
        statement = select(schema.hunts).order_by(columns.created_at, columns.id)
        return self._rows(statement, read_hunt)

    def change_hunt(self, id: str, settings: Mapping[str, Any]) -> HuntEntry:
        written = to_json("settings of a hunt", settings)
        mine = schema.hunts.c.id == id

        def change(connection: Connection) -> HuntEntry:
            connection.execute(update(schema.hunts).where(mine).values(settings=written))
            row = connection.execute(select(schema.hunts).where(mine)).mappings().one_or_none()
            if row is None:
                raise no_such("hunt", id)
            return read_hunt(row)

        return self._do(change)

    def submit(self, event: Event) -> Future[Kept]:
        try:
            return self._writer.hand_over(clean_event(event))
        except RarefindError as reason:
            refused: Future[Kept] = Future()
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
        statement = (
            select(schema.events)
            .join(schema.standing, schema.standing.c.seq == schema.events.c.seq)
            .where(schema.standing.c.hunt == hunt)
            .order_by(schema.events.c.seq)
        )
        events = self._rows(statement, read_event, of_hunt=hunt)
        return [Statement.of(event) for event in events]

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
                connection.execute(insert(schema.rankings), ranking_row(ranking))
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
        light = [column for column in columns if column.name not in ("rows", "scores")]
        statement = (
            select(*light).where(columns.hunt == hunt).order_by(columns.created_at, columns.id)
        )
        return self._rows(statement, read_ranking, of_hunt=hunt)

    def put_model(self, hunt: str, name: str, document: Mapping[str, Any], arrays: bytes) -> None:
        name = clean_text("name of a model", name, LONGEST_NAME)
        written = to_json("document of a model", document)

        def put(connection: Connection) -> None:
            _known_hunt(connection, hunt)
            columns = schema.models.c
            values = {"document": written, "arrays": bytes(arrays)}
            changed = connection.execute(
                update(schema.models)
                .where(columns.hunt == hunt, columns.name == name)
                .values(**values)
            )
            if not changed.rowcount:
                connection.execute(insert(schema.models), {"hunt": hunt, "name": name, **values})

        self._do(put)

    def model(self, hunt: str, name: str) -> tuple[Mapping[str, Any], bytes]:
        def read(connection: Connection) -> tuple[Mapping[str, Any], bytes]:
            _known_hunt(connection, hunt)
            columns = schema.models.c
            statement = select(columns.document, columns.arrays)
            mine = statement.where(columns.hunt == hunt, columns.name == name)
            row = connection.execute(mine).one_or_none()
            if row is None:
                names = select(columns.name).where(columns.hunt == hunt).order_by(columns.name)
                raise unknown_name("model", name, connection.execute(names).scalars())
            return json.loads(row.document), bytes(row.arrays)

        return self._read(read)

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

    def close(self) -> None:
        self._closed = True
        self._writer.close()
        self._let_go()

    def _do(self, work: Callable[[Connection], Result]) -> Result:
        """Let the writer do some work, and wait until it is kept for good."""
        done: Future[Result] = self._writer.hand_over(work)
        return done.result()

    def _write(self, jobs: Sequence[Job]) -> list[Any]:
        """Do a batch of jobs in one transaction; trying again is safe, ids make it so."""

        def batch() -> list[Any]:
            with self._writing() as connection:
                return _run(connection, jobs)

        return self._try(batch)

    def _rows(
        self, statement: Any, read_row: Callable[[Row], Result], *, of_hunt: str | None = None
    ) -> list[Result]:
        def read(connection: Connection) -> list[Result]:
            rows = [read_row(row) for row in connection.execute(statement).mappings()]
            if not rows and of_hunt is not None:
                _known_hunt(connection, of_hunt)
            return rows

        return self._read(read)

    def _read(self, work: Callable[[Connection], Result], *, snapshot: bool = False) -> Result:
        if self._closed:
            raise StateError("The store is closed: open it again.")

        def reading() -> Result:
            with self._reading(snapshot=snapshot) as connection:
                return work(connection)

        return self._try(reading)

    def _try(self, work: Callable[[], Result]) -> Result:
        """Work, again while the file is busy or the server away; errors become sentences."""
        deadline = time.monotonic() + SECONDS_TO_TRY
        pause = 0.01
        while True:
            try:
                return work()
            except DBAPIError as error:
                problem = self._problem(error.orig or error)
                if problem.reconnect:
                    self._let_go()
                if not problem.again or time.monotonic() > deadline:
                    raise problem.error from error
            except (SQLAlchemyError, ValueError, KeyError, TypeError) as error:
                if isinstance(error, RarefindError):
                    raise
                # What is read back is not what was written.
                raise StorageError(f"The store {self.where} is damaged ({error}).") from error
            time.sleep(pause)
            pause = min(2 * pause, 0.5)


def _run(connection: Connection, jobs: Sequence[Job]) -> list[Any]:
    """Keep all events of a batch at once, then do the other jobs in order.

    Jobs that wait together were handed over at the same time, so none can count on another of
    them; many people who answer and ask by turns would otherwise get many small batches.
    """
    events = [job.work for job in jobs if isinstance(job.work, Event)]
    verdicts = iter(keep_events(connection, events, time.time()) if events else [])
    return [
        next(verdicts) if isinstance(job.work, Event) else _done(connection, job.work)
        for job in jobs
    ]


def _done(connection: Connection, work: Callable[[Connection], Any]) -> Any:
    try:
        with connection.begin_nested():
            return work(connection)
    except RarefindError as refused:
        return refused


_hunt_of_id = select(schema.hunts.c.id).where(schema.hunts.c.id == bindparam("of_id"))


def _known_hunt(connection: Connection, id: str) -> None:
    if connection.execute(_hunt_of_id, {"of_id": id}).first() is None:
        raise no_such("hunt", id)
