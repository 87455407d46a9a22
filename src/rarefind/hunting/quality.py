"""How good a ranking is, as far as the labels can tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray
from rarefind.core.precision import average_precision

_DRAWS = 200
"""Draws of the labels that an interval is read from: its ends are steady to about a hundredth."""


@dataclass(frozen=True)
class Quality:
    """How good a ranking is, judged on labelled records that the model had not seen.

    Attributes
    ----------
    average_precision
        Of the labelled records ranked without their labels; None with too few of them.
    interval
        Where it may well lie (95 %), had other records been labelled; None with too few.
    chance
        The average precision of a random order of the same records.
    examples
        How many labelled records of the class there are.
    sentence
        All of it in words.
    """

    average_precision: float | None
    interval: tuple[float, float] | None
    chance: float | None
    examples: int
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def unjudged(examples: int) -> Quality:
    """Say that there are too few labels to judge by."""
    known = "1 example is" if examples == 1 else f"{examples} examples are"
    return Quality(
        None, None, None, examples, f"{known} too few to tell how good the ranking is: look at it."
    )


def judged(wanted: BoolArray, precision: float, interval: tuple[float, float]) -> Quality:
    """Put into words what a model achieved on labelled records it had not seen."""
    low, high = (float(np.clip(end, 0.0, 1.0)) for end in interval)
    chance, examples = float(wanted.mean()), int(wanted.sum())
    sentence = (
        f"On labels it had not seen, {examples} of them of the class, the ranking reached an "
        f"average precision of {precision:.2f} ({low:.2f} to {high:.2f}); a random order has "
        f"{chance:.2f}. Labels that a hunt asked for are no fair draw from all records, where the "
        "class is rarer and harder to find: expect less there."
    )
    return Quality(precision, (low, high), chance, examples, sentence)


def drawn_interval(wanted: BoolArray, scores: FloatArray) -> tuple[float, float]:
    """Find where average precision lies in 95 of 100 draws of the records, with replacement."""
    random = np.random.default_rng(0)
    inside, outside = np.flatnonzero(wanted), np.flatnonzero(~wanted)
    found = []
    for _ in range(_DRAWS):
        rows = np.concatenate([random.choice(part, len(part)) for part in (inside, outside)])
        found.append(average_precision(wanted[rows], scores[rows]))
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)
