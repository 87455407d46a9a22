"""Telling a person how far long work has come, without knowing where it is shown.

The layers below report to whoever listens; the command line listens with a progress bar, the
workbench with events. Nobody listening costs one attribute look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """How far a piece of work has come: ``done`` of ``total`` units."""

    task: str
    done: float
    total: float


Listener = Callable[[Step], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Send the progress of all work done inside the block to ``listener``.

    >>> steps = []
    >>> with listen(steps.append):
    ...     report("counting", 1, 2)
    >>> steps
    [Step(task='counting', done=1, total=2)]
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def also(listener: Listener) -> Iterator[None]:
    """Send the progress of the work inside to ``listener`` besides whoever listens already.

    >>> steps = []
    >>> with listen(steps.append), also(steps.append):
    ...     report("counting", 1, 2)
    >>> len(steps)
    2
    """
    before = _listener.get()

    def both(step: Step) -> None:
        listener(step)
        if before is not None:
            before(step)

    with listen(both):
        yield


def report(task: str, done: float, total: float) -> None:
    """Tell the listener, if there is one, that ``done`` of ``total`` units are finished."""
    listener = _listener.get()
    if listener is not None:
        listener(Step(task, done, total))
