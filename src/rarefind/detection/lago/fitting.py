"""Fitting LAGO for one class: neighbours, settings, radii, the cut."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, Records, take
from rarefind.core.errors import RarefindWarning
from rarefind.detection.lago.density import DENSITY_NEIGHBOURS, density_floor, density_rows
from rarefind.detection.lago.leave_one_out import LeaveOneOut
from rarefind.detection.lago.profiles import profile_name
from rarefind.detection.lago.radii import NearestBackground, find_nearest
from rarefind.detection.lago.tuning import (
    ALPHA_GRID,
    DEFAULT_ALPHA,
    DEFAULT_NEIGHBOURS,
    NEIGHBOUR_GRID,
    SHARE_GRID,
    Trial,
    threshold,
    tune,
)
from rarefind.detection.lago.votes import Voters
from rarefind.geometry import Measure

if TYPE_CHECKING:
    from rarefind.detection.lago.estimator import Lago


@dataclass(frozen=True)
class TargetFit:
    """What is learnt for one class."""

    rows: IntArray
    radii: FloatArray
    best: Trial
    offset: float
    density_floor: float
    density_rows: IntArray
    trials: list[Trial]


def fit_target(
    lago: Lago, records: Records, wanted: BoolArray, weight: FloatArray, measure: Measure
) -> TargetFit:
    """Learn radii and settings for the wanted records against all others."""
    rows, others = np.flatnonzero(wanted), np.flatnonzero(~wanted)
    centres, background = take(records, rows), take(records, others)
    weights = (weight[rows], weight[others])
    neighbours = _neighbour_choices(lago, float(weights[1].sum()))
    nearest = find_nearest(centres, background, weights[1], measure, max(neighbours) + 1)
    by_feature = lago.bandwidth == "diagonal"
    profile = profile_name(lago.profile, lago.geometry)
    # With one example nothing can be left out; its order does not depend on the settings.
    alone = len(rows) == 1 and weights[0][0] <= 1.0
    density = density_rows(len(others)) if lago.density_correction and not alone else None
    problem = LeaveOneOut(
        centres,
        background,
        weights,
        nearest,
        measure,
        profile,
        by_feature=by_feature,
        order_zeros=lago.order_zeros,
        density=density,
    )
    trials: list[Trial] = []
    alphas = list(ALPHA_GRID) if lago.alpha == "auto" else [float(lago.alpha)]
    if alone:
        k = DEFAULT_NEIGHBOURS if DEFAULT_NEIGHBOURS in neighbours else max(neighbours)
        alpha = DEFAULT_ALPHA if lago.alpha == "auto" else alphas[0]
        best = Trial(k, alpha, 0.0, 0.0, float("nan"))
    else:
        shares = SHARE_GRID if lago.density_correction and not by_feature else (0.0,)
        best, trials = tune(problem, neighbours, alphas, shares)
    radii = _radii(nearest, best.n_neighbors, centres, background, by_feature=by_feature)
    if alone:
        widths = radii * best.alpha
        voters = Voters(centres, widths, np.ones(1), profile, measure, lago.order_zeros)
        judged = np.concatenate(
            [voters.logarithms(centres), voters.logarithms(take(background, problem.rows))]
        )
    else:
        plain = problem.scores(problem.reach(best.n_neighbors), best.alpha, best.density_share)
        judged = problem.corrected(plain, best.density_power)
    offset = threshold(problem.wanted, judged, problem.weights)
    floor = density_floor(nearest.radii(DENSITY_NEIGHBOURS))
    used = density is not None and bool(best.density_share or best.density_power)
    seen = others[density] if density is not None and used else others[:0]
    return TargetFit(rows, radii, best, offset, floor, seen, trials)


def _radii(
    nearest: NearestBackground, k: int, centres: Records, background: Records, *, by_feature: bool
) -> FloatArray:
    if by_feature:
        return nearest.radii_by_feature(k, centres, background)
    return nearest.radii(k)


def _neighbour_choices(lago: Lago, available: float) -> list[int]:
    """List the numbers of neighbours to try, none above what the background has."""
    most = max(1, int(available))
    if lago.n_neighbors == "auto":
        return [k for k in NEIGHBOUR_GRID if k <= most]
    if lago.n_neighbors > most:
        warnings.warn(
            f"The 'n_neighbors' parameter of Lago is {lago.n_neighbors}, but there are only {most} "
            f"background records; {most} is used.",
            RarefindWarning,
            stacklevel=4,
        )
    return [min(int(lago.n_neighbors), most)]
