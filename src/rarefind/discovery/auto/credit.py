"""What the questions of each member of ``auto`` have paid, and so what its next one promises.

A question that is out counts, too, or several at a time would all come from whoever promises most
now. Those about knots count with part of what they promise, all others as if they showed nothing
new, as most do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from rarefind.core.asked_by import AskedBy
from rarefind.discovery.contract.strategy import Label

OPENING, REACH, CROWD, GAP = "opening", "reach", "crowd", "gap"
KNOT, SECOND_LOOK = "knot", "second look"
"""The members: those who look outside, amid many records that no label is near, at a few records
with a gap around them, into a knot, and into a knot that showed a class. Whoever opens the hunt
gets no credit: that answer is new whatever it is, even if others come before it."""

PAYS = 0.7
"""Where classes hide in knots, so many of the knots that are real show one."""

_HIDDEN = 0.7
"""Belief, before any answer, that classes hide in knots. It starts just below reach's hope of one
in two, so reach goes first, and it is the turn of knots as soon as a question does not pay."""

_BY_CHANCE = 0.1
"""Where they do not, so many knots show a new class all the same."""

_COUNTED_ON = 0.5
"""Of what looks that are out promise, so much is counted on. All of it fills every ten questions
with knots where nothing hides in them; none of it ends the belief in knots within ten questions."""


class Hope(NamedTuple):
    """What a question is expected to pay before any answer, and how many answers that counts as."""

    pays: float
    patience: float


class Credit:
    """Keeps what came of the questions of every member.

    Parameters
    ----------
    hopes
        What is hoped for of each member that is judged by what its questions paid, so not of
        those that look into knots. Among equals the first one asks.

    Attributes
    ----------
    labels
        How often each class was told.
    """

    def __init__(self, hopes: Mapping[str, Hope]) -> None:
        self._hopes = hopes
        self.reset()

    def reset(self) -> None:
        """Forget all answers."""
        self.labels: dict[Label, int] = {}
        # What came of the questions of each: the new class or None; for knots with the chance.
        self._came: dict[str, list[Label | None]] = {member: [] for member in self._hopes}
        self._looked: list[tuple[float, Label | None]] = []
        self.hold({})

    def hold(self, held: Mapping[int, AskedBy]) -> None:
        """Hear which questions are out."""
        members = list(held.values())
        self._out = Counter(by.member for by in members)
        self._looking = [_chance(by) for by in members if by.member == KNOT]

    def give(self, asked_by: AskedBy | None, label: Label, *, confirms: bool) -> None:
        """Credit whoever asked with an answer, or nobody.

        That the same class turns up where it was looked for again (it ``confirms``) does not make
        it less rare.
        """
        if asked_by is not None:
            new = label if label not in self.labels else None
            if asked_by.member in self._came:
                self._came[asked_by.member].append(new)
            elif asked_by.member == KNOT:
                self._looked.append((_chance(asked_by), new))
        if not confirms:
            self.labels[label] = self.labels.get(label, 0) + 1

    def turn(self, chances: Mapping[str, float]) -> tuple[str, float]:
        """Return whose next question is expected to pay most, knots aside, and how much.

        ``chances`` tell of some members how likely what they would ask about is no accident.
        """
        worth = {member: chances.get(member, 1.0) * self._worth(member) for member in self._hopes}
        best = max(worth, key=worth.__getitem__)
        return best, worth[best]

    def hidden(self, wrong: float = 0.0) -> float:
        """Return the belief that classes hide in knots, by what looking into knots has shown.

        ``wrong`` is the share of answers that may be wrong.
        """
        # So many labels does each class have by mistake.
        mistaken = wrong * sum(self.labels.values()) / max(len(self.labels) - 1, 1)
        odds = np.log(_HIDDEN / (1.0 - _HIDDEN))
        for chance, label in self._looked:
            odds += _evidence(chance, self._paid(label, mistaken))
        for chance in self._looking:
            odds += _evidence(chance, _COUNTED_ON * PAYS * chance / (1.0 + np.exp(-odds)))
        return float(1.0 / (1.0 + np.exp(-odds)))

    def _worth(self, member: str) -> float:
        """Return the mean of what the questions of a member paid, drawn towards what was hoped."""
        came, (pays, patience) = self._came[member], self._hopes[member]
        paid = sum(map(self._paid, came))
        return (pays * patience + paid) / (patience + len(came) + self._out[member])

    def _paid(self, label: Label | None, mistaken: float = 0.0) -> float:
        """Return what an answer paid: one over the labels its class has by now, if it was new.

        A class that keeps turning up was not rare, and whoever met it first deserves little credit.
        Labels that it has by mistake do not count.
        """
        return 0.0 if label is None else 1.0 / max(self.labels[label] - mistaken, 1.0)


def _evidence(chance: float, paid: float) -> float:
    """Return how a look into a knot changes the logarithm of the odds that classes hide there."""
    pays = max(PAYS * chance, _BY_CHANCE)
    found, nothing = np.log(pays / _BY_CHANCE), np.log((1.0 - pays) / (1.0 - _BY_CHANCE))
    return float(paid * found + (1.0 - paid) * nothing)


def _chance(asked_by: AskedBy) -> float:
    return asked_by.notes.get("chance", 0.0)
