"""Memory that is no longer needed goes back to the system."""

from __future__ import annotations

import ctypes
import os

_TRIM_THRESHOLD, _MAP_THRESHOLD = -1, -3
"""Numbers of settings of the C library's allocator (glibc)."""


def give_memory_back() -> None:
    """Map large blocks, so that they return when freed.

    glibc learns from the first large block it frees to keep all of its size: a server that ranks
    all day would seem to grow. Other allocators have no such setting and need none. Arrow, which
    has an allocator of its own, is told to use the system's if it is not at work yet.
    """
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    try:
        tune = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):
        return
    tune(_TRIM_THRESHOLD, 64 * 1024)
    tune(_MAP_THRESHOLD, 128 * 1024)
