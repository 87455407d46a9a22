"""How long tests wait: one limit for everything that must come, however busy the machine is.

A test that passes never waits so long; one whose server, thread or page hangs fails in the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

PATIENCE = 300.0
"""Seconds. Where a test starts something itself, with twenty others on the processor."""

PATIENCE_MS = 1000 * PATIENCE
"""The same for browsers, which count milliseconds."""


def wait_until(holds: Callable[[], Found]) -> Found:
    """Look again and again until something is there; returns what ``holds`` found."""
    last = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < last, f"waited for {PATIENCE:g} seconds"
        time.sleep(0.01)
    return found
