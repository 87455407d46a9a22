"""Writing through one writer, reading beside it, and trying again while the database is away."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from rarefind.core.errors import RarefindError, StateError, StorageError
from rarefind.store.contract import Event
from rarefind.store.database.events import keep_events
from rarefind.store.database.problems import Problem
from rarefind.store.database.writer import Job, Work, Writer
from rarefind.store.rules.ledger import Verdict

Result = TypeVar("Result")

SECONDS_TO_TRY = 30.0
"""How long a busy file or a lost server is waited for before giving up in words."""


class DatabaseAccess(ABC):
    """The way to the tables, whichever database keeps them."""

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

    def close(self) -> None:
        """End the writer and let go of all connections."""
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
    events = [event for job in jobs for event in _events(job)]
    verdicts = iter(keep_events(connection, events, time.time()) if events else [])
    return [_outcome(connection, job.work, verdicts) for job in jobs]


def _events(job: Job) -> Sequence[Event]:
    if isinstance(job.work, Event):
        return (job.work,)
    return job.work if isinstance(job.work, tuple) else ()


def _outcome(connection: Connection, work: Work, verdicts: Iterator[Verdict]) -> Any:
    if isinstance(work, Event):
        return next(verdicts)
    if isinstance(work, tuple):
        return [next(verdicts) for _ in work]
    return _done(connection, work)


def _done(connection: Connection, work: Callable[[Connection], Any]) -> Any:
    try:
        with connection.begin_nested():
            return work(connection)
    except RarefindError as refused:
        return refused
