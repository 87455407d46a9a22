"""What a harvest has to expect: the chance of the next records, how many are left, how far it is.

The chance that the record in place ``r`` of a ranking is of the class falls with ``log r``. Where
it begins and how steeply it falls was learnt from harvests of many sets whose labels are known
(``forecast.json``), given what a person has seen: how many of the last looks were of the class, how
many examples there are among how many labels, and how well examples were found that the models had
not seen. Before the first looks it was learnt from rankings after hunts. Chances summed over all
places say how many are left. Intervals are as wide as it takes to hold the truth in nine of ten
rounds of other sets than those learnt from. While every look of a round is of the class, nothing
tells where the class ends, and nothing is said; after a round without any, none may be left.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit, logit

from rarefind.core.arrays import FloatArray
from rarefind.detection.auto.quality import Quality

FEWEST_LOOKS = 20
"""Looks it takes before anything is said about how many are left: two rounds."""

_FIRST_LOOKS = 10
"""From so many looks on they tell more about the next ones than the labels from before."""

DRY = 30
"""Looks in a row that find none before the harvest asks whether to go on: three rounds."""

_RECENT = (10, 30)
"""The last looks that tell how well it goes: the last round, and the last three."""

_PRIOR_LOOKS = (0.2, 2.0)
"""Before the first look as if one fifth of two looks had been of the class, for finite odds."""

_SHRINK = 8.0
"""As many examples as it takes for a held-out figure to count by half."""

_EDGE = 0.01
"""Held-out average precisions are taken to lie this far from none and from all."""


_GUESS = " This was learnt from tables; where a kernel compares the records it is a guess."
"""Said with every number left of such records: it was not checked on enough of them."""


@dataclass(frozen=True)
class Interval:
    """A number to expect, and an interval that holds the truth nine times in ten."""

    likely: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"about {self.likely:,.0f} ({self.low:,.0f} to {self.high:,.0f})"


@dataclass(frozen=True)
class Forecast:
    """What is to be expected of a harvest.

    Attributes
    ----------
    found
        Records of the class known so far.
    looked
        Records looked at because the harvest chose them.
    chances
        The chance that the first, second, ... record of the ranking is of the class; empty where
        that cannot be told.
    left
        How many of the class have not been seen; None if that cannot be told.
    looks_needed
        How many more looks find 95 % of the class, going down the ranking as it is now; None if
        that cannot be told. Ranking again after each round takes fewer.
    dry
        Looks since the last record of the class was found.
    by_kernel
        Whether a kernel compares the records: what was learnt from tables is a guess for them.
    """

    found: int
    looked: int
    chances: FloatArray
    left: Interval | None
    looks_needed: Interval | None
    dry: int = 0
    by_kernel: bool = False

    def chance(self, place: int) -> float | None:
        """Return the chance of the record in a place of the ranking, from 0."""
        return float(self.chances[place]) if place < len(self.chances) else None

    def over(self, enough: float = 0.95) -> str | None:
        """Say in a sentence why to stop; None if nothing speaks for it.

        Enough is found if that holds even with the most that may be left; or the last three rounds
        found none, which only a person can judge.
        """
        if self.left is not None and self.found >= enough * (self.found + self.left.high):
            return (
                f"Enough is found: {self.found} of the class are known and {self.left} are left, "
                f"so at least {enough:.0%} are found in nine cases of ten."
                f"{_GUESS if self.by_kernel else ''}"
            )
        if self.dry >= DRY:
            return (
                f"The last {self.dry} looks found none. Either nearly all are found, or the others "
                "look different: discovery may find one of those, and the harvest goes on from it."
            )
        return None

    def __str__(self) -> str:
        after = f" after {self.looked} looks" if self.looked else ""
        known = f"{self.found} of the class are known{after}."
        if self.left is None and self.looked >= FEWEST_LOOKS:
            return f"{known} How many are left can be told once a round brings others, too."
        if self.left is None:
            if not len(self.chances):
                return (
                    f"{known} The chance of each record can be told after {_FIRST_LOOKS} looks at "
                    f"what the ranking puts first, how many are left after {FEWEST_LOOKS} looks."
                )
            return (
                f"{known} How many are left can be told after {FEWEST_LOOKS} looks at what the "
                "ranking puts first."
            )
        guess = _GUESS if self.by_kernel else ""
        return (
            f"{known} Left to find: {self.left}. Looks to find 95 % of all: {self.looks_needed}."
            f"{guess}"
        )


def foresee(
    looked: Sequence[bool],
    quality: Quality,
    ranked: int,
    labelled: int,
    *,
    unlooked: bool = True,
    by_kernel: bool = False,
) -> Forecast:
    """Tell what is to be expected of the records of a ranking.

    Parameters
    ----------
    looked
        Whether each record that the harvest chose was of the class, in the order of the answers.
    quality
        How good the ranking is, with the number of examples.
    ranked, labelled
        How many records are in the ranking, and how many have a label.
    unlooked
        Whether chances are told before the first looks. Those of ``auto`` on vectors are; those of
        other models and of records that a kernel compares were measured to be less true.
    by_kernel
        Whether a kernel compares the records.
    """
    known, learnt = quality.examples, learnt_numbers()
    seen = circumstances(looked, known, labelled, quality.held_out)
    begun = len(looked) >= _FIRST_LOOKS
    known_places = ranked if begun or unlooked else 0
    chances = chance_by_place(seen, known_places, learnt["looked" if begun else "unlooked"])
    dry = next((ago for ago, hit in enumerate(reversed(looked)) if hit), len(looked))
    if len(looked) < FEWEST_LOOKS or all(looked[-_RECENT[0] :]):
        return Forecast(known, len(looked), chances, None, None, dry, by_kernel)
    left, needed = left_and_needed(chances, known)
    most, none_may_be = float(ranked), dry >= _RECENT[0]
    return Forecast(
        known,
        len(looked),
        chances,
        _interval(left, learnt["left"], most, from_none=none_may_be),
        _interval(needed, learnt["looks"], most, from_none=none_may_be),
        dry,
        by_kernel,
    )


def circumstances(
    looked: Sequence[bool], known: int, labelled: int, held_out: float | None
) -> dict[str, float]:
    """Put into numbers what a person has seen when a forecast is made."""
    share, weight = _PRIOR_LOOKS
    recent = [
        float(logit((sum(looked[-last:]) + share * weight) / (min(last, len(looked)) + weight)))
        for last in _RECENT
    ]
    trust = 0.0 if held_out is None else known / (known + _SHRINK)
    told = 0.0 if held_out is None else float(logit(np.clip(held_out, _EDGE, 1.0 - _EDGE)))
    return {
        "one": 1.0,
        "last round": recent[0],
        "last three": recent[1],
        "examples": float(np.log(known)),
        "labels": float(np.log(labelled)),
        "held out": trust * told,
        "trust": trust,
    }


def chance_by_place(
    seen: Mapping[str, float], places: int, learnt: Mapping[str, Any]
) -> FloatArray:
    """Return the chance of each place of a ranking: never more than that of the place before."""
    start = sum(number * seen[name] for name, number in learnt["start"].items())
    fall = sum(number * seen[name] for name, number in learnt["fall"].items())
    found: FloatArray = expit(start + min(fall, 0.0) * np.log(np.arange(1, places + 1)))
    return found


def left_and_needed(chances: FloatArray, known: int, share: float = 0.95) -> tuple[float, float]:
    """Sum chances up to how many are left, and how many looks find a share of all."""
    total = np.cumsum(chances)
    left = float(total[-1])
    wanted = share * (known + left) - known
    needed = 0.0 if wanted <= 0 else float(np.searchsorted(total, wanted) + 1)
    return left, needed


def _interval(
    expected: float, spread: Mapping[str, float], most: float, *, from_none: bool
) -> Interval:
    """Widen a number by what it was off by in the sets learnt from, down to none if need be."""
    likely, low, high = (
        min(max((expected + 1.0) * float(np.exp(spread[name])) - 1.0, 0.0), most)
        for name in ("likely", "low", "high")
    )
    return Interval(likely, 0.0 if from_none else low, high)


@cache
def learnt_numbers() -> Mapping[str, Any]:
    """Return what was learnt from harvests of sets whose labels are known."""
    learnt: dict[str, Any] = json.loads(Path(__file__).with_name("forecast.json").read_text())
    return learnt
