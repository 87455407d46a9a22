"""What was said in a hunt, kept in step with the store. No data and no strategy are needed."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice, takewhile
from typing import TypeVar

from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import StateError
from rarefind.discovery.contract.event import Event as Said
from rarefind.service.asking.class_keys import ClassKey, ClassKeys
from rarefind.service.asking.tally import Tally
from rarefind.service.remembered import Remembered
from rarefind.store.contract import Event, Store
from rarefind.store.rules.projection import HistoryEntry, Projection, Statement

_POLL_SECONDS = 0.1
"""How old the view of what other processes wrote may be."""

LATELY_SECONDS = 60.0
"""Who spoke this long ago at most is taken to be at work."""

_VIEWS = 64
"""What is computed from the events at most: a handful of views, some for each way of asking."""

View = TypeVar("View")


class HuntLog:
    """The events of one hunt and what they amount to, as far as this process has read them.

    Its lock is held only for looking things up and for reading new events, never for heavy work,
    so whoever asks or tells never waits for a strategy.
    """

    def __init__(
        self,
        store: Store,
        hunt: str,
        heard: Callable[[Event], None],
        answers: ClassKeys,
    ) -> None:
        self.hunt = hunt
        self._heard = heard
        self._store = store
        self._lock = threading.RLock()
        self._projection = Projection()
        self._tally = Tally(self._projection)
        self._answers = answers
        self._arrived: deque[Event] = deque()
        self._open: dict[int, int] | None = {}  # None: to be counted anew
        self._overlap = 1
        self._active: dict[str, float] = {}
        self._read_at = -1.0
        self._views = Remembered(_VIEWS)

    @property
    def length(self) -> int:
        """How many events have been read."""
        return len(self._projection.events)

    @property
    def last_seq(self) -> int:
        """The place of the last event read."""
        return self._projection.last_seq

    def acknowledge(self, events: Sequence[Event]) -> None:
        """Note that events of this process were kept: the next look must show all of them."""
        self._arrived.extend(events)  # at once, so that nobody hears a part of a step

    def catch_up(self, *, force: bool = False) -> None:
        """Take in the events that are new; cheap if nothing can be new."""
        if not force and not self._behind():
            return
        with self._lock:
            if not force and not self._behind():
                return  # another thread has read them meanwhile
            if self._drain() and not force and not self._stale():
                return
            read_at = time.monotonic()
            for event in self._store.events(self.hunt, after=self._projection.last_seq):
                self._take(event)
            self._read_at = read_at
            self._drain()

    def since(self, length: int) -> list[Event]:
        """Return the events after the first ``length``."""
        with self._lock:
            return self._projection.events[length:]

    def view(self, name: str, make: Callable[[Projection], View]) -> View:
        """Return something computed from the projection; the same until a new event is read."""
        with self._lock:
            return self._views.of(
                name, len(self._projection.events), lambda: make(self._projection)
            )

    def tally(self, read: Callable[[Tally], View]) -> View:
        """Read something off the tally."""
        with self._lock:
            return read(self._tally)

    def statements(self) -> Sequence[Statement]:
        """Return every word that stands, in the order of saying."""
        return self.view("statements", lambda projection: projection.statements)

    def about(self, row: int) -> list[Statement]:
        """Return every word about a row that stands."""
        with self._lock:
            return self._projection.about(row)

    def told_since(self, seq: int) -> int:
        """Count the labels told after the event ``seq`` that stand; earlier ones cost nothing."""
        with self._lock:
            late = takewhile(lambda event: event.seq > seq, reversed(self._projection.events))
            rows = {event.row for event in late if event.row is not None}
            words = (word for row in rows for word in self._projection.about(row))
            return sum(word.label is not None and word.seq > seq for word in words)

    def history(self) -> Sequence[HistoryEntry]:
        """Return everything that was said, and whether it was taken back."""
        return self.view("history", lambda projection: projection.history)

    def labels(self) -> dict[int, str]:
        """Return the label of each row, in the order they were first told."""
        return self.view("labels", lambda _: self._tally.labels)

    def label_of(self, row: int) -> str | None:
        """Return the label of one row."""
        return self.labels_of((row,))[0]

    def labels_of(self, rows: Iterable[int]) -> list[str | None]:
        """Return the labels of some rows."""
        with self._lock:
            return [self._tally.label_of(row) for row in rows]

    def asked_by(self, row: int) -> AskedBy | None:
        """Return who asked about a row that somebody spoke about."""
        with self._lock:
            return self._tally.asked_by(row)

    def said(self) -> tuple[int, list[Said]]:
        """Return what a hunt must have heard, with the number of events it follows from."""
        with self._lock:
            return len(self._projection.events), self._tally.said

    def labels_at(self, seq: int) -> dict[int, str]:
        """Return the label of each row as it was after the event ``seq``."""
        projection = Projection()
        for event in self.since(0):
            if event.seq > seq:
                break
            projection.apply(event)
        return projection.agreed

    def named_now(self, label: str, seq: int) -> str:
        """Return what a class is called by now that was called so at the event ``seq``."""
        with self._lock:
            return self._projection.renames.name(label, seq)

    def answer(self, name: str, keys: Mapping[str, str], colours: Mapping[str, int]) -> ClassKey:
        """Return key and colour of a class, with those that people chose."""
        with self._lock:
            return self._answers.of(name, keys, colours)

    @property
    def parts(self) -> tuple[str, ...]:
        """The data sets whose records were added, in order."""
        return tuple(self._projection.parts)

    def set_overlap(self, overlap: int) -> None:
        """Say how many people are asked about each record."""
        with self._lock:
            if overlap != self._overlap:
                self._overlap, self._open = overlap, None

    def half_answered(
        self, annotator: str, most: int, held: Collection[int]
    ) -> list[tuple[int, int]]:
        """List rows that others answered and this annotator may, with how many answers are in."""
        with self._lock:
            free = (
                (row, answers)
                for row, answers in self._half_open().items()
                if annotator not in self._tally.spoke_about(row) and row not in held
            )
            return list(islice(free, most))

    def notice(self, annotator: str) -> None:
        """Note that somebody is at work now."""
        self._active[annotator] = time.monotonic()

    def others(self, annotator: str) -> int:
        """Count the others who asked or spoke lately."""
        since = time.monotonic() - LATELY_SECONDS
        active = list(self._active.items())
        return sum(name != annotator and at >= since for name, at in active)

    def known(self, event_id: str | None) -> Event | None:
        """Return the event of that id if it has been read."""
        with self._lock:
            return self._projection.known(event_id or "")

    def stands(self, event_id: str) -> bool:
        """Tell whether an event was read and not taken back."""
        with self._lock:
            return self._projection.stands(event_id)

    def step(self, id: str) -> list[Event]:
        """Return the events of a step, in order; empty if there is none of that id."""
        with self._lock:
            return self._projection.step(id)

    def find(self, event_id: str) -> Event | None:
        """Return the event of that id if it belongs to this hunt and was kept."""
        event = self._store.event(event_id)
        return event if event is not None and event.hunt == self.hunt else None

    def last_of(self, annotator: str) -> str:
        """Return the id of an annotator's last standing word or new name of a class."""
        with self._lock:
            for event in reversed(self._projection.events):
                if event.annotator != annotator:
                    continue
                if event.kind == "rename" and self._projection.stands(event.id):
                    return event.id
                said = [] if event.row is None else self._projection.about(event.row)
                if any(word.event_id == event.id for word in said):
                    return event.id
        raise StateError(f"{annotator} has told nothing in this hunt that could be taken back.")

    def _behind(self) -> bool:
        return bool(self._arrived) or self._stale()

    def _stale(self) -> bool:
        return time.monotonic() - self._read_at > _POLL_SECONDS

    def _drain(self) -> bool:
        """Take in what this process sent; False if others wrote in between."""
        while self._arrived:
            event = self._arrived[0]
            if event.seq > self._projection.last_seq + 1:
                return False
            self._arrived.popleft()
            if event.seq > self._projection.last_seq:
                self._take(event)
        return True

    def _take(self, event: Event) -> None:
        self._projection.apply(event)
        row = self._tally.hear(event)
        self._answers.hear(event, self._projection)
        if abs(time.time() - event.at) < LATELY_SECONDS:
            self.notice(event.annotator)
        if event.kind != "append" and self._overlap > 1:
            self._note_open(row)
        self._heard(event)

    def _half_open(self) -> dict[int, int]:
        """Tell the rows that fewer than wanted have spoken about, with how many have."""
        if self._open is None:
            spoken = self._tally.speakers.items()
            self._open = {row: len(names) for row, names in spoken if len(names) < self._overlap}
        return self._open

    def _note_open(self, row: int | None) -> None:
        if self._open is None or row is None:
            self._open = None  # counted when next looked at
            return
        answers = len(self._tally.spoke_about(row))
        if 0 < answers < self._overlap:
            self._open[row] = answers
        else:
            self._open.pop(row, None)
