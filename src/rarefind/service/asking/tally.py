"""What a hunt's events amount to, kept up as they come in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rarefind.core.asked_by import AskedBy
from rarefind.discovery.contract.event import Event as Said
from rarefind.store.contract import Event
from rarefind.store.rules.projection import Projection, Statement

_NOBODY: frozenset[str] = frozenset()
"""Who spoke about a row that nobody spoke about: one set for all of them."""


@dataclass(slots=True)
class _Row:
    """What stands about a row, who says so, and the event at which it has its place.

    A hunt has very many, so they hold nothing that can be made of the rest.
    """

    label: str | None
    asked_by: AskedBy | None
    spoke: frozenset[str]
    voted: frozenset[str]
    place: int


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
        rows = self._rows.items()
        return {row: entry.label for row, entry in rows if entry.label is not None}

    @property
    def labelled(self) -> int:
        """How many rows have a label."""
        self._settle()
        return self._labelled

    def label_of(self, row: int) -> str | None:
        """Return the label of one row."""
        self._settle()
        return self._rows[row].label if row in self._rows else None

    @property
    def skipped(self) -> list[int]:
        """Rows that everybody who spoke about them skipped."""
        self._settle()
        return [row for row, entry in self._rows.items() if entry.label is None]

    @property
    def counts(self) -> dict[str, int]:
        """How many labels of each annotator stand."""
        self._settle()
        return dict(+self._counts)

    @property
    def speakers(self) -> dict[int, frozenset[str]]:
        """Who spoke about each row."""
        self._settle()
        return {row: entry.spoke for row, entry in self._rows.items()}

    def spoke_about(self, row: int) -> frozenset[str]:
        """Return who spoke about a row."""
        self._settle()
        return self._rows[row].spoke if row in self._rows else _NOBODY

    @property
    def said(self) -> list[Said]:
        """What a hunt must have heard, in order."""
        self._settle()
        return [Said(row, each.label, each.asked_by) for row, each in self._rows.items()]

    def asked_by(self, row: int) -> AskedBy | None:
        """Return who asked about a row; None if nobody did or it was never spoken about."""
        self._settle()
        return self._rows[row].asked_by if row in self._rows else None

    @property
    def disagreements(self) -> dict[int, dict[str, str]]:
        """Who says what about the rows that have more than one label."""
        self._settle()
        rows = sorted(self._disputed, key=lambda row: self._rows[row].place)
        return {row: _labels_of(self._projection.about(row)) for row in rows}

    def _clear(self) -> None:
        self._rows: dict[int, _Row] = {}
        self._counts: Counter[str] = Counter()
        self._disputed: set[int] = set()
        self._last_place = self._labelled = 0
        self._counted = self._in_order = True

    def _settle(self) -> None:
        if not self._counted:
            self._clear()
            for row in self._projection.rows:
                self._count(row)
        if not self._in_order:
            self._rows = dict(sorted(self._rows.items(), key=lambda item: item[1].place))
            self._in_order = True

    def _count(self, row: int) -> None:
        """Count what stands about a row in place of what stood."""
        words = sorted(self._projection.about(row), key=lambda word: word.seq)
        labels = _labels_of(words)
        before = self._rows.get(row)
        voted, voted_before = frozenset(labels), before.voted if before else _NOBODY
        self._counts.update(voted - voted_before)
        self._counts.subtract(voted_before - voted)
        self._disputed.discard(row)
        if len(set(labels.values())) > 1:
            self._disputed.add(row)
        first = next(
            (word for word in words if word.label is not None), words[0] if words else None
        )
        if before is not None:
            self._labelled -= before.label is not None
            if first is None or first.seq != before.place:
                del self._rows[row]
        if first is None:
            return
        if before is None or first.seq != before.place:
            self._in_order &= first.seq > self._last_place
            self._last_place = max(first.seq, self._last_place)
        # A Counter keeps the order of first mention, and most_common is stable.
        agreed = Counter(labels.values()).most_common(1)[0][0] if labels else None
        self._labelled += agreed is not None
        spoke = self._shared(frozenset(word.annotator for word in words))
        self._rows[row] = _Row(agreed, first.asked_by, spoke, self._shared(voted), first.seq)

    def _shared(self, names: frozenset[str]) -> frozenset[str]:
        """Return the same set for the same names: the same few speak about very many rows."""
        return self._groups.setdefault(names, names)


def _labels_of(words: Iterable[Statement]) -> dict[str, str]:
    """Tell who gives which label, in the order of the words."""
    return {word.annotator: word.label for word in words if word.label is not None}
