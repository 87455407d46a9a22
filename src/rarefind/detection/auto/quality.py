"""How good a ranking is, told from records that the models had not seen, or not told at all.

The average precision of held-out records is drawn towards a middle value learnt across many sets
(``calibration.json``, which ``rarefind bench quality`` works out again), more so the fewer examples
there are: five of them say little, and luck looks like skill. Where a random order of the same
records does as well once in two hundred times, no figure is told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import expit, logit
from scipy.stats import beta

from rarefind.core.arrays import BoolArray, FloatArray
from rarefind.core.precision import average_precision

FEWEST = 5
"""Examples it takes before anything is told."""
LUCK = 0.005
"""A figure is told if a random order does as well at most this often."""
_ORDERS, _ORDERS_OF_MANY, _MANY = 1999, 399, 200
"""Random orders drawn to compare with; fewer where there are many examples."""
_COVERED = 0.9
"""The share of true figures that an interval is to hold."""

_EDGE = 1e-3
"""Average precisions are taken to lie this far from none and from all, to have finite odds."""


@dataclass(frozen=True)
class Quality:
    """What can be said about a ranking of records that nobody has labelled yet.

    Attributes
    ----------
    average_precision
        What is to be expected, or None: too few examples to tell, or no better than chance.
    low, high
        The average precision lies between them in nine sets of ten; None if none is told.
    chance
        What a random order of the labelled records reaches on average.
    examples
        How many labelled examples of the class there were.
    held_out
        Average precision of the labelled records, each ranked by models that had not seen it;
        None if examples are too few for that.
    sentence
        The same in words.
    """

    average_precision: float | None
    low: float | None
    high: float | None
    chance: float
    examples: int
    held_out: float | None
    sentence: str


def judge(wanted: BoolArray, scores: FloatArray | None) -> Quality:
    """Tell how good a ranking is from held-out scores of all labelled records, pooled.

    None for scores says that there are none, because examples are too few.

    >>> wanted = np.arange(100) < 10
    >>> told = judge(wanted, -np.arange(100.0))
    >>> told.held_out, round(told.average_precision, 2), round(told.chance, 2)
    (1.0, 0.94, 0.14)
    >>> judge(wanted, np.zeros(100)).average_precision is None
    True
    """
    examples = int(wanted.sum())
    chance = average_precision(wanted, np.zeros(len(wanted)))
    if scores is None or examples < FEWEST:
        words = "1 example is" if examples == 1 else f"{examples} examples are"
        sentence = f"How good the ranking is cannot be told: {words} too few."
        return Quality(None, None, None, chance, examples, None, sentence)
    held_out = average_precision(wanted, scores)
    if luck(held_out, examples, len(wanted)) > LUCK:
        sentence = (
            f"How good the ranking is cannot be told: {examples} examples, each ranked by models "
            f"that had not seen it, come out at an average precision of {held_out:.2f}, which a "
            f"random order ({chance:.2f} on average) may reach by luck. More examples would tell."
        )
        return Quality(None, None, None, chance, examples, held_out, sentence)
    told, low, high = calibrated(held_out, examples, _learnt())
    sentence = (
        f"Average precision about {told:.2f} is to be expected ({low:.2f} to {high:.2f} in nine "
        f"cases of ten; a random order has {chance:.2f}), judged by {examples} examples, each "
        f"ranked by models that had not seen it."
    )
    return Quality(told, low, high, chance, examples, held_out, sentence)


def calibrated(
    held_out: float, examples: int, learnt: Mapping[str, float]
) -> tuple[float, float, float]:
    """Draw a held-out figure towards the middle, and tell where nine of ten true ones lie."""
    weight = examples / (examples + learnt["examples"])
    odds = logit(np.clip(held_out, _EDGE, 1.0 - _EDGE))
    told = float(expit((1.0 - weight) * learnt["centre"] + weight * odds))
    sureness = learnt["spread"] * examples ** learnt["growth"]
    tails = np.array([1.0 - _COVERED, 1.0 + _COVERED]) / 2.0
    low, high = beta.ppf(tails, told * sureness, (1.0 - told) * sureness)
    return told, float(min(low, told)), float(max(high, told))


def luck(held_out: float, examples: int, records: int) -> float:
    """How often a random order of so many records reaches that average precision.

    A permutation test: the share among random orders and the one seen, so never zero.
    """
    drawn = _by_chance(examples, records)
    return float((1 + np.count_nonzero(drawn >= held_out - 1e-12)) / (1 + len(drawn)))


@cache
def _learnt() -> Mapping[str, float]:
    learnt: dict[str, float] = json.loads(Path(__file__).with_name("calibration.json").read_text())
    return learnt


@cache
def _by_chance(examples: int, records: int) -> FloatArray:
    """Average precisions of random orders; the same ones every time."""
    rng = np.random.default_rng([examples, records])
    found = np.arange(1, examples + 1)
    orders = _ORDERS if examples <= _MANY else _ORDERS_OF_MANY
    return np.array(
        [
            np.mean(found / np.sort(rng.choice(records, examples, replace=False) + 1))
            for _ in range(orders)
        ]
    )
