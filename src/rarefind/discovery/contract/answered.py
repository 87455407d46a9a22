"""What a hunt knows of its answers without going through them: kept up with each.

A hunt of very many answers asks again after each, which must not take longer the more there are.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rarefind.core.arrays import BoolArray
from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.discovery.contract.event import Event
from rarefind.discovery.contract.labels import Often


class Answered:
    """The rows that somebody answered or skipped.

    Attributes
    ----------
    skipped
        Who asked about the rows left undecided, in the order of skipping.
    often
        How often each class was answered.
    """

    def __init__(self, said: Iterable[Event], n: int) -> None:
        self._rows: BoolArray = np.zeros(n, dtype=bool)
        self.skipped: dict[int, AskedBy] = {}
        self.often = Often()
        for event in said:
            self.add(event)

    def add(self, event: Event) -> None:
        """Note what was said of a row about which nothing was said, unless it was skipped."""
        self._rows[event.row] = True
        self.often.add(event)
        if event.label is None:
            self.skipped[event.row] = event.asked_by or UNKNOWN
        else:
            self.skipped.pop(event.row, None)

    def barred(self, held: Iterable[int]) -> BoolArray:
        """Return which rows are not to be asked about: those, and others that are held."""
        barred = self._rows.copy()
        barred[list(held)] = True
        return barred
