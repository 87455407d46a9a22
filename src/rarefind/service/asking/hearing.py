"""A hunt kept in step with what was said: records that came along, answers, and their undoing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rarefind.discovery.contract.event import Event as Said
from rarefind.service.asking.log import HuntLog
from rarefind.service.hunts.records import HuntData

if TYPE_CHECKING:
    from rarefind.discovery import Hunt


class HearingHunt:
    """The strategy's hunt, and how much of the log it has heard.

    Attributes
    ----------
    hunt, data
        The hunt and its records, further ones included.
    rows
        The records something was said about.
    heard
        So many events of the log are in the hunt.
    """

    def __init__(
        self, hunt: Hunt, data: HuntData, part: Callable[[str, HuntData], tuple[HuntData, Any]]
    ) -> None:
        self.hunt = hunt
        self.data = data
        self.rows: set[int] = set()
        self.heard = 0
        self._part = part
        self._parts = 0

    def hear(self, log: HuntLog) -> bool:
        """Bring the hunt up to date with the log; True if anything was new."""
        for part in log.parts[self._parts :]:
            whole, records = self._part(part, self.data)
            self.hunt.append(records)
            self.data = whole
            self._parts += 1
        fresh = log.since(self.heard)
        if not fresh:
            return False
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
