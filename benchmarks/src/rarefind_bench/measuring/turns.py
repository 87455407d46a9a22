"""Time two pieces of work in turns, so that a busy machine slows both alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits


@dataclass(frozen=True)
class Timed:
    """Least CPU seconds of our work and of what stands beside it."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """Ours over theirs: below one is faster."""
        return self.ours / max(self.theirs, 1e-9)


def in_turns(work: Callable[[], Any], beside: Callable[[], Any], repeats: int) -> Timed:
    """Do both so often and keep the best of each.

    Linear algebra gets one thread: a second one that has to wait costs more than it brings.
    """
    ours, theirs = [], []
    with threadpool_limits(1):
        for _ in range(repeats):
            theirs.append(cpu_seconds(beside))
            ours.append(cpu_seconds(work))
    return Timed(min(ours), min(theirs))


def cpu_seconds(work: Callable[[], Any]) -> float:
    """Return the processor time of a piece of work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def verdict(value: float, goal: float | None, *, at_most: bool = True) -> str:
    """Say whether a goal is met.

    >>> verdict(0.9, 1.5), verdict(2.0, 1.5), verdict(2.0, None)
    ('met', 'missed', '')
    """
    if goal is None:
        return ""
    return "met" if (value <= goal if at_most else value >= goal) else "missed"
