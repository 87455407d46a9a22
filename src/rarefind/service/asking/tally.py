"""What a hunt's events amount to, kept up as they come in."""

from __future__ import annotations

from collections import Counter

from rarefind.core.asked_by import AskedBy
from rarefind.discovery.contract.event import Event as Said
from rarefind.store.contract import Event
from rarefind.store.rules.projection import Projection, Statement


class Tally:
    """Labels, skips and speakers of a projection.

    The first word about a row, by far the most common event, is counted at once; after any other
    everything is counted anew from the projection when it is next looked at.
    """

    def __init__(self, projection: Projection) -> None:
        self._projection = projection
        self._dirty = False
        self._groups: dict[frozenset[str], frozenset[str]] = {}
        self._clear()

    def hear(self, event: Event) -> None:
        """Take in an event that the projection has just heard."""
        if event.kind == "append":
            return
        if event.kind == "undo" or event.row is None or event.row in self._speakers:
            self._dirty = True
            if event.row is not None:
                self._note_speaker(event.row, event.annotator)
        else:
            self._count(Statement.of(event))

    @property
    def settled(self) -> bool:
        """Whether nothing has to be counted anew."""
        return not self._dirty

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
        return dict(self._counts)

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
        if all(len(names) < 2 for names in self._speakers.values()):
            return {}
        return self._projection.disagreements

    def _clear(self) -> None:
        self._labels: dict[int, str] = {}
        self._said: dict[int, Said] = {}
        self._speakers: dict[int, frozenset[str]] = {}
        self._counts: Counter[str] = Counter()

    def _note_speaker(self, row: int, annotator: str) -> None:
        together = self._speakers.get(row, frozenset()) | {annotator}
        # The same few people speak about very many rows.
        self._speakers[row] = self._groups.setdefault(together, together)

    def _settle(self) -> None:
        if not self._dirty:
            return
        self._clear()
        agreed = self._projection.agreed
        for word in self._projection.statements:
            self._count(word, agreed)
        self._dirty = False

    def _count(self, word: Statement, agreed: dict[int, str] | None = None) -> None:
        self._note_speaker(word.row, word.annotator)
        if word.label is not None:
            self._counts[word.annotator] += 1
        label = word.label if agreed is None else agreed.get(word.row)
        if word.row in self._said or (label is not None and word.label is None):
            return  # a row is heard where its first label stands
        self._said[word.row] = Said(word.row, label, word.asked_by)
        if label is not None:
            self._labels[word.row] = label
