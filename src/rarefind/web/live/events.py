"""What happens in a hunt, told live to every browser that has it open (server-sent events)."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Protocol

from rarefind.core.errors import StateError
from rarefind.web.routes.answers import written

BEAT_SECONDS = 15.0
"""Many proxies close a line that is silent for a minute, some after half of one."""

MOST_LISTENERS = 300
"""Each holds a connection; they are to leave room for those who ask."""

_BACKLOG = 1000
"""Events waiting for a browser: one that is so far behind had better look afresh."""

_END = None
"""In the queue, says that there is nothing more."""


class Source(Protocol):
    """Where events come from: the service."""

    def subscribe(self, hunt_id: str) -> queue.Queue[dict[str, Any]]:
        """Return a queue that receives the events of a hunt."""

    def unsubscribe(self, hunt_id: str, events: queue.Queue[dict[str, Any]]) -> None:
        """Stop filling a queue."""


class Hub:
    """Hands the events of each hunt from one thread to any number of listeners on the loop.

    A listener that does not keep up is let go; its browser comes back by itself and looks at the
    progress afresh.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._listeners: dict[str, set[Listener]] = {}
        self._pumps: dict[str, Pump] = {}
        self._closed = False

    def publish(self, hunt: str, event: dict[str, Any]) -> None:
        """Tell all listeners of a hunt; from any thread."""
        text = f"data: {written(event)}\n\n"
        with self._lock:
            for listener in self._listeners.get(hunt, ()):
                listener.push(text)

    async def stream(self, hunt: str) -> AsyncIterator[str]:
        """Yield the events of a hunt until the listener goes away."""
        listener = Listener(asyncio.get_running_loop())
        self._join(hunt, listener)
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

    def _join(self, hunt: str, listener: Listener) -> None:
        with self._lock:
            self._listeners.setdefault(hunt, set()).add(listener)
            if self._closed:
                listener.push(_END)
            if hunt not in self._pumps:
                self._pumps[hunt] = Pump(self._source, hunt, self.publish)

    def _leave(self, hunt: str, listener: Listener) -> None:
        with self._lock:
            remaining = self._listeners[hunt]
            remaining.discard(listener)
            if not remaining:
                del self._listeners[hunt]
                self._pumps.pop(hunt).stop()


class Listener:
    """One browser's queue."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()

    def push(self, text: str | None) -> None:
        """Put a text on the queue; from any thread. None ends the stream."""
        with suppress(RuntimeError):  # the loop has ended, and the listener with it
            self._loop.call_soon_threadsafe(self._put, text)

    def _put(self, text: str | None) -> None:
        self.queue.put_nowait(text if self.queue.qsize() < _BACKLOG else _END)


class Pump:
    """A thread that carries the events of one hunt from the service to the hub."""

    def __init__(self, source: Source, hunt: str, publish: Any) -> None:
        self._source, self._hunt, self._publish = source, hunt, publish
        self._events = source.subscribe(hunt)
        self._stopped = threading.Event()
        name = "rarefind-events"
        threading.Thread(target=self._carry, name=name, daemon=True).start()

    def stop(self) -> None:
        """End the thread without waiting for it."""
        self._stopped.set()
        self._source.unsubscribe(self._hunt, self._events)
        with suppress(queue.Full):
            self._events.put_nowait({})  # wakes it

    def _carry(self) -> None:
        while not self._stopped.is_set():
            try:
                event = self._events.get(timeout=5.0)
            except queue.Empty:
                continue
            if not self._stopped.is_set():
                self._publish(self._hunt, event)
