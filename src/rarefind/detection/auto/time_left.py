"""Keeping a time limit: what would take too long is foreseen from fits to a few records."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rarefind.core.arrays import BoolArray, IntArray

_FEW_RECORDS = 10_000
"""Up to so many records nothing is foreseen: the first fit tells soon enough."""
_STEEPEST = 2.5
"""Power of the number of records that no model's time grows with faster."""


class LeftOutError(Exception):
    """A model would take longer than there is time, or more examples than there are."""


class Clock:
    """What is left of a time limit."""

    def __init__(self, limit: float) -> None:
        self._end = time.perf_counter() + limit

    def check(self, expected: float) -> None:
        """Raise LeftOutError if so many seconds are not left."""
        left = self._end - time.perf_counter()
        if expected > left or left <= 0.0:
            raise LeftOutError(f"it would take more than the {max(left, 0.0):.0f} s left")

    def foresee(self, fit: Callable[[IntArray, int], Any], wanted: BoolArray, fits: int) -> None:
        """Raise LeftOutError if so many fits will take too long, told from two small ones."""
        self.check(0.0)
        if len(wanted) <= _FEW_RECORDS:
            return
        seconds = []
        for share in (16, 8):
            rows = np.concatenate(
                [np.flatnonzero(wanted)[::share], np.flatnonzero(~wanted)[::share]]
            )
            begun = time.perf_counter()
            fit(np.sort(rows), 0)
            seconds.append(max(time.perf_counter() - begun, 1e-9))
        steepness = float(np.clip(np.log2(seconds[1] / seconds[0]), 0.5, _STEEPEST))
        self.check(fits * seconds[1] * 8.0**steepness)
