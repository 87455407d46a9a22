"""The ways to go wrong: what a strategy is told, how often people err, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Shares guessed wrong by up to four times, either way."""

NOISE = (0.0, 0.05, 0.1, 0.2)
"""Shares of answers that are wrong, from none to a fifth."""

Shares = dict[str, float]


@dataclass(frozen=True)
class Case:
    """One way to go wrong: which strategy, what it is told, how often and how many people err.

    Of several ``people`` asked about each record the word of most counts, of the first among
    equals; every one of their answers is a label. An error names any other class, or, if rare
    records are ``overlooked``, always the ordinary one. With ``rank_after`` so many labels,
    the records ranked first for every class told are looked at, instead of further questions.
    """

    name: str
    strategy: str
    believe: Callable[[Shares, int], Shares | list[float] | None]
    noise: float = 0.0
    people: int = 1
    overlooked: bool = False
    rank_after: int | None = None


def cases() -> list[Case]:
    """List the cases of the study."""
    wrong = [Case(f"MALICE, shares x {factor:g}", "malice", _times(factor)) for factor in FACTORS]
    number = [
        Case("MALICE, every other share x 4 and x 0.25", "malice", _unevenly),
        Case("MALICE, smallest class forgotten", "malice", _without_smallest),
        Case("MALICE, two classes made up", "malice", _with_two_more),
        Case("MALICE, one share for all: the mean", "malice", _all_the_same),
        Case("MALICE, a guess: one class of 1 %", "malice", lambda shares, n: [0.01]),
        Case("auto, told nothing", "auto", _nothing),
    ]
    noisy = [
        Case(f"{name}, {noise:.0%} of answers wrong", strategy, believe, noise)
        for noise in NOISE[1:]
        for name, strategy, believe in (
            ("MALICE", "malice", _times(1.0)),
            ("auto", "auto", _nothing),
        )
    ]
    together = Case("auto, 20% wrong, three people each", "auto", _nothing, NOISE[-1], people=3)
    overlooked = [
        Case(f"{name}, 20% of rare records overlooked", strategy, believe, 0.2, overlooked=True)
        for name, strategy, believe in (
            ("MALICE", "malice", _times(1.0)),
            ("auto", "auto", _nothing),
        )
    ]
    ranked = Case(
        "auto, 20% wrong, rankings looked at after 40", "auto", _nothing, 0.2, rank_after=40
    )
    return [*wrong, *number, *noisy, together, ranked, *overlooked]


def _times(factor: float) -> Callable[[Shares, int], Shares]:
    # No share falls below one record, and all of them together leave some ordinary ones.
    def believe(shares: Shares, n: int) -> Shares:
        wrong = {name: max(share * factor, 1.0 / n) for name, share in shares.items()}
        shrink = min(1.0, 0.95 / sum(wrong.values()))
        return {name: max(share * shrink, 1.0 / n) for name, share in wrong.items()}

    return believe


def _nothing(shares: Shares, n: int) -> None:
    return None


def _unevenly(shares: Shares, n: int) -> Shares:
    # The smallest is thought larger and the next smaller, so that even their order is wrong.
    ordered = sorted(shares.items(), key=lambda item: item[1])
    wrong = {
        name: share * (0.25 if place % 2 else 4.0) for place, (name, share) in enumerate(ordered)
    }
    return _times(1.0)(wrong, n)


def _without_smallest(shares: Shares, n: int) -> list[float]:
    return sorted(shares.values())[1:] or list(shares.values())


def _with_two_more(shares: Shares, n: int) -> list[float]:
    return [
        *shares.values(),
        max(min(shares.values()) / 2, 1.0 / n),
        float(np.median([*shares.values()])),
    ]


def _all_the_same(shares: Shares, n: int) -> list[float]:
    return [sum(shares.values()) / len(shares)] * len(shares)
