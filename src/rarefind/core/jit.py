"""Compiled loops, only where numpy and scipy have no answer.

Importing this module imports numba (a third of a second), so the modules that hold loops are
imported by the functions that need them, not by their packages. Loops release the GIL, so threads
run them side by side, and neither ``parallel`` nor ``cache`` is used: both have crashed across
processes. ``RAREFIND_NO_JIT=1`` runs the same loops as plain Python, for debugging and tests.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """Compile a loop when it is first called."""
    if os.environ.get("RAREFIND_NO_JIT") == "1":
        return function
    import numba

    return cast(Function, numba.njit(nogil=True)(function))
