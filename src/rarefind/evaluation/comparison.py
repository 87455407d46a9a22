"""Is one method better than another on the same data sets, or was it luck?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import wilcoxon

from rarefind.core.errors import DataError
from rarefind.core.random import generator

_RESAMPLES = 4000
"""The ends of a 95 % interval then rest on a hundred means each."""


@dataclass(frozen=True)
class PairedComparison:
    """One method against another on the same cases.

    Attributes
    ----------
    difference
        Mean of first minus second.
    low, high
        The 95 % interval of that mean, by resampling cases.
    wins, ties, losses
        On how many cases the first is larger, equal, smaller.
    p_value
        Chance of differences as large if neither were better (Wilcoxon's signed-rank test, exact
        for few cases without ties).
    """

    difference: float
    low: float
    high: float
    wins: int
    ties: int
    losses: int
    p_value: float

    def __str__(self) -> str:
        verdict = "more than chance explains" if self.p_value < 0.05 else "chance may explain it"
        return (
            f"difference {self.difference:+.3g} (95 %: {self.low:+.3g} to {self.high:+.3g}), "
            f"{self.wins} wins, {self.ties} ties, {self.losses} losses, p = {self.p_value:.2g}: "
            f"{verdict}"
        )


def compare_paired(first: Any, second: Any, *, random_state: int = 0) -> PairedComparison:
    """Compare two methods case by case: average precisions over splits, labels over seeds, ...

    >>> result = compare_paired([0.9, 0.8, 0.95, 0.7, 0.85, 0.9], [0.7, 0.6, 0.9, 0.65, 0.5, 0.6])
    >>> result.wins, round(result.p_value, 3)
    (6, 0.031)
    """
    a, b = _numbers(first, "first"), _numbers(second, "second")
    if len(a) != len(b):
        raise DataError(
            f"compare_paired needs both methods on the same cases. Got {len(a)} and {len(b)}."
        )
    difference = a - b
    rng = generator(random_state, "compare_paired")
    means = difference[rng.integers(0, len(a), (_RESAMPLES, len(a)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    apart = difference != 0
    p_value = float(wilcoxon(difference[apart]).pvalue) if apart.sum() > 1 else 1.0
    return PairedComparison(
        float(difference.mean()),
        float(low),
        float(high),
        int((difference > 0).sum()),
        int((~apart).sum()),
        int((difference < 0).sum()),
        p_value,
    )


def _numbers(values: Any, name: str) -> np.ndarray:
    numbers = np.asarray(values, dtype=np.float64).ravel()
    if not len(numbers) or not np.isfinite(numbers).all():
        raise DataError(
            f"The '{name}' parameter of compare_paired must hold finite numbers, one for each "
            f"case. Got {numbers.tolist()[:5]}."
        )
    return numbers
