"""Seconds on the clock and of processors, and the most memory a process has held."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_ENOUGH = 0.3
"""Seconds after which short work is not repeated any more."""

_MOST = 20
"""How often short work is repeated at most."""


@dataclass(frozen=True)
class Spent:
    """Seconds a piece of work took: on the clock, and of all processors together."""

    clock: float
    processors: float

    def as_dict(self) -> dict[str, float]:
        """Return both for JSON."""
        return {"clock": self.clock, "processors": self.processors}


def spent(work: Callable[[], Any]) -> Spent:
    """Do the work once."""
    begun, used = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - begun, time.process_time() - used)


def least_spent(work: Callable[[], Any]) -> Spent:
    """Do the work, again if it was short, and return the turn that cost least.

    >>> least_spent(lambda: sum(range(100))).clock < 1
    True
    """
    turns = [spent(work)]
    while sum(turn.clock for turn in turns) < _ENOUGH and len(turns) < _MOST:
        turns.append(spent(work))
    return min(turns, key=lambda turn: turn.processors)


def mean_spent(turns: list[Spent]) -> Spent:
    """Return the mean of several turns.

    >>> mean_spent([Spent(1.0, 2.0), Spent(3.0, 2.0)])
    Spent(clock=2.0, processors=2.0)
    """
    return Spent(
        sum(turn.clock for turn in turns) / len(turns),
        sum(turn.processors for turn in turns) / len(turns),
    )


def peak_gigabytes() -> float | None:
    """Return the gigabytes this process has held at most; None where the system cannot tell."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    import sys

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9
