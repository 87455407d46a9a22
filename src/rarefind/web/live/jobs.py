"""Long work in the background, with progress and a way to stop it."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from rarefind.core.errors import RarefindError, StateError, UnknownNameError
from rarefind.core.progress import Step, listen
from rarefind.service.asking.news import News
from rarefind.service.heavy.cancelling import Cancelled
from rarefind.web.routes.json_answers import field_name

log = logging.getLogger("rarefind.web")

State = Literal["waiting", "running", "done", "failed", "cancelled"]
Kind = Literal["prepare", "rank", "compare", "harvest", "map"]
Publish = Callable[[str, News], None]

AT_ONCE = 2
"""Jobs of a lane that run at once. A choice: the workroom computes one thing at a time, so more
would only wait there."""

LANES: dict[Kind, str] = {
    "prepare": "opening", "rank": "ranking", "compare": "ranking", "harvest": "ranking",
    "map": "drawing",
}  # fmt: skip
"""Jobs of different lanes never wait for each other: rankings keep nobody from opening a hunt."""

MOST_WAITING = 20
"""Jobs of a lane. A choice: whoever comes after so many had better know."""

REMEMBERED = 200
"""Jobs whose end can still be asked for."""

_BETWEEN_REPORTS = 0.2
"""Seconds: a bar moves smoothly with five steps a second."""


@dataclass
class Job:
    """One piece of work and how far it has come."""

    id: str
    hunt: str
    kind: Kind
    state: State = "waiting"
    step: Step | None = None
    result: Any = None
    error: str | None = None
    began: float = field(default_factory=time.time)
    stop: threading.Event = field(default_factory=threading.Event, repr=False)
    over: threading.Event = field(default_factory=threading.Event, repr=False)


@dataclass(frozen=True)
class Progressed(News):
    """A job has come further."""

    job: str
    kind: Kind
    state: State
    step: Step | None

    name: ClassVar[str] = "progress"


class Jobs:
    """Runs jobs in threads of their own, two of a lane at a time; the rest wait their turn.

    Each job listens to the progress its work reports, and stops it there when asked to.
    """

    def __init__(self, publish: Publish) -> None:
        self._publish = publish
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._turns = {lane: threading.Semaphore(AT_ONCE) for lane in set(LANES.values())}
        self._closed = False

    def start(self, hunt: str, kind: Kind, work: Callable[[], Any], *, alone: bool = False) -> Job:
        """Begin a job; if it is to be ``alone``, one of that kind under way is returned instead."""
        with self._lock:
            active = [
                job
                for job in self._jobs.values()
                if LANES[job.kind] == LANES[kind] and not job.over.is_set()
            ]
            if alone:
                for job in active:
                    if (job.hunt, job.kind) == (hunt, kind) and not job.stop.is_set():
                        return job
            if self._closed or len(active) >= MOST_WAITING:
                raise StateError(
                    f"{len(active)} pieces of work are already waiting. Try again when some are "
                    "done, or cancel one."
                )
            job = Job(secrets.token_hex(8), hunt, kind)
            self._jobs[job.id] = job
            self._forget()
        threading.Thread(
            target=self._run, args=(job, work), name=f"rarefind-{kind}", daemon=True
        ).start()
        return job

    def get(self, hunt: str, id: str) -> Job:
        """Return a job of a hunt."""
        job = self._jobs.get(id)
        if job is None or job.hunt != hunt:
            raise UnknownNameError(
                "There is no such job in this hunt. The server forgets jobs when it is restarted; "
                "rankings that were finished are kept."
            )
        return job

    def running(self, hunt: str) -> list[Job]:
        """Return the jobs of a hunt that are not over."""
        with self._lock:
            return [j for j in self._jobs.values() if j.hunt == hunt and not j.over.is_set()]

    def close(self, seconds: float = 5.0) -> None:
        """Stop all jobs and wait a little for them; their threads do not keep the process."""
        with self._lock:
            self._closed = True
            active = [job for job in self._jobs.values() if not job.over.is_set()]
        for job in active:
            job.stop.set()
        last = time.monotonic() + seconds
        for job in active:
            job.over.wait(max(0.0, last - time.monotonic()))

    def _run(self, job: Job, work: Callable[[], Any]) -> None:
        turn = self._turns[LANES[job.kind]]
        while not turn.acquire(timeout=0.1):
            if job.stop.is_set():
                self._finish(job, "cancelled")
                return
        try:
            job.state = "running"
            with listen(self._listener(job)):
                result = work()
            self._finish(job, "done", result=result)
        except Cancelled:
            self._finish(job, "cancelled")
        except RarefindError as problem:
            cancelled = job.stop.is_set()
            self._finish(
                job, "cancelled" if cancelled else "failed", error=problem.worded(field_name)
            )
        except Exception:
            log.exception("Problem %s: %s of hunt %s", job.id, job.kind, job.hunt)
            self._finish(
                job,
                "failed",
                error="Something went wrong that should not have; it is in the server's log as "
                f"{job.id}. No label is lost.",
            )
        finally:
            turn.release()

    def _listener(self, job: Job) -> Callable[[Step], None]:
        last, told = 0.0, None

        def heard(step: Step) -> None:
            nonlocal last, told
            if job.stop.is_set():
                raise Cancelled("Cancelled.")
            job.step = step
            now = time.monotonic()
            if step != told and now - last > _BETWEEN_REPORTS:
                last, told = now, step
                self._publish(job.hunt, self._news(job))

        return heard

    def _finish(
        self, job: Job, state: State, *, result: Any = None, error: str | None = None
    ) -> None:
        job.result, job.error = result, error
        job.state = state
        job.over.set()
        self._publish(job.hunt, self._news(job))

    def _news(self, job: Job) -> News:
        return Progressed(job.id, job.kind, job.state, job.step)

    def _forget(self) -> None:
        over = [job.id for job in self._jobs.values() if job.over.is_set()]
        for id in over[: max(0, len(self._jobs) - REMEMBERED)]:
            del self._jobs[id]
