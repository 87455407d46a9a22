"""How busy the machine is with the work of others."""

from __future__ import annotations

import time

_IDLE_SECONDS = 0.1
"""What the loop takes on an idle core."""


def slowdown() -> float:
    """How much slower this machine is now than an idle core: by its make, and by others' work.

    >>> slowdown() >= 1.0
    True
    """
    began = time.perf_counter()
    total = 0
    for number in range(2_000_000):
        total += number
    return max(1.0, (time.perf_counter() - began) / _IDLE_SECONDS)
