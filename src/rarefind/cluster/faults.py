"""What went wrong on a cluster, in one sentence."""

from __future__ import annotations

import asyncio
from typing import Any

from rarefind.core.errors import MissingPackageError, RarefindError, StateError


def import_distributed() -> Any:
    """Import Dask's scheduler and workers, or say how to get them."""
    try:
        import distributed
    except ImportError:
        raise MissingPackageError("A cluster", "distributed", "cluster") from None
    return distributed


def failure(problem: BaseException, what: str) -> BaseException:
    """Say what went wrong with the task that works on ``what``."""
    distributed = import_distributed()
    if isinstance(problem, RarefindError):
        return problem
    if isinstance(problem, distributed.KilledWorker):
        return StateError(
            f"Workers of the cluster died again and again on {what}, most likely because they "
            "ran out of memory. Give them more, or write the file in smaller groups of rows."
        )
    if isinstance(problem, MemoryError):
        return StateError(
            f"A worker of the cluster ran out of memory on {what}. Give it more, or write the "
            "file in smaller groups of rows."
        )
    if isinstance(problem, OSError):
        return StateError(
            f"A worker of the cluster cannot work on {what}: {first_line(problem)}. All machines "
            "must see the same folders."
        )
    if isinstance(problem, asyncio.CancelledError | distributed.CancelledError):
        return StateError(
            f"The cluster went away while it worked on {what}. What was finished is kept; start "
            "again to go on."
        )
    return problem


def first_line(problem: BaseException) -> str:
    """Return the first line of an error, without the full stop."""
    lines = str(problem).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(problem).__name__
