"""How good a ranking is, told from records that the models had not seen, or not told at all.

The average precision of held-out records is drawn towards a middle value learnt across many sets
(``calibration.json``, which ``rarefind bench quality`` works out again), more so the fewer examples
there are: eight of them say little, and luck looks like skill. Where a random order of the same
records does as well more than once in a thousand times, no figure is told. All sets learnt from are
tables: of records that a kernel compares no figure is told either, since those that were had been
wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import beta

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.core.precision import average_precision, chance_precision

FEWEST = 8
"""Examples it takes before anything is told: with fewer, true figures lay anywhere."""
LUCK = 0.001
"""A figure is told if a random order does as well at most this often."""
_ORDERS = (99, 900)
"""Random orders drawn to compare with: at first, and if few of them do as well."""
_PLAIN = 0.05
"""Where more of the first do as well than this, the others need not be drawn."""
_NUMBERS = 2_000_000
"""Random numbers drawn at a time, at most."""
COVERED = 0.9
"""The share of true figures that an interval is to hold."""
_WAYS = 101
"""Intervals tried to find the shortest: their ends differ by a thousandth of all figures."""

_HALF = 0.5
"""As if half an example more had been found, and half of one missed, Jeffreys' usual half: without
a fault to rank few examples says less than to rank many."""


@dataclass(frozen=True)
class Quality:
    """What can be said about a ranking of records that nobody has labelled yet.

    Attributes
    ----------
    average_precision
        What is to be expected, or None: too few examples to tell, no better than chance, or
        records that a kernel compares.
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


def judge(
    wanted: BoolArray,
    scores: FloatArray | None,
    fold: NDArray[Any] | None = None,
    *,
    by_kernel: bool = False,
) -> Quality:
    """Tell how good a ranking is from held-out scores of all labelled records, pooled.

    None for scores says that there are none, because examples are too few. Records of the same
    ``fold`` were scored by the same model, which may score them all higher than another would.
    ``by_kernel`` says that a kernel compares the records, of which what was learnt does not hold.

    >>> wanted = np.arange(100) < 10
    >>> told = judge(wanted, -np.arange(100.0))
    >>> told.held_out, round(told.average_precision, 2), round(told.chance, 2)
    (1.0, 0.89, 0.14)
    >>> judge(wanted, np.zeros(100)).average_precision is None
    True
    """
    examples = int(wanted.sum())
    chance = chance_precision(wanted)
    if scores is None or examples < FEWEST:
        words = "1 example is" if examples == 1 else f"{examples} examples are"
        sentence = (
            f"How good the ranking is cannot be told: {words} too few, among {len(wanted)} labels."
        )
        return Quality(None, None, None, chance, examples, None, sentence)
    held_out = average_precision(wanted, scores)
    if luck(wanted, scores, np.zeros(len(wanted)) if fold is None else fold) > LUCK:
        sentence = (
            f"How good the ranking is cannot be told: {examples} examples, each ranked by models "
            f"that had not seen it, come out at an average precision of {held_out:.2f}, which a "
            f"random order ({chance:.2f} on average) may reach by luck. More examples would tell."
        )
        return Quality(None, None, None, chance, examples, held_out, sentence)
    if by_kernel:
        sentence = (
            "How good the ranking of other records is cannot be told where a kernel compares them: "
            "such figures were found wrong. Among the labels, "
            f"{examples} examples, each ranked by models that had not seen it, come out at an "
            f"average precision of {held_out:.2f}; a random order of them has {chance:.2f}."
        )
        return Quality(None, None, None, chance, examples, held_out, sentence)
    told, low, high = calibrated(held_out, examples, _learnt())
    sentence = (
        f"Average precision about {told:.2f} is to be expected ({low:.2f} to {high:.2f} in nine "
        f"cases of ten; a random order of the labelled records has {chance:.2f}), judged by "
        f"{examples} examples, each ranked by models that had not seen it."
    )
    return Quality(told, low, high, chance, examples, held_out, sentence)


def calibrated(
    held_out: float, examples: int, learnt: Mapping[str, float]
) -> tuple[float, float, float]:
    """Draw a held-out figure towards the middle, and tell where nine of ten true ones lie.

    Of all intervals that hold so many the shortest is told. It reaches 1 where nothing is likelier
    than that, which an interval with as much above it as below never does.
    """
    told, sureness = (float(figure) for figure in told_and_sure(held_out, examples, learnt))
    below = np.linspace(0.0, 1.0 - COVERED, _WAYS)
    lows, highs = (
        beta.ppf(share, told * sureness, (1.0 - told) * sureness)
        for share in (below, np.minimum(below + COVERED, 1.0))
    )
    shortest = int(np.argmin(highs - lows))
    return told, float(min(lows[shortest], told)), float(max(highs[shortest], told))


def told_and_sure(held_out: Any, examples: Any, learnt: Mapping[str, float]) -> tuple[Any, Any]:
    """Draw held-out figures towards the middle, and count the looks that would tell as much.

    True figures are spread around those told as a beta distribution of so many looks.
    """
    weight = examples / (examples + learnt["examples"])
    odds = logit((held_out * examples + _HALF) / (examples + 2.0 * _HALF))
    told = expit((1.0 - weight) * learnt["centre"] + weight * odds)
    return told, learnt["spread"] * examples ** learnt["growth"]


def luck(wanted: BoolArray, scores: FloatArray, fold: NDArray[Any]) -> float:
    """How often a ranking that knows nothing orders the examples as well.

    A permutation test: the share of orders that do as well, of those drawn and the one seen. Only
    within a fold do examples change places with others, because folds as a whole may score higher
    or lower by what their models happened to learn from.
    """
    rng = np.random.default_rng(0)
    shuffled = rng.permutation(len(wanted))  # equal scores stand in random order
    order = shuffled[np.argsort(-scores[shuffled], kind="stable")]
    place = np.empty(len(wanted), dtype=np.int64)
    place[order] = np.arange(1, len(wanted) + 1)
    groups = [(place[fold == name], int(wanted[fold == name].sum())) for name in np.unique(fold)]
    found = np.arange(1, int(wanted.sum()) + 1)
    reached = np.mean(found / np.sort(place[wanted]))
    drawn = as_good = 0
    for number in _ORDERS:
        batch = max(1, min(number, _NUMBERS // len(wanted)))
        for size in [batch] * (number // batch) + [number % batch] * (number % batch > 0):
            chosen = [_some_of(places, some, size, rng) for places, some in groups if some]
            orders = np.sort(np.hstack(chosen), axis=1)
            as_good += int(np.count_nonzero((found / orders).mean(axis=1) >= reached - 1e-12))
        drawn += number
        if as_good > _PLAIN * drawn:
            break
    return (1 + as_good) / (1 + drawn)


def _some_of(places: IntArray, some: int, times: int, rng: np.random.Generator) -> IntArray:
    """Draw so many of the places, without putting back, several times over: one row a time."""
    drawn = np.argpartition(rng.random((times, len(places))), some - 1, axis=1)
    return places[drawn[:, :some]]


@cache
def _learnt() -> Mapping[str, float]:
    learnt: dict[str, float] = json.loads(Path(__file__).with_name("calibration.json").read_text())
    return learnt
