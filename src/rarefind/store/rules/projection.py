"""What a hunt's events amount to: pure replay, the measure of every store.

The latest word of an annotator about a row counts. Taking a word back brings back the one before.
Renaming a class changes what was said before, until that is taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import StateError
from rarefind.store.contract import Event
from rarefind.store.rules.renames import Rename, Renames, read_rename
from rarefind.store.rules.steps import step_of


@dataclass(frozen=True)
class Statement:
    """The standing word of an annotator about a row; ``label`` is None for a skip."""

    row: int
    annotator: str
    label: str | None
    event_id: str
    seq: int
    at: float
    asked_by: AskedBy | None

    @classmethod
    def of(cls, event: Event) -> Statement:
        """Read a ``label`` or ``skip`` event."""
        assert event.row is not None
        label = event.value if event.kind == "label" else None
        return cls(event.row, event.annotator, label, event.id, event.seq, event.at, event.asked_by)

    def renamed(self, renames: Renames) -> Statement:
        """Return the statement with the name its class has by now."""
        if self.label is None or not renames:
            return self
        return replace(self, label=renames.name(self.label, self.seq))


@dataclass(frozen=True)
class HistoryEntry:
    """An event, and whether it was taken back later."""

    event: Event
    undone: bool


def refuse_undo(target: Event | None, target_id: str | None, undone: bool) -> None:
    """Raise StateError in words unless the target may be taken back."""
    if target is None:
        raise StateError(f"There is no event {target_id!r} in this hunt to take back.")
    if target.kind == "undo":
        raise StateError("An undo cannot be taken back: send the label again instead.")
    if target.kind == "append":
        raise StateError("Records that were added stay: take back a label, a skip or a rename.")
    if undone:
        raise StateError(f"The event {target.id!r} has been taken back already.")


class Projection:
    """The state of one hunt after some of its events.

    Attributes
    ----------
    events
        All of them, in order.
    parts
        The data sets whose records were added, in order.
    renames
        What classes are called by now.
    last_seq
        The place of the last event.

    Examples
    --------
    >>> def event(seq, kind, row, value, annotator="ann"):
    ...     return Event(f"e{seq}", "hunt", kind, row, value, annotator, at=0.0, seq=seq)
    >>> state = replay([event(1, "label", 7, "fraud"), event(2, "label", 7, "error")])
    >>> state.agreed
    {7: 'error'}
    >>> state.apply(event(3, "undo", None, "e2"))
    >>> state.agreed
    {7: 'fraud'}
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.parts: list[str] = []
        self._by_id: dict[str, Event] = {}
        self._steps: dict[str, list[Event]] = {}
        self._undone: set[str] = set()
        self._words: dict[int, Event | tuple[Event, ...]] = {}  # by row; mostly there is one
        self.renames = Renames()
        self.last_seq = 0

    def apply(self, event: Event) -> None:
        """Take the next event in."""
        if event.kind == "undo":
            target = self._by_id.get(event.value or "")
            refuse_undo(target, event.value, event.value in self._undone)
            assert target is not None
            self._undone.add(target.id)
            if target.kind == "rename":
                self.renames.remove(target.seq)
            else:
                self._take_back(target)
        elif event.kind == "rename":
            self.renames.add(Rename(event.seq, *read_rename(event.value)))
        elif event.kind == "append":
            self.parts.append(str(event.value))
        elif event.row is not None:
            before = self._said_of(event.row)
            self._words[event.row] = (*before, event) if before else event
        step = step_of(event.id)
        if step is not None:
            self._steps.setdefault(step, []).append(event)
        self.events.append(event)
        self._by_id[event.id] = event
        self.last_seq = event.seq

    def _take_back(self, target: Event) -> None:
        assert target.row is not None
        left = tuple(event for event in self._said_of(target.row) if event.id != target.id)
        del self._words[target.row]
        if left:
            self._words[target.row] = left

    def _said_of(self, row: int) -> tuple[Event, ...]:
        words = self._words.get(row, ())
        return (words,) if isinstance(words, Event) else words

    @property
    def rows(self) -> Iterable[int]:
        """The rows about which words stand."""
        return self._words.keys()

    def about(self, row: int) -> list[Statement]:
        """Return the standing words of everybody about a row."""
        latest = {event.annotator: event for event in self._said_of(row)}
        return [Statement.of(event).renamed(self.renames) for event in latest.values()]

    @property
    def statements(self) -> list[Statement]:
        """The standing words of everybody, in the order they were said."""
        standing = [word for row in self._words for word in self.about(row)]
        return sorted(standing, key=lambda word: word.seq)

    @property
    def agreed(self) -> dict[int, str]:
        """The label of each row: most annotators' word, the earliest among equals."""
        first: dict[int, int] = {}
        votes: dict[int, Counter[str]] = {}
        for word in self.statements:
            if word.label is not None:
                first.setdefault(word.row, word.seq)
                # A Counter keeps the order of first mention, and most_common is stable.
                votes.setdefault(word.row, Counter())[word.label] += 1
        return {row: votes[row].most_common(1)[0][0] for row in first}

    @property
    def skipped(self) -> list[int]:
        """The rows about which everybody who spoke said only "skip", in order."""
        labelled = {word.row for word in self.statements if word.label is not None}
        rows = (word.row for word in self.statements)
        return list(dict.fromkeys(row for row in rows if row not in labelled))

    @property
    def disagreements(self) -> dict[int, dict[str, str]]:
        """Who says what about the rows that have more than one label."""
        said: dict[int, dict[str, str]] = {}
        for word in self.statements:
            if word.label is not None:
                said.setdefault(word.row, {})[word.annotator] = word.label
        return {row: words for row, words in said.items() if len(set(words.values())) > 1}

    @property
    def counts(self) -> dict[str, int]:
        """How many labels of each annotator stand; skips do not count."""
        labels = (word.annotator for word in self.statements if word.label is not None)
        return dict(Counter(labels))

    def known(self, event_id: str) -> Event | None:
        """Return the event of that id if there is one."""
        return self._by_id.get(event_id)

    def stands(self, event_id: str) -> bool:
        """Whether an event was kept and not taken back."""
        return event_id in self._by_id and event_id not in self._undone

    def step(self, id: str) -> list[Event]:
        """Return the events of a step, in order; empty if there is none of that id."""
        return list(self._steps.get(id, ()))

    @property
    def history(self) -> list[HistoryEntry]:
        """All events in order, each with whether it was taken back."""
        return [HistoryEntry(event, event.id in self._undone) for event in self.events]


def replay(events: Iterable[Event]) -> Projection:
    """Apply the events of one hunt in order."""
    projection = Projection()
    for event in events:
        projection.apply(event)
    return projection
