"""Choosing the settings that rank known records best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray
from rarefind.core.precision import tie_groups
from rarefind.detection.lago.leave_one_out import LeaveOneOut, Radii

NEIGHBOUR_GRID = (1, 3, 5, 10, 20, 30)
"""Numbers of neighbours tried, over the authors' own range: they matter less than the bandwidth."""

ALPHA_GRID = tuple(2.0 ** (step / 2) for step in range(-7, 7))
"""Bandwidths tried: from an eleventh to eight times the radius, in steps of a root of two."""

SHARE_GRID = (0.0, 0.5)
"""Shares of the record's own radius tried: none as published, and the geometric mean of both."""

POWER_GRID = (0.0, 1.0, 2.0, 4.0)
"""Powers of the density tried: none as published, then correction in doubling strength. A
choice."""

DEFAULT_NEIGHBOURS = 5
"""Where the search begins, and what is taken of equals: usually enough, as the authors say."""

DEFAULT_ALPHA = 1.0
"""Where the search begins, and what is taken of equals: the authors' default, the radius itself."""


@dataclass(frozen=True)
class Trial:
    """What one choice of settings achieves by leave-one-out."""

    n_neighbors: int
    alpha: float
    density_share: float
    density_power: float
    average_precision: float


class Tuning:
    """Settings tried so far on one problem, and the best of them."""

    def __init__(self, problem: LeaveOneOut, neighbours: Sequence[int]) -> None:
        self.problem = problem
        self.middle = DEFAULT_NEIGHBOURS if DEFAULT_NEIGHBOURS in neighbours else neighbours[0]
        self.powers = POWER_GRID if problem.local is not None else (0.0,)
        self.trials: list[Trial] = []
        self._tried: set[tuple[int, float, float]] = set()
        self._reaches: dict[int, Radii] = {}

    def try_out(self, n_neighbors: int, alpha: float, share: float) -> None:
        """Try settings with every power of the local radius, unless that has been done."""
        if (n_neighbors, alpha, share) in self._tried:
            return
        self._tried.add((n_neighbors, alpha, share))
        if n_neighbors not in self._reaches:
            self._reaches[n_neighbors] = self.problem.reach(n_neighbors)
        reach = self._reaches[n_neighbors]
        precisions = self.problem.average_precisions(reach, alpha, share, self.powers)
        for power, precision in zip(self.powers, precisions, strict=True):
            self.trials.append(Trial(n_neighbors, alpha, share, power, round(precision, 9)))

    def best(self, share: float | None = None) -> Trial:
        """Find the best trial; of equals, which few examples often give, the most usual."""
        trials = [trial for trial in self.trials if share in (None, trial.density_share)]
        return max(
            trials,
            key=lambda trial: (
                trial.average_precision,
                -trial.density_share - trial.density_power,
                -abs(np.log(trial.alpha / DEFAULT_ALPHA)),
                -abs(trial.n_neighbors - self.middle),
            ),
        )


def tune(
    problem: LeaveOneOut,
    neighbours: Sequence[int],
    alphas: Sequence[float],
    shares: Sequence[float] = (0.0,),
) -> tuple[Trial, list[Trial]]:
    """Find the settings of the best average precision.

    Alpha is searched with the middle number of neighbours, coarsely and then finely, before the
    other numbers are tried: it matters much more (the authors say so too).
    """
    tuning = Tuning(problem, neighbours)
    coarse = [alpha for alpha in alphas[1::2] or alphas if alpha <= DEFAULT_ALPHA] or alphas
    for share in shares:
        for alpha in coarse:
            tuning.try_out(tuning.middle, alpha, share)
        for alpha in alphas:
            # Wider votes only blur more once they have begun to.
            if alpha > DEFAULT_ALPHA and tuning.best(share).alpha * 2.0 >= alpha:
                tuning.try_out(tuning.middle, alpha, share)
    best = tuning.best()
    for alpha in _beside(alphas, best.alpha):
        tuning.try_out(best.n_neighbors, alpha, best.density_share)
    best = tuning.best()
    for k in neighbours:
        tuning.try_out(k, best.alpha, best.density_share)
    best = tuning.best()
    for alpha in _beside(alphas, best.alpha):
        tuning.try_out(best.n_neighbors, alpha, best.density_share)
    return tuning.best(), tuning.trials


def _beside(values: Sequence[float], value: float) -> list[float]:
    at = values.index(value)
    return list(values[max(0, at - 1) : at + 2])


def threshold(wanted: BoolArray, scores: FloatArray, weights: FloatArray) -> float:
    """Choose where to cut the ranking: between two scores, at the largest F1 of the class."""
    hits, sizes, values = tie_groups(wanted, scores, weights)
    f1 = 2.0 * np.cumsum(hits) / (np.cumsum(sizes) + hits.sum())
    cut = int(np.argmax(np.round(f1, 12)))
    if cut + 1 < len(values):
        return float(values[cut] + values[cut + 1]) / 2.0
    return float(values[cut]) - 1.0
