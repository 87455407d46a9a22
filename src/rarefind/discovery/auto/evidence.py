"""How much a knot of records says, given how many places were looked at and what the data are like.

A crowd with slopes makes knots that look surprising one by one: its middle is denser than what is
around it, and more so in many dimensions. So a knot is compared with the other candidates of its
size: by far most of them are made by chance and slopes, and tell how surprising such knots are.
"""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr, ndtri

from rarefind.core.arrays import FloatArray, quantile

TELLS = float(np.log(20.0))
"""Evidence below this, once in twenty, is not worth a word."""

_FEWEST = 20
"""From fewer candidates nobody can tell how their surprise is spread."""

_WIDER, _FREE_DIRECTIONS, _WIDER_BY = 1.1, 5.0, 0.1
"""The most surprising knots of noise lie this much farther out than the spread of the middle half
says, and more so for every direction above five, in which slopes add up. Measured on normal,
uniform, skewed and heavy-tailed noise of 2 to 15 columns."""

_QUARTILE = float(ndtri(0.75))
"""From the middle of a normal distribution to its upper quartile, in deviations."""


def apart(surprise: FloatArray, dimension: float) -> FloatArray:
    """Say how surprising each candidate of one size is beside the others of that size.

    Surprises are written as those of a normal distribution, whose middle and spread are those of
    the candidates: the empirical null distribution that Efron (2004) proposed.

    >>> apart(np.linspace(0.1, 9.0, 100), 3.0)[[0, -1]].round(1).tolist()
    [0.0, 2.0]
    """
    if len(surprise) < _FEWEST:
        return np.zeros(len(surprise))
    normal = -ndtri(np.exp(-np.clip(surprise, 1e-9, 700.0)))
    # Hidden classes are few among the candidates of a large crowd. In a small one they widen the
    # upper side, and less is claimed.
    middle, upper = quantile(normal, 0.5), quantile(normal, 0.75)
    spread = max(1.0, (upper - middle) / _QUARTILE)
    wider = _WIDER + _WIDER_BY * max(0.0, dimension - _FREE_DIRECTIONS)
    return np.asarray(-log_ndtr((middle - normal) / (wider * spread)))


def evidence(above: FloatArray, surprise: FloatArray, candidates: int, places: float) -> FloatArray:
    """Return minus the logarithm of how often chance makes a knot like each, anywhere in the data.

    Parameters
    ----------
    above
        How surprising each is beside the others of its size, from :func:`apart`.
    surprise
        Minus the logarithm of the chance of each at a place chosen beforehand.
    candidates
        How many were measured in all.
    places
        How many places were looked at to choose them.
    """
    like_others = above - np.log(max(candidates, 2) / 2)
    return np.minimum(like_others, surprise - np.log(places))


def in_words(worth: float) -> str:
    """Say how often chance does that; empty where that is nothing to speak of.

    >>> in_words(2.0), in_words(5.0), in_words(20.0)
    ('', 'chance does that once in 100', 'chance does that once in over a million')
    """
    if worth < TELLS:
        return ""
    number = np.exp(min(worth, 20.0))
    often = "over a million" if number > 1e6 else f"{float(f'{number:.1g}'):,.0f}"
    return f"chance does that once in {often}"
