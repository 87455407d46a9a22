"""Which events are taken, which had come before, and which are refused: one rule for all engines.

The engine lays out what it knows about the events of a batch; the ledger then judges them one by
one, so that an event may refer to another of the same batch and a refused one spoils nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from rarefind.core.errors import RarefindError, StateError, UnknownNameError
from rarefind.store.contract import Event, Kept
from rarefind.store.rules.projection import refuse_undo

Verdict = Kept | RarefindError


class Ledger:
    """Judges events in order.

    Parameters
    ----------
    known
        Events kept before that this batch repeats or takes back, by id.
    undone
        Ids among them that have been taken back.
    hunts, datasets
        The ids that exist.
    last_seq
        The place of the last event in the store.
    """

    def __init__(
        self,
        known: dict[str, Event],
        undone: set[str],
        hunts: Collection[str],
        datasets: Collection[str],
        last_seq: int,
    ) -> None:
        self._known = known
        self._undone = undone
        self._hunts = hunts
        self._datasets = datasets
        self.last_seq = last_seq

    def judge(self, event: Event, at: float) -> Verdict:
        """Give the event its place, or the reason why it has none."""
        before = self._known.get(event.id)
        if before is not None:
            if _contents(before) == _contents(event):
                return Kept(before, repeated=True)
            return StateError(
                f"The id {event.id!r} stands for another event already: make a new id for each."
            )
        try:
            self._refuse(event)
        except RarefindError as reason:
            return reason
        self.last_seq += 1
        kept = replace(event, seq=self.last_seq, at=at)
        self._known[event.id] = kept
        if event.kind == "undo":
            self._undone.add(str(event.value))
        return Kept(kept, repeated=False)

    def judge_all(self, events: Iterable[Event], at: float) -> list[Verdict]:
        """Judge events in order."""
        return [self.judge(event, at) for event in events]

    def target(self, event: Event) -> Event:
        """Return the event that an accepted undo takes back."""
        return self._known[str(event.value)]

    def _refuse(self, event: Event) -> None:
        if event.hunt not in self._hunts:
            raise UnknownNameError(f"There is no hunt with the id {event.hunt!r} in this store.")
        if event.kind == "append" and event.value not in self._datasets:
            raise UnknownNameError(
                f"There is no data set with the id {event.value!r} in this store."
            )
        if event.kind == "undo":
            target = self._known.get(str(event.value))
            elsewhere = target is not None and target.hunt != event.hunt
            refuse_undo(
                None if elsewhere else target, event.value, str(event.value) in self._undone
            )


def _contents(event: Event) -> tuple[object, ...]:
    # A retry may no longer know who asked: the lease ended with the first try.
    return (event.hunt, event.kind, event.row, event.value, event.annotator)
