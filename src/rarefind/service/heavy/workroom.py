"""A room for heavy work: one process of its own, so that nobody in this one has to wait."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rarefind.core.errors import RarefindError, StateError
from rarefind.core.progress import Step, report
from rarefind.service.heavy.cancelling import Cancelled
from rarefind.service.heavy.worker import work

log = logging.getLogger("rarefind.service")
T = TypeVar("T")

_LOOK_SECONDS = 0.1
_PATIENCE_SECONDS = 3.0
_MOST_KEPT = 4
_LARGE_BYTES = 1_000_000


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
        self._worker: _Worker | None = None
        self._forgotten: list[str] = []
        self._closed = False
        self._usable = True

    def run(
        self, task: str, key: str, kept: Sequence[Any], function: Callable[..., T], *args: Any
    ) -> T:
        """Return ``function(*kept, *args)``, computed in the other process."""
        while not self._turn.acquire(timeout=_LOOK_SECONDS):
            self._look(Step("waiting for other work", 0, 1))
        try:
            answer = self._answer(key, tuple(kept), function, args)
        except _EndedError:
            self._dismiss()
            raise StateError(
                f"The {task} was stopped because its process ended; ask for it again."
            ) from None
        except BaseException:
            self._dismiss()
            raise
        finally:
            self._turn.release()
        return _result(answer, lambda: function(*kept, *args))

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

    def _answer(
        self, key: str, kept: tuple[Any, ...], function: Callable[..., Any], args: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        self._look(Step("starting", 0, 1))
        worker = self._ready_worker()
        if worker is None:
            return "cannot", "There is no process."
        forgotten = {self._forgotten.pop() for _ in range(len(self._forgotten))}
        try:
            worker.ask(key, kept, function, args, forgotten)
        except OSError:
            raise _EndedError from None
        except Exception as problem:  # whatever an object says that does not want to travel
            worker.kept.pop(key, None)
            worker.remove_files()
            self._forgotten.extend(forgotten)
            return "cannot", repr(problem)
        answer = self._listen(worker)
        worker.remove_files()
        if answer[0] == "cannot":
            worker.kept.pop(key, None)
        return answer

    def _ready_worker(self) -> _Worker | None:
        if self._worker is not None and not self._worker.process.is_alive():
            self._dismiss()
        if self._worker is None and self._usable:
            self._worker = self._begun()
            if self._worker is None:
                return None
            try:
                self._listen(self._worker)
            except _EndedError:
                if not self._worker.failed():  # somebody ended it, and the next may live longer
                    raise
                # A script that may not be imported a second time, for example.
                self._give_up("it ended at once")
        return self._worker

    def _begun(self) -> _Worker | None:
        try:
            return _Worker()
        except (OSError, RuntimeError, AssertionError) as problem:
            self._give_up(repr(problem))
            return None

    def _give_up(self, why: str) -> None:
        log.warning("Rankings are computed in the server, without a process of their own: %s", why)
        self._dismiss()
        self._usable = False

    def _listen(self, worker: _Worker) -> tuple[Any, ...]:
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
        report(step.task, step.done, step.total)

    def _dismiss(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            self._forgotten.clear()
            worker.end()


class _EndedError(Exception):
    """The process is gone."""


class _Worker:
    """The process, the line to it, and what it keeps."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.line, theirs = context.Pipe()
        self.kept: OrderedDict[str, tuple[Any, ...]] = OrderedDict()
        self._files: list[Path] = []
        self.process = context.Process(
            target=work, args=(theirs,), name="rarefind workroom", daemon=True
        )
        try:
            self.process.start()
        except BaseException:
            self.line.close()
            raise
        finally:
            theirs.close()  # or the line would not end with the process

    def ask(
        self,
        key: str,
        kept: tuple[Any, ...],
        function: Callable[..., Any],
        args: tuple[Any, ...],
        forget: set[str],
    ) -> None:
        """Send a request, with the kept objects if the process does not have them."""
        for old in forget:
            self.kept.pop(old, None)
        before = self.kept.get(key, ())
        known = len(before) == len(kept) > 0
        known = known and all(old is new for old, new in zip(before, kept, strict=True))
        self.kept[key] = kept
        self.kept.move_to_end(key)
        while len(self.kept) > _MOST_KEPT:
            forget.add(self.kept.popitem(last=False)[0])
        parts = None if known else [self._packed(part) for part in kept]
        self.line.send((function, key, parts, forget, args))

    def heard(self, seconds: float) -> tuple[Any, ...] | None:
        """Return what the process says, None if it says nothing for some time."""
        try:
            return self.line.recv() if self.line.poll(seconds) else None
        except (EOFError, OSError):
            raise _EndedError from None

    def failed(self) -> bool:
        """Tell whether the process ended by an error of its own."""
        self.process.join(_PATIENCE_SECONDS)
        return (self.process.exitcode or 0) > 0

    def remove_files(self) -> None:
        """Remove the files that matrices were handed over in, where they are not in use."""
        for file in list(self._files):
            with contextlib.suppress(PermissionError):
                file.unlink(missing_ok=True)
                self._files.remove(file)

    def end(self) -> None:
        """End the process and leave nothing behind."""
        self.line.close()
        self.process.terminate()
        self.process.join(_PATIENCE_SECONDS)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        self.process.close()
        self.kept.clear()
        self.remove_files()

    def _packed(self, part: Any) -> tuple[str, Any]:
        """Put a large matrix into a file, which the process maps instead of copying it."""
        plain = type(part) is np.ndarray and not part.dtype.hasobject
        if not plain or part.nbytes < _LARGE_BYTES:
            return "value", part
        try:
            number, name = tempfile.mkstemp(".npy", "rarefind-")
            self._files.append(Path(name))
            with os.fdopen(number, "wb") as file:
                np.save(file, part)
        except OSError:  # the disk is full: through the line, then
            return "value", part
        return "file", name


def _result(answer: tuple[Any, ...], here: Callable[[], T]) -> T:
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
    return here()
