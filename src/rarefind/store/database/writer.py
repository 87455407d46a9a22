"""One thread that writes, many that hand over: group commit.

A durable commit costs one wait for the disk, however much it carries. So everybody who has
something to keep puts it into a queue; the writer takes all that waits, keeps it in one
transaction, and answers everybody after the commit.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from rarefind.core.errors import StateError
from rarefind.store.contract import Event
from rarefind.store.database.problems import OutOfReachError

LARGEST_BATCH = 500
"""Jobs in one transaction: shared by so many, the wait for the disk is little each. A choice."""

LONGEST_PAUSE = 0.003
"""Seconds at most, even where the disk is slow: nobody should notice the wait."""


Work = Event | tuple[Event, ...] | Callable[[Any], Any]
"""An event, some that belong together, or a function of the open transaction."""


@dataclass
class Job:
    """Something to be written."""

    work: Work
    future: Future[Any] = field(default_factory=Future)


Outcome = Any
"""What a job gives: its result, or a RarefindError if it alone is refused."""


class Writer:
    """Runs jobs in order, many per transaction.

    Parameters
    ----------
    write
        Keeps a batch for good, and returns one outcome per job after the commit. If it raises,
        nothing of the batch was kept.
    """

    def __init__(self, write: Callable[[Sequence[Job]], Sequence[Outcome]]) -> None:
        self._write = write
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._handing_over = threading.Lock()
        self._closed = False
        self._expected = 0
        self._pause = 0.0
        # A daemon: a process that ends without closing owes nobody an acknowledgement.
        self._thread = threading.Thread(target=self._run, name="rarefind-writer", daemon=True)
        self._thread.start()

    def hand_over(self, work: Work) -> Future[Any]:
        """Queue a job; its future is done once the job is kept for good, or refused."""
        job = Job(work)
        with self._handing_over:
            if self._closed:
                raise StateError("The store is closed: open it again.")
            if not self._thread.is_alive():  # threads do not follow into a forked process
                raise StateError(
                    "The store was opened in another process: open it anew in each process."
                )
            self._queue.put(job)
        return job.future

    def close(self) -> None:
        """Finish what was handed over and end the thread."""
        with self._handing_over:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch, going_on = self._take()
            batch = [job for job in batch if job.future.set_running_or_notify_cancel()]
            if batch:
                self._keep(batch)

    def _take(self) -> tuple[list[Job], bool]:
        """Wait for a job, then take all that wait with it.

        Those who were just answered are about to send again: a short pause for them, small beside
        the commit it saves, makes one large batch of two half ones.
        """
        batch: list[Job] = []
        job = self._queue.get()
        until = time.monotonic() + self._pause
        while job is not None:
            batch.append(job)
            if len(batch) == LARGEST_BATCH:
                return batch, True
            left = until - time.monotonic() if len(batch) < self._expected else 0.0
            try:
                job = self._queue.get(timeout=left) if left > 0 else self._queue.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, False

    def _keep(self, batch: list[Job]) -> None:
        start = time.monotonic()
        try:
            outcomes = self._write(batch)
        except BaseException as problem:
            if len(batch) > 1 and not isinstance(problem, OutOfReachError):
                # One job may have brought all the others down (a ranking too large for the disk).
                for job in batch:
                    self._keep([job])
                return
            outcomes = [problem] * len(batch)
        self._pause = min(LONGEST_PAUSE, 0.2 * (time.monotonic() - start))
        self._expected = len(batch) + self._queue.qsize()
        for job, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                job.future.set_exception(outcome)
            else:
                job.future.set_result(outcome)
