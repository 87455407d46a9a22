"""Questions to answer while the server is out of reach, which nobody holds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import StateError
from rarefind.service.asking.patience import CROWD
from rarefind.store.contract import Candidate

Choose = Callable[[int, Mapping[int, AskedBy]], list[Candidate]]
"""Chooses so many questions that keep clear of rows, by who asked about them."""


@dataclass(frozen=True)
class _Given:
    askers: Mapping[int, AskedBy]
    at: float


class Spares:
    """Who has which questions for times without a server.

    Nobody holds them, so that no question waits for somebody who may never need it: others may be
    asked about the same records. Only others' spares are chosen clear of, for as long as a lease
    lasts.
    """

    def __init__(self) -> None:
        self._given: dict[str, _Given] = {}

    def choose(self, annotator: str, count: int, seconds: float, choose: Choose) -> list[Candidate]:
        """Choose questions for somebody, a few at a time: meanwhile others may ask."""
        since = time.time() - seconds
        taken: dict[int, AskedBy] = {}
        for name, given in list(self._given.items()):
            if name != annotator and given.at > since:
                taken.update(given.askers)
        chosen: list[Candidate] = []
        while len(chosen) < count:
            try:
                more = choose(min(CROWD, count - len(chosen)), taken)
            except StateError:  # nothing else is left
                break
            chosen += more
            taken.update((each.row, each.asked_by) for each in more)
        own = {each.row: each.asked_by for each in chosen}
        self._given[annotator] = _Given(own, time.time())
        return chosen

    def asked_by(self, annotator: str, row: int) -> AskedBy | None:
        """Tell who asked about a row, if it was a spare question of this person."""
        given = self._given.get(annotator)
        return None if given is None else given.askers.get(row)
