"""How long people and the strategy wait for each other, and how much is worked out ahead."""

from __future__ import annotations

import time

ALONE_SECONDS = 120.0
"""How long somebody who works alone waits for the question that heeds every answer."""

TOGETHER_SECONDS = 0.25
"""How long somebody who works with others waits for it before taking an earlier choice."""

STAND_IN_SECONDS = 0.25
"""How long somebody with others waits for any choice of the strategy before one is drawn at random:
a short wait is worth a better question. A choice."""

CROWDED_SECONDS = 0.01
"""The same in a crowd, where waiting threads would hold up everybody."""

LOOK_SECONDS = 0.5
"""How often events of other processes are looked for, and the least age of a choice that is
renewed."""

GOODBYE_SECONDS = 3.0
"""How long somebody who stops waits for threads that think, of which nothing is to be kept. As long
as a step of a large hunt takes; a choice."""

MOST_AHEAD = 128
"""Questions worked out ahead at most: the last of many heed the answers least."""

CROWD = 8
"""From so many other people on it is a crowd; they are also the spare questions for those who come.
A choice."""

TRIES = 5
"""Others may take what was chosen meanwhile; the last try offers records drawn at random, too."""

RECORDS_TAKE = 0.08
"""How much of a set-up is over when the records are prepared. A choice that suits large tables,
where the strategy takes nearly all of the time."""

SET_UP_TAKES = 0.95
"""How much of it is over when the strategy has only to hear what was said before. A choice: mostly
that is little or nothing."""

LONGEST_BREATH = 0.25
"""Seconds that thinking rests in a crowd, so that those who wait get the interpreter's lock."""


class Pace:
    """How far ahead the strategy thinks, and how hard where many wait.

    Attributes
    ----------
    depth
        How many questions are to be at hand.
    """

    def __init__(self) -> None:
        self.depth = 1
        self._renewed = 0.0

    @property
    def crowded(self) -> bool:
        """Whether questions are worked out for many."""
        return self.depth > CROWD

    def renewed(self) -> None:
        """Note that all questions are chosen anew from now on."""
        self._renewed = time.monotonic()

    def good_for_now(self, at_hand: int) -> bool:
        """Say whether the questions at hand do for a moment, since many people use them up."""
        enough = self.crowded and 2 * at_hand > self.depth
        return enough and time.monotonic() - self._renewed < LOOK_SECONDS

    def breathe(self, began: float, at_hand: int) -> None:
        """Rest as long as was worked where many wait: thinking must not keep them waiting."""
        if self.crowded and at_hand:
            time.sleep(min(time.monotonic() - began, LONGEST_BREATH))
