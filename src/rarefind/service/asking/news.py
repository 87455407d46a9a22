"""What happens to a hunt, told to whoever listens."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from rarefind.store.contract import Event, Kind


@dataclass(frozen=True)
class News:
    """Something that happened to a hunt, under the name it is written down by."""

    name: ClassVar[str]

    def as_mapping(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        >>> Leased(7, "anna").as_mapping()
        {'type': 'lease', 'row': 7, 'annotator': 'anna'}
        """
        return {"type": self.name, **{each.name: getattr(self, each.name) for each in fields(self)}}


@dataclass(frozen=True)
class Said(News):
    """Somebody labelled or skipped a record, took an answer back, or added records."""

    type: Kind
    id: str
    seq: int
    row: int | None
    value: str | None
    annotator: str

    name: ClassVar[str] = "said"

    @classmethod
    def of(cls, event: Event) -> Said:
        """Tell an event that was kept."""
        return cls(event.kind, event.id, event.seq, event.row, event.value, event.annotator)


@dataclass(frozen=True)
class Leased(News):
    """Somebody was given a question."""

    row: int
    annotator: str

    name: ClassVar[str] = "lease"


@dataclass(frozen=True)
class Ranked(News):
    """Somebody had the records ranked."""

    ranking: str
    target: str
    annotator: str | None

    name: ClassVar[str] = "ranking"


@dataclass(frozen=True)
class Ready(News):
    """The hunt can be asked."""

    name: ClassVar[str] = "ready"


@dataclass(frozen=True)
class Failed(News):
    """The hunt could not be set up; its state says why."""

    name: ClassVar[str] = "failed"


@dataclass(frozen=True)
class Stopped(News):
    """Somebody stopped the set-up."""

    name: ClassVar[str] = "cancelled"


@dataclass(frozen=True)
class Changed(News):
    """The settings are others."""

    name: ClassVar[str] = "settings"


Hear = Callable[[News], None]
"""Called in the thread where something happened, so it must not wait."""


class Subscriptions:
    """Who wants to hear of which hunt.

    >>> all_news, heard = Subscriptions(), []
    >>> all_news.subscribe("hunt", heard.append)
    >>> all_news.publish("hunt", Ready())
    >>> heard
    [Ready()]
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[str, tuple[Hear, ...]] = {}

    def subscribe(self, hunt: str, hear: Hear) -> None:
        """Tell somebody the news of a hunt from now on."""
        with self._lock:
            self._listeners[hunt] = (*self._listeners.get(hunt, ()), hear)

    def unsubscribe(self, hunt: str, hear: Hear) -> None:
        """Tell them no more."""
        with self._lock:
            kept = tuple(each for each in self._listeners.pop(hunt, ()) if each != hear)
            if kept:
                self._listeners[hunt] = kept

    def hunts(self) -> list[str]:
        """Return the hunts that somebody listens to."""
        return list(self._listeners)

    def publish(self, hunt: str, news: News) -> None:
        """Tell all who listen."""
        for hear in self._listeners.get(hunt, ()):
            hear(news)
