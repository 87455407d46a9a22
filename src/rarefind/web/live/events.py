"""What happens in a hunt, told live to every browser that has it open (server-sent events)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from rarefind.core.errors import StateError
from rarefind.service.asking.news import Hear, News
from rarefind.web.routes.json_answers import written

BEAT_SECONDS = 15.0
"""Many proxies close a line that is silent for a minute, some after half of one."""

MOST_LISTENERS = 600
"""Each holds a connection; they are to leave room for those who ask."""

GATHER_SECONDS = 0.5
"""News of so long are told together, so that many listeners cost those who answer little, and a
person still sees within a second what others do."""

BACKLOG = 100
"""Tellings waiting for a browser: one that is so far behind had better look afresh."""

_END = None
"""In the queue, says that there is nothing more."""


class Source(Protocol):
    """Where news come from: the service. Neither method may wait."""

    def subscribe(self, hunt_id: str, hear: Hear) -> None:
        """Tell somebody the news of a hunt."""

    def unsubscribe(self, hunt_id: str, hear: Hear) -> None:
        """Tell them no more."""


class Hub:
    """Hands the news of each hunt, from whatever thread, to any number of listeners on the loop.

    A listener that does not keep up is let go; its browser comes back by itself and looks at the
    progress afresh.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._listeners: dict[str, set[Listener]] = {}
        self._hear: dict[str, Hear] = {}
        self._gathered: dict[str, list[str]] = {}
        self._closed = False

    def publish(self, hunt: str, news: News) -> None:
        """Tell all listeners of a hunt, with what else happens in a moment; from any thread."""
        with self._lock:
            listener = next(iter(self._listeners.get(hunt, ())), None)
            if listener is None:
                return
            gathered = self._gathered.setdefault(hunt, [])
            gathered.append(f"data: {written(news.as_mapping())}\n\n")
            if len(gathered) > 1:
                return
        listener.later(GATHER_SECONDS, partial(self._tell, hunt))

    def _tell(self, hunt: str) -> None:
        """Tell what was gathered; on the loop."""
        with self._lock:
            text = "".join(self._gathered.pop(hunt, ()))
            listeners = tuple(self._listeners.get(hunt, ()))
        for listener in listeners:
            listener.put(text)

    async def stream(self, hunt: str) -> AsyncIterator[str]:
        """Yield the events of a hunt until the listener goes away."""
        listener = Listener(asyncio.get_running_loop())
        if not self._join(hunt, listener):
            return  # others took the last places while this answer began
        try:
            yield "retry: 1000\n: welcome\n\n"
            while True:
                try:
                    async with asyncio.timeout(BEAT_SECONDS):
                        text = await listener.queue.get()
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if text is _END:
                    return
                yield text
        finally:
            self._leave(hunt, listener)

    def listeners(self) -> int:
        """Count the listeners."""
        with self._lock:
            return sum(map(len, self._listeners.values()))

    def check_room(self) -> None:
        """Refuse another listener when there are too many."""
        if self._closed or self.listeners() >= MOST_LISTENERS:
            raise StateError("Too many browsers listen to this server already. Close some tabs.")

    def close(self) -> None:
        """Let all listeners go."""
        with self._lock:
            self._closed = True
            for listeners in self._listeners.values():
                for listener in listeners:
                    listener.push(_END)

    def _join(self, hunt: str, listener: Listener) -> bool:
        with self._lock:
            if sum(map(len, self._listeners.values())) >= MOST_LISTENERS:
                return False
            self._listeners.setdefault(hunt, set()).add(listener)
            if self._closed:
                listener.push(_END)
            if hunt not in self._hear:
                self._hear[hunt] = partial(self.publish, hunt)
                self._source.subscribe(hunt, self._hear[hunt])
            return True

    def _leave(self, hunt: str, listener: Listener) -> None:
        with self._lock:
            remaining = self._listeners[hunt]
            remaining.discard(listener)
            if not remaining:
                del self._listeners[hunt]
                self._gathered.pop(hunt, None)
                self._source.unsubscribe(hunt, self._hear.pop(hunt))


class Listener:
    """One browser's queue."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()

    def push(self, text: str | None) -> None:
        """Put a text on the queue; from any thread. None ends the stream."""
        with suppress(RuntimeError):  # the loop has ended, and the listener with it
            self._loop.call_soon_threadsafe(self.put, text)

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Have something done on the listener's loop; from any thread."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.call_later, seconds, call)

    def put(self, text: str | None) -> None:
        """Put a text on the queue, or its end if too much waits there; on the loop."""
        self.queue.put_nowait(text if self.queue.qsize() < BACKLOG else _END)
