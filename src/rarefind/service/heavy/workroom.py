"""A room for heavy work: one process of its own, so that nobody in this one has to wait."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rarefind.core.errors import RarefindError, StateError
from rarefind.core.progress import Step, announce
from rarefind.service.heavy.cancelling import Cancelled
from rarefind.service.heavy.worker_process import EndedError, Request, WorkerProcess

log = logging.getLogger("rarefind.service")
T = TypeVar("T")

_LOOK_SECONDS = 0.1
"""How soon somebody who cancels is heard while there is no news."""


class Workplace:
    """Does heavy work right here, in the thread that asks for it."""

    def run(
        self,
        task: str,
        key: str,
        kept: Sequence[Any],
        function: Callable[..., T],
        *args: Any,
    ) -> T:
        """Return ``function(*kept, *args)``.

        Parameters
        ----------
        task
            What the work is called, as in "The ranking was stopped".
        key, kept
            Large objects that are likely to be needed again, and a name for them.
        function
            Any function; one that another process can import, if it is to run there.
        args
            The other arguments.
        """
        return function(*kept, *args)

    def forget(self, key: str) -> None:
        """Let go of the objects kept under a name."""

    def close(self) -> None:
        """End whatever was begun."""


class Workroom(Workplace):
    """Does heavy work in one process, begun when first needed and then kept.

    Work is done in turn. Its progress is reported as if it were done here, and whoever listens
    may stop it by raising an exception, as always: the process is ended then, and the next work
    begins another. What cannot be sent to another process is done here.

    Examples
    --------
    >>> import math
    >>> room = Workroom()
    >>> room.run("sum", "numbers", [[1.0, 2.0, 4.0]], math.fsum)
    7.0
    >>> room.close()
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._forgotten: list[str] = []
        self._closed = False
        self._usable = True
        self._doing = "other work"  # what whoever waits is told

    def run(
        self, task: str, key: str, kept: Sequence[Any], function: Callable[..., T], *args: Any
    ) -> T:
        """Return ``function(*kept, *args)``, computed in the other process."""
        while not self._turn.acquire(timeout=_LOOK_SECONDS):
            self._look(Step(f"waiting until {self._doing} is done", 0, 1))
        self._doing = f"another {task}"
        wanted = Request(key, tuple(kept), function, args)
        try:
            answer = self._answer(wanted)
        except EndedError:
            self._dismiss()
            raise StateError(
                f"The {task} was stopped because its process ended; ask for it again."
            ) from None
        except BaseException:
            self._dismiss()
            raise
        finally:
            self._turn.release()
        result: T = _result(answer, wanted)
        return result

    def forget(self, key: str) -> None:
        """Let go of the objects kept under a name, at the latest when there is other work.

        A process that keeps nothing any more is ended.
        """
        if not self._turn.acquire(blocking=False):
            self._forgotten.append(key)
            return
        try:
            worker = self._worker
            if worker is not None and worker.kept.pop(key, None) is not None:
                self._forgotten.append(key)
                if not worker.kept:
                    self._dismiss()
        finally:
            self._turn.release()

    def close(self) -> None:
        """End the process; work under way is stopped."""
        self._closed = True
        with self._turn:
            self._dismiss()

    @property
    def process_id(self) -> int | None:
        """The number of the process, None while there is none."""
        worker = self._worker
        return None if worker is None else worker.process.pid

    @property
    def held(self) -> list[str]:
        """What the process has at hand, by name; nothing while there is none."""
        worker = self._worker
        return [] if worker is None else list(worker.kept)

    def _answer(self, wanted: Request) -> tuple[Any, ...]:
        self._look(Step("starting", 0, 1))
        waited = self._worker
        try:
            return self._asked(wanted)
        except EndedError:
            # A process killed while it waited for work may still look alive and take a request.
            if waited is None or waited is not self._worker or waited.begun:
                raise
            self._dismiss()
            return self._asked(wanted)

    def _asked(self, wanted: Request) -> tuple[Any, ...]:
        worker = self._ready_worker()
        if worker is None:
            return "cannot", "There is no process."
        forgotten = {self._forgotten.pop() for _ in range(len(self._forgotten))}
        try:
            worker.ask(wanted, forgotten)
        except OSError:
            raise EndedError from None
        except Exception as problem:  # whatever an object says that does not want to travel
            worker.kept.pop(wanted.key, None)
            worker.remove_files()
            self._forgotten.extend(forgotten)
            return "cannot", repr(problem)
        answer = self._listen(worker)
        worker.remove_files()
        if answer[0] == "cannot":
            worker.kept.pop(wanted.key, None)
        return answer

    def _ready_worker(self) -> WorkerProcess | None:
        if self._worker is not None and not self._worker.process.is_alive():
            self._dismiss()
        if self._worker is None and self._usable:
            self._worker = self._begun()
            if self._worker is None:
                return None
            try:
                self._listen(self._worker)
            except EndedError:
                if not self._worker.failed():  # somebody ended it, and the next may live longer
                    raise
                # A script that may not be imported a second time, for example.
                self._give_up("it ended at once")
        return self._worker

    def _begun(self) -> WorkerProcess | None:
        try:
            return WorkerProcess()
        except (OSError, RuntimeError, AssertionError) as problem:
            self._give_up(repr(problem))
            return None

    def _give_up(self, why: str) -> None:
        log.warning("Rankings are computed in the server, without a process of their own: %s", why)
        self._dismiss()
        self._usable = False

    def _listen(self, worker: WorkerProcess) -> tuple[Any, ...]:
        """Wait for an answer and pass on the steps before it."""
        step = Step("starting", 0, 1)
        while True:
            answer = worker.heard(_LOOK_SECONDS)
            if answer is not None:
                if answer[0] != "step":
                    return answer
                step = answer[1]
            self._look(step)  # without news too: long work between two steps can be stopped

    def _look(self, step: Step) -> None:
        """Tell how far the work has come; whoever listens stops it by raising an exception."""
        if self._closed:
            raise Cancelled(f"Stopped while {step.task}.")
        announce(step.task, step.done, step.total)

    def _dismiss(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            self._forgotten.clear()
            worker.end()


def _result(answer: tuple[Any, ...], wanted: Request) -> Any:
    kind, *content = answer
    if kind == "done":
        return content[0]
    if kind == "refused":
        # Some classes make their sentence from other arguments: it is put in as it is.
        problem: RarefindError = content[0].__new__(content[0], content[1])
        raise problem
    if kind == "failed":
        raise RuntimeError(f"In the workroom's process:\n{content[0]}")
    log.info("Computed in the server, since it cannot be sent elsewhere: %s", content[0])
    return wanted.done_here()
