"""How good is a ranking: average precision that is fair to ties."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import digamma

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.core.errors import DataError


def average_precision(
    y_true: Any, scores: Any, sample_weight: Any = None, *, target: object = True
) -> float:
    """Return the expected average precision when tied records are put in random order.

    Walking down the ranking, precision is noted at every record of the target class; the mean of
    these notes is the average precision. Records with equal scores have no order, so the exact
    expectation over all their orders is taken: a constant score gets what chance would get, not
    one (as when ties are read in favour of the ranking) and not an arbitrary number in between.

    Parameters
    ----------
    y_true
        Labels; those equal to ``target`` (true values and ones, unless told otherwise) count.
    scores
        Higher means more like the target.
    sample_weight
        A record of weight two counts as two records with the same score.
    target
        The label looked for.

    Examples
    --------
    >>> average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.8333333333333333
    >>> average_precision([1, 0], [0.5, 0.5])  # half the time 1, half the time 1/2
    0.75
    """
    wanted = np.asarray(y_true).ravel() == target
    values = np.asarray(scores, dtype=np.float64).ravel()
    weight = np.ones(len(values)) if sample_weight is None else np.asarray(sample_weight, float)
    if not len(wanted) == len(values) == len(weight):
        raise DataError(
            "average_precision needs one label, one score and one weight per record. "
            f"Got {len(wanted)} labels, {len(values)} scores and {len(weight)} weights."
        )
    if np.isnan(values).any():
        raise DataError("average_precision needs scores that can be compared. Some are NaN.")
    if not wanted.any() or weight[wanted].sum() <= 0:
        raise DataError(
            f"average_precision needs at least one record of the target class {target!r}. Got none."
        )
    hits, sizes, _ = tie_groups(wanted, values, weight)
    return expected_precision(hits, sizes)


def chance_precision(wanted: BoolArray) -> float:
    """Return the average precision to be expected of a random order of these records.

    It is the figure that every ranking and comparison is told beside, and a little above the share
    of the wanted records.

    >>> chance_precision(np.array([True, False]))
    0.75
    """
    return average_precision(wanted, np.zeros(len(wanted)))


def tie_groups(
    wanted: BoolArray, scores: FloatArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sum the weights of groups of equal score, best first: of the wanted ones, of all, the score.

    Records without weight are left out.
    """
    rows: IntArray = np.flatnonzero(weight > 0)
    rows = rows[np.argsort(-scores[rows], kind="stable")]
    ordered = scores[rows]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    sizes = np.add.reduceat(weight[rows], starts)
    hits = np.add.reduceat(np.where(wanted[rows], weight[rows], 0.0), starts)
    return hits, sizes, ordered[starts]


def expected_precision(hits: FloatArray, sizes: FloatArray) -> float:
    """Average precision of groups of tied records, best first, ``hits`` wanted among ``sizes``.

    A group of m records with R wanted ones, after n others with H wanted ones, adds::

        R/m · Σ_{j=1..m} (H + 1 + (R-1)(j-1)/(m-1)) / (n + j)

    The sums of fractions are differences of the digamma function, so a group costs the same
    whatever its size, and weights need not be whole numbers.
    """
    # Groups without a hit add nothing; they matter only through the count of what came before.
    seen = np.concatenate([[0.0], np.cumsum(sizes)[:-1]])
    found = np.concatenate([[0.0], np.cumsum(hits)[:-1]])
    some = hits > 0
    R, m, n, H = hits[some], sizes[some], seen[some], found[some]
    single = m == 1.0
    share = np.where(single, 0.0, (R - 1.0) / np.where(single, 1.0, m - 1.0)).clip(0.0, 1.0)
    harmonic = np.where(single, 1.0 / (n + 1.0), digamma(n + m + 1.0) - digamma(n + 1.0))
    notes = (H + 1.0) * harmonic + share * (m - (n + 1.0) * harmonic)
    return float(np.clip((R / m * notes).sum() / hits.sum(), 0.0, 1.0))
