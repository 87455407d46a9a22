"""A thread that looks after open hunts: lets idle ones go, and listens for other processes."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable

from rarefind.core.errors import RarefindError
from rarefind.service.asking.patience import LOOK_SECONDS
from rarefind.service.hunts.opened import OpenHunt

log = logging.getLogger("rarefind.service")

IDLE_SECONDS = 1800.0
"""Half an hour: people are away from a page they use for less, and at night for more. A choice."""

MOST_AT_HAND = 8
"""Hunts whose records stay in memory at once; beyond, those used longest ago go first. A choice."""

_JUST_USED_SECONDS = 60.0
"""Whoever looked so lately is likely to look again."""

_LONGEST_LOOK = 30.0
"""Seconds between two looks while nobody listens."""


class Attendant:
    """Looks after the hunts of a service until it is closed.

    Parameters
    ----------
    at_hand
        Returns the hunts this process has open.
    listened
        Returns those of them that somebody wants to hear of.
    let_go
        Closes a hunt; it is opened again when somebody comes back.
    idle_seconds
        How long a hunt may be unused before it is let go.
    """

    def __init__(
        self,
        at_hand: Callable[[], Iterable[OpenHunt]],
        listened: Callable[[], Iterable[OpenHunt]],
        let_go: Callable[[OpenHunt], None],
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._at_hand, self._listened, self._let_go = at_hand, listened, let_go
        self._idle_seconds = idle_seconds
        self._wake, self._closed = threading.Event(), False
        self._thread = threading.Thread(target=self._work, name="rarefind attendant", daemon=True)
        self._thread.start()

    def nudge(self) -> None:
        """Look at once: somebody has begun to listen."""
        self._wake.set()

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._wake.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._closed:
            busy = False
            try:
                busy = self._hear_others()
                for hunt in idle(self._at_hand(), time.monotonic(), self._idle_seconds):
                    self._let_go(hunt)
            except RarefindError as problem:  # the store is out of reach, and may come back
                log.warning("Hunts cannot be looked after: %s", problem)
            seconds = LOOK_SECONDS if busy else min(_LONGEST_LOOK, self._idle_seconds / 4)
            self._wake.wait(seconds)
            self._wake.clear()

    def _hear_others(self) -> bool:
        """Read what other processes wrote about hunts without a strategy, which would read it."""
        waiting = [hunt for hunt in self._listened() if not hunt.at_work]
        for hunt in waiting:
            hunt.log.catch_up()
        return bool(waiting)


def idle(hunts: Iterable[OpenHunt], now: float, seconds: float) -> list[OpenHunt]:
    """Choose the hunts to let go: those unused for so long, and the oldest of too many."""
    holding = [hunt for hunt in hunts if hunt.holds_memory]
    holding.sort(key=lambda hunt: hunt.used_at, reverse=True)
    return [
        hunt
        for place, hunt in enumerate(holding)
        if now - hunt.used_at
        > (seconds if place < MOST_AT_HAND else min(seconds, _JUST_USED_SECONDS))
    ]
