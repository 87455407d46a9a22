"""A hunt kept in step with what was said: records that came along, answers, and their undoing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rarefind.core.arrays import take
from rarefind.discovery.contract.event import Event as Said
from rarefind.service.asking.log import HuntLog
from rarefind.service.hunts.records import HuntData

if TYPE_CHECKING:
    from rarefind.discovery import Hunt


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
    """

    def __init__(self, hunt: Hunt, records: Callable[[], HuntData]) -> None:
        self.hunt = hunt
        self.rows: set[int] = set()
        self.heard = 0
        self._records = records

    def hear(self, log: HuntLog) -> bool:
        """Bring the hunt up to date with the log; True if anything was new."""
        fresh = log.since(self.heard)
        if not fresh:
            return False
        if any(event.kind == "append" for event in fresh):
            data = self._records()
            if data.n_records > self.hunt.n_records:
                self.hunt.append(take(data.records, slice(self.hunt.n_records, None)))
        rows = {event.row for event in fresh if event.kind in ("label", "skip")}
        if len(rows) < len(fresh) or not rows.isdisjoint(self.rows):
            self.heard, everything = log.said()
            if list(self.hunt.events) != everything:
                self.hunt.restore(everything)
            self.rows = {said.row for said in everything}
            return True
        for event in fresh:
            assert event.row is not None
            self.hunt.replay([Said(event.row, event.value, event.asked_by)])
            self.rows.add(event.row)
            self.heard += 1
        return True
