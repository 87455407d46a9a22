"""Work cut into parts for the processors of this machine.

The parts write into arrays of their own, so the result does not depend on how many threads there
are. A matrix product inside a part is computed by one thread: our blocks fit into a processor's
cache, and a product of thin matrices is over before threads have met.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import cache
from typing import TypeVar

from threadpoolctl import ThreadpoolController

Part = TypeVar("Part")
Result = TypeVar("Result")

_AHEAD = 3
"""Parts waiting for each thread."""


def workers() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system can tell
        return os.cpu_count() or 1


def in_threads(
    work: Callable[[Part], Result], parts: Iterable[Part], most: int | None = None
) -> Iterator[Result]:
    """Do ``work`` on every part, several at a time, and yield the results in order.

    Parts are taken only a little ahead of the results, so that they may come from a long stream.
    There are as many threads as processors, or ``most`` if that is less; numpy's error state and
    whoever listens to progress go along.

    >>> list(in_threads(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    number = min(workers(), most or workers())
    if number == 1:
        yield from map(work, parts)
        return
    waiting: deque[Future[Result]] = deque()
    with undivided_products(), ThreadPoolExecutor(number) as threads:
        try:
            for part in parts:
                # A thread starts with no context of its own.
                waiting.append(threads.submit(copy_context().run, work, part))
                if len(waiting) > _AHEAD * number:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def undivided_products() -> Iterator[None]:
    """Compute every matrix product inside the block by one thread."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
