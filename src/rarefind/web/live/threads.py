"""A few threads for calls that may wait; they go away when there is nothing to do."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
IDLE_SECONDS = 5.0
"""A server that nobody uses should hold no threads; how soon they go is a choice."""


class Threads:
    """Runs calls in at most ``most`` threads, in the order they came.

    Unlike those of ``concurrent.futures`` the threads end after a few idle seconds, and one that
    still works does not keep the process from ending.

    >>> threads = Threads(2, "example")
    >>> threads.submit(lambda: 6 * 7).result()
    42
    >>> threads.close()
    """

    def __init__(self, most: int, name: str) -> None:
        self._most, self._name = most, name
        self._changed = threading.Condition()
        self._calls: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._alive = self._idle = 0
        self._closed = False

    async def __call__(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Wait for the result of a call without blocking the loop."""
        return await asyncio.wrap_future(self.submit(lambda: call(*args, **kwargs)))

    def submit(self, call: Callable[[], T]) -> Future[T]:
        """Hand a call over."""
        future: Future[T] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("The server is stopping.")
            self._calls.append((call, future))
            if self._idle >= len(self._calls):
                self._changed.notify()
            elif self._alive < self._most:
                self._alive += 1
                name = f"rarefind-{self._name}"
                threading.Thread(target=self._work, name=name, daemon=True).start()
        return future

    def close(self) -> None:
        """Take no more calls, drop those waiting, and let the threads go."""
        with self._changed:
            self._closed = True
            dropped = [future for _, future in self._calls]
            self._calls.clear()
            self._changed.notify_all()
        for future in dropped:
            future.cancel()

    def _work(self) -> None:
        while (entry := self._next()) is not None:
            call, future = entry
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = call()
            except BaseException as problem:
                future.set_exception(problem)
            else:
                future.set_result(result)
            del call, future, entry  # an idle thread must not keep results alive

    def _next(self) -> tuple[Callable[[], Any], Future[Any]] | None:
        with self._changed:
            self._idle += 1
            try:
                if not self._calls and not self._closed:
                    self._changed.wait_for(lambda: self._calls or self._closed, IDLE_SECONDS)
                if self._calls:
                    return self._calls.popleft()
                self._alive -= 1
                return None
            finally:
                self._idle -= 1
