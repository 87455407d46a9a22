"""Who looks at which records of a harvest, so that two people do not look at the same ones."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rarefind.hunting.harvest_round import Look


class LooksOut:
    """Who was given which records of a harvest, as far as this process gave them."""

    def __init__(self) -> None:
        self._by_row: dict[int, tuple[str, float, Look]] = {}

    def give(self, annotator: str, looks: tuple[Look, ...], seconds: float) -> None:
        """Note that somebody has these records; what they had before and left is free again."""
        kept = {row: held for row, held in self._by_row.items() if held[0] != annotator}
        until = time.time() + seconds
        self._by_row = {**kept, **{look.row: (annotator, until, look) for look in looks}}

    def held_by_others(self, annotator: str) -> set[int]:
        """List the rows that others have and may still answer."""
        now = time.time()
        held = self._by_row.items()
        return {row for row, (name, until, _) in held if name != annotator and until > now}

    def taken(self, row: int) -> Look | None:
        """Return the look at a row that was given to somebody."""
        held = self._by_row.get(row)
        return None if held is None else held[2]
