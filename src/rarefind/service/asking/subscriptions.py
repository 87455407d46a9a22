"""Telling whoever listens that something happened to a hunt."""

from __future__ import annotations

import threading
from collections import defaultdict
from contextlib import suppress
from queue import Empty, Full, Queue
from typing import Any

News = dict[str, Any]

_LONGEST = 1000
"""News kept for a slow listener; older ones are dropped, and it is told to look again."""


class Subscriptions:
    """Queues of small news, one for each listener.

    >>> all_news = Subscriptions()
    >>> queue = all_news.subscribe("hunt")
    >>> all_news.publish("hunt", {"type": "ready"})
    >>> queue.get()
    {'type': 'ready'}
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: defaultdict[str, list[Queue[News]]] = defaultdict(list)

    def subscribe(self, hunt: str) -> Queue[News]:
        """Return a queue that gets the news of a hunt from now on."""
        queue: Queue[News] = Queue(_LONGEST)
        with self._lock:
            self._queues[hunt].append(queue)
        return queue

    def unsubscribe(self, hunt: str, queue: Queue[News]) -> None:
        """Stop sending news to a queue."""
        with self._lock:
            kept = [each for each in self._queues.get(hunt, ()) if each is not queue]
            if kept:
                self._queues[hunt] = kept
            else:
                self._queues.pop(hunt, None)

    def publish(self, hunt: str, news: News) -> None:
        """Send news to all who listen; nobody listening costs one look-up, and nobody can block."""
        if hunt not in self._queues:
            return
        with self._lock:
            listeners = tuple(self._queues.get(hunt, ()))
        for queue in listeners:
            try:
                queue.put_nowait(news)
            except Full:
                self._overflow(queue)

    @staticmethod
    def _overflow(queue: Queue[News]) -> None:
        while True:
            try:
                queue.get_nowait()
            except Empty:
                break
        with suppress(Full):
            queue.put_nowait({"type": "missed"})
