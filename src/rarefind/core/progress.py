"""Telling a person how far long work has come, without knowing where it is shown.

The layers below report to whoever listens; the command line listens with a progress bar, the
workbench with events. Nobody listening costs one attribute look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic


@dataclass(frozen=True)
class Step:
    """How far a piece of work has come: ``done`` of ``total`` units after ``elapsed`` seconds.

    >>> Step("counting", 1, 4, elapsed=2.0).remaining
    6.0
    """

    task: str
    done: float
    total: float
    elapsed: float = field(default=0.0, compare=False, repr=False)

    @property
    def remaining(self) -> float | None:
        """Seconds the rest will take if it goes on like this; None if that cannot be told yet."""
        if self.done <= 0:
            return None
        return self.elapsed * max(0.0, self.total - self.done) / self.done


Listener = Callable[[Step], None]


@dataclass
class _Ear:
    """A listener, and since when it has heard of the piece of work going on."""

    listener: Listener
    task: str = ""
    done: float = 0.0
    begun: float = field(default_factory=lambda: monotonic())
    heard: float = field(default_factory=lambda: monotonic())

    def hear(self, task: str, done: float, total: float) -> None:
        now = monotonic()
        if task != self.task:
            # The first report of a task comes after its first part, which began at the last report.
            self.task, self.begun = task, self.heard
        elif done < self.done:
            self.begun = self.heard
        self.done, self.heard = done, now
        self.listener(Step(task, done, total, now - self.begun))


_ear: ContextVar[_Ear | None] = ContextVar("ear", default=None)


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Send the progress of all work done inside the block to ``listener``.

    >>> steps = []
    >>> with listen(steps.append):
    ...     announce("counting", 1, 2)
    >>> steps
    [Step(task='counting', done=1, total=2)]
    """
    token = _ear.set(_Ear(listener))
    try:
        yield
    finally:
        _ear.reset(token)


@contextmanager
def also(listener: Listener) -> Iterator[None]:
    """Send the progress of the work inside to ``listener`` besides whoever listens already.

    >>> steps = []
    >>> with listen(steps.append), also(steps.append):
    ...     announce("counting", 1, 2)
    >>> len(steps)
    2
    """
    before = _ear.get()

    def both(step: Step) -> None:
        listener(step)
        if before is not None:
            before.listener(step)

    with listen(both):
        yield


def announce(task: str, done: float, total: float) -> None:
    """Tell the listener, if there is one, that ``done`` of ``total`` units are finished."""
    ear = _ear.get()
    if ear is not None:
        ear.hear(task, done, total)
