"""A hunt kept in step with what was said: records that came along, answers, and their undoing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rarefind.core.arrays import take
from rarefind.core.progress import Listener, Step, also
from rarefind.discovery.contract.event import Event as Said
from rarefind.service.asking.log import HuntLog
from rarefind.service.heavy.cancelling import Work
from rarefind.service.hunts.records import HuntData
from rarefind.store.contract import Event

if TYPE_CHECKING:
    from rarefind.discovery import Hunt


class _OvertakenError(Exception):
    """What was being heard does not stand any more."""


class HearingHunt:
    """The strategy's hunt, and how much of the log it has heard.

    Attributes
    ----------
    hunt
        The hunt, in all records that the log knows of.
    rows
        The records something was said about.
    heard
        So many events of the log are in the hunt.
    work
        Hearing, which may take long and can be stopped; the hunt is of no use then.
    """

    def __init__(self, hunt: Hunt, records: Callable[[], HuntData]) -> None:
        self.hunt = hunt
        self.rows: set[int] = set()
        self.heard = 0
        self.work = Work("hearing answers")
        self._records = records
        self._torn = False  # whether the search stopped amid hearing, and must hear all anew

    def hear(self, log: HuntLog) -> bool:
        """Bring the hunt up to date with the log; True if anything was new."""
        fresh = log.since(self.heard)
        while fresh:
            before = self.heard
            try:
                with self.work.watched(), also(self._watch(log, fresh)):
                    self._hear(log, fresh)
                return True
            except _OvertakenError:
                self.heard, self._torn = before, True
                fresh = log.since(before)
        return False

    def _watch(self, log: HuntLog, fresh: Sequence[Event]) -> Listener:
        """Stop hearing when most of it has been taken back meanwhile: so it is begun again seldom.

        Somebody who labels thousands of records by mistake does not wait until all are heard.
        """
        length = self.heard + len(fresh)

        def watch(_: Step) -> None:
            log.catch_up()
            undone = {str(event.value) for event in log.since(length) if event.kind == "undo"}
            if undone and 2 * sum(event.id in undone for event in fresh) > len(fresh):
                raise _OvertakenError

        return watch

    def _hear(self, log: HuntLog, fresh: Sequence[Event]) -> None:
        if any(event.kind == "append" for event in fresh):
            data = self._records()
            if data.n_records > self.hunt.n_records:
                self.hunt.append(take(data.records, slice(self.hunt.n_records, None)))
        rows = {
            event.row
            for event in fresh
            if event.kind in ("label", "skip") and event.row is not None
        }
        if self._torn or len(rows) < len(fresh) or not rows.isdisjoint(self.rows):
            self.heard, everything = log.said()
            if self._torn or list(self.hunt.events) != everything:
                self.hunt.restore(everything)
            self._torn = False
            self.rows = {said.row for said in everything}
            return
        # All at once: where classes are told as often as each other, every answer may change which
        # is ordinary, and then all that was said before is heard anew.
        self.hunt.replay(
            Said(event.row, event.value, event.asked_by) for event in fresh if event.row is not None
        )
        self.rows |= rows
        self.heard += len(fresh)
