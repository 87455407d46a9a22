"""How many of the wanted records a ranking brings to the top."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.core.params import Integer, check_param


def hit_curve(y_true: Any, scores: Any, *, target: object = True) -> FloatArray:
    """Return h(t): the wanted records expected among the t ranked highest, for t = 0, 1, ..., n.

    Records with equal scores share their hits evenly, as they would in random order.

    >>> hit_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7]).tolist()
    [0.0, 1.0, 1.0, 1.5, 2.0]
    """
    wanted = (np.asarray(y_true).ravel() == target).astype(np.float64)
    values = np.asarray(scores, dtype=np.float64).ravel()
    if len(wanted) != len(values):
        raise DataError(
            f"hit_curve needs one score per label. Got {len(wanted)} labels and "
            f"{len(values)} scores."
        )
    if np.isnan(values).any():
        raise DataError("hit_curve needs scores that can be compared. Some are NaN.")
    order = np.argsort(-values, kind="stable")
    found = np.concatenate([[0.0], np.cumsum(wanted[order])])
    ends = np.flatnonzero(np.r_[values[order][1:] != values[order][:-1], True]) + 1
    corners = np.concatenate([[0], ends])
    return np.interp(np.arange(len(values) + 1), corners, found[corners])


def precision_at(k: int, y_true: Any, scores: Any, *, target: object = True) -> float:
    """Share of wanted records among the k ranked highest, ties taken at random.

    >>> precision_at(2, [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.5
    """
    check_param("precision_at", "k", k, Integer(1))
    curve = hit_curve(y_true, scores, target=target)
    top = min(k, len(curve) - 1)
    return float(curve[top] / top)


def partial_area(k: int, y_true: Any, scores: Any, *, target: object = True) -> float:
    """Area under the hit curve of the k ranked highest, as a share of the best possible.

    One if every record looked at first is wanted (or all wanted come first), zero if none is.

    >>> partial_area(2, [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.75
    """
    check_param("partial_area", "k", k, Integer(1))
    curve = hit_curve(y_true, scores, target=target)
    top = min(k, len(curve) - 1)
    best = np.minimum(np.arange(top + 1), curve[-1])
    area = float(np.trapezoid(best))
    return float(np.trapezoid(curve[: top + 1])) / area if area else 0.0
