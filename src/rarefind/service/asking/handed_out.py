"""The questions that people have and nobody has answered yet, as far as this process gave them."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rarefind.core.asked_by import AskedBy
from rarefind.store.contract import Candidate, Lease

_LEASING_SECONDS = 10.0
"""A candidate taken out of the pool is leased within this time, or not at all."""


@dataclass(frozen=True)
class _Given:
    """A question that somebody has; ``lease`` is None until the store has leased it.

    ``ahead`` tells that it waits behind another one, and that whoever has it will say before they
    ask for more whether they have seen it.
    """

    asked_by: AskedBy
    until: float
    lease: Lease | None = None
    ahead: bool = False


class HandedOut:
    """Who has which question. Safe to use from many threads: every change is of one entry."""

    def __init__(self) -> None:
        self._by_row: dict[int, _Given] = {}
        self._returned: dict[str, set[str]] = {}  # by annotator, the leases last taken back

    def reserve(self, candidates: Iterable[Candidate]) -> None:
        """Set candidates aside until it is clear whether they are leased."""
        for each in candidates:
            self._by_row[each.row] = _Given(each.asked_by, time.time() + _LEASING_SECONDS)

    def let_go(self, candidates: Iterable[Candidate]) -> None:
        """Take those of the candidates that were set aside for free again that were not leased."""
        for each in candidates:
            given = self._by_row.get(each.row)
            if given is not None and given.lease is None:
                self.forget(each.row)

    def give(self, leases: Iterable[Lease], seen: Collection[str] | None = None) -> None:
        """Note what somebody got: the first to look at, others ahead of time if they tell those.

        ``seen`` are the leases whose questions they have seen; None if they do not tell.
        """
        for place, lease in enumerate(leases):
            ahead = seen is not None and place > 0 and lease.id not in seen
            asked_by, until = lease.candidate.asked_by, lease.expires_at
            self._by_row[lease.candidate.row] = _Given(asked_by, until, lease, ahead)

    def forget(self, row: int) -> None:
        """Note that nobody has the question about this row any more."""
        self._by_row.pop(row, None)

    def take_back(self, annotator: str, seen: Collection[str]) -> None:
        """Take from somebody what they have not seen."""
        given = [each.lease for each in list(self._by_row.values()) if each.lease is not None]
        back = [each for each in given if each.annotator == annotator and each.id not in seen]
        self._returned[annotator] = {lease.id for lease in back}
        for lease in back:
            self.forget(lease.candidate.row)

    def holds(self, annotator: str, row: int) -> bool:
        """Say whether this person has the question about a row."""
        given = self._by_row.get(row)
        return given is not None and given.lease is not None and given.lease.annotator == annotator

    def ahead(self) -> set[int]:
        """List the rows that wait behind others, to be given back if nobody has seen them."""
        return {row for row, each in list(self._by_row.items()) if each.ahead}

    def askers(self, answered: Collection[int], leases: Iterable[Lease] = ()) -> dict[int, AskedBy]:
        """Return who asked about each row that is out; those answered or expired are forgotten.

        ``leases`` are those the store has, some of which were taken back already.
        """
        now = time.time()
        given = list(self._by_row.items())
        for row, each in given:
            if each.until <= now or row in answered:
                self.forget(row)
        live = [
            lease for lease in leases if lease.id not in self._returned.get(lease.annotator, ())
        ]
        out = {lease.candidate.row: lease.candidate.asked_by for lease in live}
        return out | {row: each.asked_by for row, each in given if each.until > now}
