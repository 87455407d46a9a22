"""Which labelled records each fit of a member learns from.

Every fit leaves some out, so that all are judged by models that have not seen them, at no cost
beyond the fits the ranking is made by.
"""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import BoolArray

PARTS = 5
"""Fits of a member: each still learns from four fifths of the few labels. A usual choice."""


def parts(wanted: BoolArray, seed: int | None) -> BoolArray:
    """Mark the records that each of five fits learns from, one row per fit.

    A fit leaves out a fifth of the examples and a fifth of the others. Fewer than five of a kind
    are all kept in every fit, because each is dear: a ranking from three examples of four was
    measured to lose more than their held-out scores would tell. Where both kinds are that few
    there is one fit, to everything.

    >>> learnt = parts(np.array([True] * 2 + [False] * 10), 0)
    >>> learnt[:, :2].all(), learnt[:, 2:].sum(axis=1).tolist()
    (np.True_, [8, 8, 8, 8, 8])
    """
    rng = np.random.default_rng(seed)
    fold = np.full(len(wanted), -1)
    for group in (wanted, ~wanted):
        rows = np.flatnonzero(group)
        if len(rows) >= PARTS:
            fold[rng.permutation(rows)] = np.arange(len(rows)) % PARTS
    if (fold < 0).all():
        return np.ones((1, len(wanted)), dtype=bool)
    found: BoolArray = fold != np.arange(PARTS)[:, None]
    return found
