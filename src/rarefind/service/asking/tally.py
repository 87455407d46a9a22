"""What a hunt's events amount to, kept up as they come in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rarefind.core.asked_by import AskedBy
from rarefind.discovery.contract.event import Event as Said
from rarefind.store.contract import Event
from rarefind.store.rules.projection import Projection, Statement


class Tally:
    """Labels, skips and speakers of a projection.

    Whatever is said about a row, or taken back, is counted for that row alone; after a rename
    everything is counted anew when it is next looked at. A row stands where its first label does,
    or its first word if nobody gave it a label.
    """

    def __init__(self, projection: Projection) -> None:
        self._projection = projection
        self._groups: dict[frozenset[str], frozenset[str]] = {}
        self._clear()

    def hear(self, event: Event) -> int | None:
        """Take in an event that the projection has just heard; return the row it is about."""
        about = self._projection.known(event.value or "") if event.kind == "undo" else event
        if about is None or about.kind == "rename":
            self._counted = False
            return None
        if about.row is not None and self._counted:
            self._count(about.row)
        return about.row

    @property
    def labels(self) -> dict[int, str]:
        """The label of each row, in the order they were first told."""
        self._settle()
        return self._labels

    @property
    def skipped(self) -> list[int]:
        """Rows that everybody who spoke about them skipped."""
        self._settle()
        return [row for row, said in self._said.items() if said.label is None]

    @property
    def counts(self) -> dict[str, int]:
        """How many labels of each annotator stand."""
        self._settle()
        return dict(+self._counts)

    @property
    def speakers(self) -> dict[int, frozenset[str]]:
        """Who spoke about each row."""
        self._settle()
        return self._speakers

    @property
    def said(self) -> list[Said]:
        """What a hunt must have heard, in order."""
        self._settle()
        return list(self._said.values())

    def asked_by(self, row: int) -> AskedBy | None:
        """Return who asked about a row; None if nobody did or it was never spoken about."""
        self._settle()
        said = self._said.get(row)
        return None if said is None else said.asked_by

    @property
    def disagreements(self) -> dict[int, dict[str, str]]:
        """Who says what about the rows that have more than one label."""
        self._settle()
        rows = sorted(self._disputed, key=self._places.__getitem__)
        return {row: _labels_of(self._projection.about(row)) for row in rows}

    def _clear(self) -> None:
        self._labels: dict[int, str] = {}
        self._said: dict[int, Said] = {}
        self._speakers: dict[int, frozenset[str]] = {}
        self._voters: dict[int, frozenset[str]] = {}
        self._counts: Counter[str] = Counter()
        self._disputed: set[int] = set()
        self._places: dict[int, int] = {}
        self._last_place = 0
        self._counted = self._in_order = True

    def _settle(self) -> None:
        if not self._counted:
            self._clear()
            for row in self._projection.rows:
                self._count(row)
        if not self._in_order:
            rows = sorted(self._places, key=self._places.__getitem__)
            self._said = {row: self._said[row] for row in rows}
            self._labels = {row: self._labels[row] for row in rows if row in self._labels}
            self._in_order = True

    def _count(self, row: int) -> None:
        """Count what stands about a row in place of what stood."""
        words = sorted(self._projection.about(row), key=lambda word: word.seq)
        labels = _labels_of(words)
        self._note_people(row, frozenset(word.annotator for word in words), frozenset(labels))
        self._disputed.discard(row)
        if len(set(labels.values())) > 1:
            self._disputed.add(row)
        if not words:
            self._forget(row)
            return
        first = next((word for word in words if word.label is not None), words[0])
        self._put(row, first.seq)
        # A Counter keeps the order of first mention, and most_common is stable.
        agreed = Counter(labels.values()).most_common(1)[0][0] if labels else None
        self._said[row] = Said(row, agreed, first.asked_by)
        if agreed is not None:
            self._labels[row] = agreed

    def _note_people(self, row: int, spoke: frozenset[str], voted: frozenset[str]) -> None:
        before = self._voters.get(row, frozenset())
        self._counts.update(voted - before)
        self._counts.subtract(before - voted)
        for kept, names in ((self._speakers, spoke), (self._voters, voted)):
            kept.pop(row, None)
            if names:  # the same few people speak about very many rows
                kept[row] = self._groups.setdefault(names, names)

    def _put(self, row: int, place: int) -> None:
        """Let a row stand at another place, if that is one."""
        if self._places.get(row) == place:
            return
        self._forget(row)
        self._places[row] = place
        self._in_order &= place > self._last_place
        self._last_place = max(place, self._last_place)

    def _forget(self, row: int) -> None:
        for kept in (self._places, self._said, self._labels):
            kept.pop(row, None)


def _labels_of(words: Iterable[Statement]) -> dict[str, str]:
    """Tell who gives which label, in the order of the words."""
    return {word.annotator: word.label for word in words if word.label is not None}
