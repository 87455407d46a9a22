"""Long work that can be watched and stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rarefind.core.errors import RarefindError
from rarefind.core.progress import Step, also


class Cancelled(RarefindError):  # noqa: N818  (what happened is no error)
    """Somebody asked for the work to stop, and it did."""


class Work:
    """A piece of work in progress: its latest step, and whether it should stop.

    >>> from rarefind.core.progress import announce
    >>> work = Work("ranking")
    >>> with work.watched():
    ...     announce("scoring", 1, 2)
    >>> work.step
    Step(task='scoring', done=1, total=2)
    >>> work.cancel()
    >>> with work.watched():
    ...     announce("scoring", 2, 2)
    Traceback (most recent call last):
    rarefind.service.heavy.cancelling.Cancelled: Stopped while scoring.
    """

    def __init__(self, task: str) -> None:
        self.step = Step(task, 0, 1)
        self._stop = threading.Event()

    def cancel(self) -> None:
        """Make the work stop at its next report of progress."""
        self._stop.set()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Follow the progress of everything done inside the block."""
        with also(self._hear):
            yield

    def check(self) -> None:
        """Stop here if that was asked for."""
        if self._stop.is_set():
            raise Cancelled(f"Stopped while {self.step.task}.")

    def _hear(self, step: Step) -> None:
        self.step = step
        self.check()
