"""Many records labelled at once, and answers taken back: one by one, as a step, or many."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence

from rarefind.core.errors import NotAllowedError, ParameterError, StateError
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.shared import ServiceBase, clean_name
from rarefind.store.contract import Event, Kept
from rarefind.store.rules.projection import refuse_undo
from rarefind.store.rules.steps import part_id, part_number, step_of

MOST_AT_ONCE = 10_000
"""Records labelled, or answers taken back, in one step: what a request of a megabyte can name, and
a strategy hears in seconds. More comes in by an import."""


class Steps(ServiceBase):
    """Answers that belong together."""

    def tell_many(
        self,
        hunt_id: str,
        rows: Sequence[int],
        label: str,
        annotator: str,
        step_id: str | None = None,
    ) -> list[Kept]:
        """Say that many records are of a class, unasked; kept for good when it returns.

        Each is an event of its own; together they are one step, which ``undo`` takes back as one.
        """
        hunt = self.opened(hunt_id)
        chosen = list(dict.fromkeys(rows))
        _check_number("records", chosen)
        for row in chosen:
            self._check_row(hunt, row)
        words = label.strip() if isinstance(label, str) else label
        if not words:
            raise ParameterError("The label of these records is empty. Give it a name.")
        step, who = step_id or str(uuid.uuid4()), clean_name(annotator)
        said = [
            Event(part_id(step, number), hunt.id, "label", row, words, who, 0.0)
            for number, row in enumerate(chosen)
        ]
        return self._submit_together(hunt, said)

    def undo(
        self,
        hunt_id: str,
        annotator: str,
        event_id: str | None = None,
        target: str | None = None,
        *,
        of_others: bool = True,
    ) -> Kept:
        """Take back an event, a step, or what this annotator said last; return the last undo.

        ``target`` is the id of an event or of a step. Without it the last answer is meant, with all
        that was said in the same step, or a class named anew since. Everybody may take back what
        they said themselves; ``of_others`` says whether this annotator may also take back what
        others said.
        """
        return self.take_back(hunt_id, annotator, event_id, target, of_others=of_others)[-1]

    def take_back(
        self,
        hunt_id: str,
        annotator: str,
        event_id: str | None = None,
        target: str | None = None,
        *,
        of_others: bool = True,
    ) -> list[Kept]:
        """Do what ``undo`` does, and return an acknowledgement for each event taken back."""
        hunt = self.opened(hunt_id)
        target = target or self._meant_before(hunt, event_id)
        if target is not None:
            if not of_others:
                _refuse_what_others_said(hunt, _parts(hunt, target), annotator)
            return self._taken_back(hunt, annotator, event_id, target)
        while True:
            last = self._last_of(hunt, annotator)
            target = step_of(last) or last
            try:
                return self._taken_back(hunt, annotator, event_id, target)
            except StateError:
                # The same person may have taken it back at this moment, in another window.
                if self._last_of(hunt, annotator) == last:
                    raise

    def undo_many(
        self,
        hunt_id: str,
        targets: Sequence[str],
        annotator: str,
        step_id: str | None = None,
        *,
        of_others: bool = True,
    ) -> list[Kept]:
        """Take many events or steps back, each by an event of its own.

        What has been taken back already is left out; if something of it never can be, or others
        said it and this annotator may not take that back, nothing is.
        """
        hunt = self._heard(hunt_id, force=True)
        meant = [id for target in dict.fromkeys(targets) for id in _parts(hunt, target)]
        _check_number("answers", meant)
        for id in meant:
            refuse_undo(hunt.log.known(id), id, False)
        if not of_others:
            _refuse_what_others_said(hunt, meant, annotator)
        numbered = {id: number for number, id in enumerate(meant)}
        gone = "All of these answers have been taken back already."
        return self._undone(hunt, annotator, step_id, numbered, gone)

    def _taken_back(
        self, hunt: OpenHunt, annotator: str, event_id: str | None, target: str
    ) -> list[Kept]:
        if hunt.log.known(target) is None:
            hunt.log.catch_up(force=True)
        parts = hunt.log.step(target)
        if not parts:
            return [self._submit(hunt, "undo", None, target, annotator, event_id).result()]
        numbered = {each.id: part_number(each.id) for each in parts}
        gone = "This step has been taken back already."
        return self._undone(hunt, annotator, event_id, numbered, gone)

    def _undone(
        self,
        hunt: OpenHunt,
        annotator: str,
        step_id: str | None,
        numbered: Mapping[str, int],
        gone: str,
    ) -> list[Kept]:
        """Take back, in one step, those of the events that stand; others may do so just now.

        ``numbered`` are their numbers in the step, ``gone`` is said if there are none.
        """
        step = step_id or str(uuid.uuid4())
        before = {str(event.value) for event in hunt.log.step(step)}  # if it is sent again
        who = clean_name(annotator)
        undos = [
            Event(part_id(step, number), hunt.id, "undo", None, id, who, 0.0)
            for id, number in numbered.items()
            if id in before or hunt.log.stands(id)
        ]
        if not undos:
            raise StateError(gone)
        return self._submit_together(hunt, undos)

    @staticmethod
    def _meant_before(hunt: OpenHunt, event_id: str | None) -> str | None:
        """Tell what an undo that is sent again took back when it came first."""
        if event_id is None:
            return None
        alone = hunt.log.find(event_id)
        if alone is not None:
            return alone.value
        hunt.log.catch_up(force=True)
        first = next(iter(hunt.log.step(event_id)), None)
        return None if first is None else step_of(str(first.value))

    @staticmethod
    def _last_of(hunt: OpenHunt, annotator: str) -> str:
        hunt.log.catch_up(force=True)
        return hunt.log.last_of(clean_name(annotator))


def _parts(hunt: OpenHunt, target: str) -> list[str]:
    """Name the events that are meant: those of a step, or the event of that id."""
    parts: list[Event] = hunt.log.step(target)
    return [each.id for each in parts] or [target]


def _refuse_what_others_said(hunt: OpenHunt, ids: Iterable[str], annotator: str) -> None:
    for id in ids:
        said = hunt.log.find(id)
        if said is not None and said.annotator != clean_name(annotator):
            raise NotAllowedError(
                f"{said.annotator} said this: only they themselves, or who leads, may take it back."
            )


def _check_number(what: str, chosen: Sequence[object]) -> None:
    if not 0 < len(chosen) <= MOST_AT_ONCE:
        raise ParameterError(
            f"One step takes 1 to {MOST_AT_ONCE:,} {what}. Got {len(chosen):,}: choose "
            f"{'some' if not chosen else 'fewer at a time'}."
        )
