"""Work cut into parts for the processors of this machine.

The parts write into arrays of their own, so the result does not depend on how many threads there
are. A matrix product inside a part is computed by one thread: our blocks fit into a processor's
cache, and a product of thin matrices is over before threads have met.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from threadpoolctl import ThreadpoolController

Part = TypeVar("Part")
Result = TypeVar("Result")


def workers() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system can tell
        return os.cpu_count() or 1


def spread(work: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
    """Do ``work`` on every part, several at a time, and yield the results in order.

    >>> list(spread(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if workers() == 1:
        yield from map(work, parts)
        return
    with undivided_products(), ThreadPoolExecutor(workers()) as threads:
        yield from threads.map(work, parts)


@contextmanager
def undivided_products() -> Iterator[None]:
    """Compute every matrix product inside the block by one thread."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
