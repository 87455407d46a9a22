"""Questions worked out ahead, so that whoever asks need not wait for the strategy."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable

from rarefind.core.asked_by import AskedBy
from rarefind.store.contract import Candidate

_MOST_RESERVED = 256
"""Earlier choices kept for a crowd; twice as many as are worked out ahead."""


class QuestionPool:
    """Candidates in the order they should be asked, and the state of the hunt they follow from.

    What was chosen before the last events came in is kept as a reserve, for times when many people
    answer faster than the strategy thinks.

    Attributes
    ----------
    length
        How many events the strategy had heard when the candidates were chosen.
    generation
        How often everything was to be chosen anew: what was begun before that comes too late.
    clear_of
        The rows that were out when the candidates were chosen, and that they keep away from.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._candidates: OrderedDict[int, Candidate] = OrderedDict()
        self._reserve: OrderedDict[int, Candidate] = OrderedDict()
        self.length = -1
        self.generation = 0
        self.clear_of: frozenset[int] = frozenset()
        self._settled = False
        self.nothing_left: str | None = None

    def renew(self, length: int) -> None:
        """Put the candidates behind those to come: the hunt has heard more, or fewer are out."""
        with self._changed:
            kept = [*self._candidates.items(), *self._reserve.items()][:_MOST_RESERVED]
            self._reserve = OrderedDict(kept)
            self._candidates.clear()
            self.length = length
            self.generation += 1
            self.clear_of = frozenset()
            self._settled, self.nothing_left = False, None

    def add(
        self, candidates: Iterable[Candidate], generation: int, clear_of: Iterable[int] = ()
    ) -> None:
        """Offer more candidates behind those there are, unless they come too late."""
        with self._changed:
            if generation != self.generation:
                return
            self.clear_of |= frozenset(clear_of)
            for candidate in candidates:
                self._candidates.setdefault(candidate.row, candidate)
                self._reserve.pop(candidate.row, None)
            self._changed.notify_all()

    def reopen(self) -> None:
        """Expect more candidates again: a lease may have ended."""
        with self._changed:
            self._settled, self.nothing_left = False, None

    def settle(self, nothing_left: str | None = None, generation: int | None = None) -> None:
        """Say that no more candidates come for now; with a sentence if there are none at all.

        That is not heard if it was found for a ``generation`` that is over.
        """
        with self._changed:
            if generation not in (None, self.generation):
                return
            self._settled, self.nothing_left = True, nothing_left
            self._changed.notify_all()

    def take(self, most: int) -> list[Candidate]:
        """Take the best candidates out, so that nobody else gets them; the reserve comes last."""
        with self._changed:
            taken = [*self._candidates.values(), *self._reserve.values()][:most]
            for candidate in taken:
                self._candidates.pop(candidate.row, None)
                self._reserve.pop(candidate.row, None)
            return taken

    def put_back(self, candidates: Iterable[Candidate]) -> None:
        """Offer candidates again that were taken and not needed, before all others."""
        with self._changed:
            for candidate in reversed(list(candidates)):
                self._candidates[candidate.row] = candidate
                self._candidates.move_to_end(candidate.row, last=False)
            self._changed.notify_all()

    def askers(self) -> dict[int, AskedBy]:
        """Return who asks about each row on offer."""
        with self._changed:
            return {row: each.asked_by for row, each in self._candidates.items()}

    def __len__(self) -> int:
        return len(self._candidates)

    def wait(self, length: int, count: int, seconds: float) -> bool:
        """Wait for ``count`` candidates that follow from at least ``length`` events.

        False if that took too long; then whatever there is may be used.
        """
        deadline = time.monotonic() + seconds
        with self._changed:
            while not self._ready(length, count):
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
        return True

    def _ready(self, length: int, count: int) -> bool:
        if self.length < length:
            return False
        return len(self._candidates) >= count or self._settled


def broken(strategy: str, problem: Exception) -> str:
    """Say that no question will come, since the strategy stopped with a problem."""
    return (
        f"No question can be chosen: the strategy {strategy!r} stopped with "
        f"{type(problem).__name__}: {problem}. Answers are kept; open the hunt with another "
        "strategy."
    )


def all_answered(n_records: int) -> str:
    """Say that no question will come, since nothing is left."""
    return (
        f"All {n_records} records are labelled or skipped: there is nothing left to ask. Undo an "
        "answer, or add records with rarefind add."
    )
