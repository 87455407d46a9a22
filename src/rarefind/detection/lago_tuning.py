"""Choosing the bandwidth: average precision of known records, each without its own vote.

Distances are measured once, between a bounded number of records: the known examples, the
background nearest to them (where errors are made), and a random sample of the rest that stands
for all of it by weight. Memory therefore does not grow with the background.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, Records, count, take
from rarefind.core.ranking import expected_precision, tie_groups
from rarefind.detection.lago_profiles import PROFILES
from rarefind.detection.lago_radii import NearestBackground
from rarefind.detection.lago_votes import LOWEST, Voters, faint_logarithms
from rarefind.geometry import Measure, row_blocks

NEIGHBOUR_GRID = (1, 3, 5, 10, 20, 30)
ALPHA_GRID = tuple(2.0 ** (step / 2) for step in range(-7, 7))
DEFAULT_NEIGHBOURS = 5
DEFAULT_ALPHA = 1.0

_ENTRIES = 6_000_000
_EXACT_ENTRIES = 1_000_000
"""Up to this many distances double precision costs nothing worth saving."""
_MOST_VOTERS = 2000
_MOST_JUDGED = 1000


@dataclass(frozen=True)
class Trial:
    """What one pair of settings achieves."""

    n_neighbors: int
    alpha: float
    average_precision: float


@dataclass(frozen=True)
class Reach:
    """Radii of the voters, and factors for the pairs in which a judged record made the radius."""

    radii: FloatArray
    rows: IntArray
    columns: IntArray
    factors: FloatArray


class LeaveOneOut:
    """Scores of known records for any bandwidth, every positive's own vote left out."""

    def __init__(
        self,
        centres: Records,
        background: Records,
        weights: tuple[FloatArray, FloatArray],
        nearest: NearestBackground,
        measure: Measure,
        profile: str,
        *,
        by_feature: bool = False,
        order_zeros: bool = True,
    ) -> None:
        rng = np.random.default_rng(0)
        n1 = count(centres)
        self.voters: IntArray = np.arange(n1)
        if n1 > _MOST_VOTERS:
            self.voters = np.sort(rng.choice(n1, _MOST_VOTERS, replace=False))
        self.judged = min(len(self.voters), _MOST_JUDGED)
        self.profile, self.measure, self.order_zeros = profile, measure, order_zeros
        self.centres = take(centres, self.voters)
        self.centre_weights = weights[0][self.voters]
        self.nearest, self.by_feature = nearest.part(self.voters), by_feature
        self.background = background
        cost = len(self.voters)
        if by_feature and profile != "gaussian":
            cost *= self.centres.shape[1]
        rows, shares = choose_background(
            self.nearest.rows, weights[1], max(2000, min(10_000, _ENTRIES // cost)), rng
        )
        # Sorted, so that a background record is found among those judged.
        order = np.argsort(rows)
        self.rows, shares = rows[order], shares[order]
        scale = weights[0].sum() / self.centre_weights[: self.judged].sum()
        self.weights = np.concatenate([self.centre_weights[: self.judged] * scale, shares])
        self.wanted: BoolArray = np.arange(len(self.weights)) < self.judged
        entries = len(self.weights) * len(self.voters)
        self.dtype = np.float64 if entries <= _EXACT_ENTRIES else np.float32
        self.distances = None if by_feature else self._distances()

    def reach(self, n_neighbors: float) -> Reach:
        """Measure how far the voters reach with this number of neighbours."""
        if self.by_feature:
            radii = self.nearest.radii_by_feature(n_neighbors, self.centres, self.background)
        else:
            radii = self.nearest.radii(n_neighbors)
        columns, rows, factors = self.nearest.shrinkage(n_neighbors)
        places = np.searchsorted(self.rows, rows).clip(max=len(self.rows) - 1)
        known = self.rows[places] == rows
        order = np.argsort(places[known], kind="stable")
        return Reach(
            radii,
            places[known][order] + self.judged,
            columns[known][order],
            factors[known][order],
        )

    def scores(self, reach: Reach, alpha: float) -> FloatArray:
        """Logarithms of the scores of the records judged, positives first."""
        total = self.centre_weights.sum()
        weights = self.centre_weights / total
        parts = []
        n = len(self.weights)
        size = 2**21 if self.distances is not None else 2**25
        for part in row_blocks(n, len(self.voters), block_bytes=size):
            votes, scaled = self._block(part, reach, alpha)
            sums = votes @ weights.astype(votes.dtype)
            own = np.arange(part.start, min(part.stop, self.judged))
            if len(own):
                # Of a record that stands for several only one is left out.
                left = np.maximum(self.centre_weights[own] - 1.0, 0.0)
                rest = total - np.minimum(self.centre_weights[own], 1.0)
                sums[: len(own)] = (sums[: len(own)] * total + left) / rest
            parts.append(self._logarithm(sums, scaled, weights))
        # Rounded, so that equal records stay tied whatever order their votes were added in.
        return np.round(np.concatenate(parts), 9 if self.dtype == np.float64 else 4)

    def average_precision(self, reach: Reach, alpha: float) -> float:
        """How well the records judged are ranked."""
        hits, sizes, _ = tie_groups(self.wanted, self.scores(reach, alpha), self.weights)
        return expected_precision(hits, sizes)

    def _distances(self) -> FloatArray:
        queries = (take(self.centres, slice(0, self.judged)), take(self.background, self.rows))
        whole = np.empty((len(self.weights), len(self.voters)), dtype=self.dtype)
        start = 0
        for records in queries:
            for part in row_blocks(count(records), len(self.voters)):
                block = self.measure(take(records, part), self.centres)
                whole[start : start + len(block)] = block
                start += len(block)
        own = np.arange(self.judged)
        whole[own, own] = np.inf
        return whole

    def _block(self, part: slice, reach: Reach, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Votes for some of the records judged, and their distances in bandwidths."""
        pairs = slice(*np.searchsorted(reach.rows, [part.start, part.stop]))
        rows, columns = reach.rows[pairs] - part.start, reach.columns[pairs]
        bandwidths = reach.radii * alpha
        if self.distances is not None:
            scaled = self.distances[part] * (1.0 / bandwidths).astype(self.dtype)
            scaled[rows, columns] *= reach.factors[pairs]
            return PROFILES[self.profile](scaled.copy()), scaled
        places = np.arange(part.start, part.stop)
        mine = places[places < self.judged]
        records = np.vstack(
            [self.centres[mine], self.background[self.rows[places[len(mine) :] - self.judged]]]
        )
        flat = np.full(len(self.voters), 1.0)
        voters = Voters(self.centres, bandwidths, flat, self.profile, self.measure)
        scaled = voters.scaled(records)
        scaled[rows, columns] *= reach.factors[pairs]
        scaled[np.arange(len(mine)), mine] = np.inf
        if self.profile == "gaussian":
            return PROFILES["gaussian"](scaled.copy()), scaled
        votes = voters.votes(records)
        gaps = np.abs(records[rows] - self.centres[columns]) / bandwidths[columns]
        votes[rows, columns] = PROFILES[self.profile](gaps * reach.factors[pairs, None]).prod(
            axis=1
        )
        votes[np.arange(len(mine)), mine] = 0.0
        return votes, scaled

    def _logarithm(self, sums: FloatArray, scaled: FloatArray, weights: FloatArray) -> FloatArray:
        small = sums < np.finfo(sums.dtype).tiny
        logarithms = np.log(np.where(small, 1.0, sums)).astype(np.float64)
        if self.profile != "gaussian" and not self.order_zeros:
            logarithms[small] = LOWEST
        elif small.any():
            faint = scaled[small].astype(np.float64)
            logarithms[small] = faint_logarithms(
                faint, sums[small].astype(np.float64), weights, self.profile
            )
        return logarithms


def choose_background(
    nearest_rows: IntArray, weights: FloatArray, most: int, rng: np.random.Generator
) -> tuple[IntArray, FloatArray]:
    """Choose the background records to judge by, and the weight each stands for."""
    n0 = len(weights)
    if n0 <= most:
        return np.arange(n0), weights
    each = int(np.clip(most // 2 // len(nearest_rows), 1, nearest_rows.shape[1]))
    hard: IntArray = np.unique(nearest_rows[:, :each])
    if len(hard) > most // 2:
        hard = np.unique(rng.choice(nearest_rows[:, 0], most // 2, replace=False))
    others = np.setdiff1d(np.arange(n0), hard, assume_unique=True)
    sample = np.sort(rng.choice(others, most - len(hard), replace=False))
    shares = weights[sample] * (weights[others].sum() / weights[sample].sum())
    return np.concatenate([hard, sample]), np.concatenate([weights[hard], shares])


def tune(
    problem: LeaveOneOut, neighbours: Sequence[int], alphas: Sequence[float]
) -> tuple[int, float, list[Trial]]:
    """Find the number of neighbours and alpha of the best average precision.

    All values of alpha are tried with the middle number of neighbours, then the other numbers
    with the alphas next to the best: alpha matters much more (the authors say so too).
    """
    trials: dict[tuple[int, float], float] = {}
    middle = DEFAULT_NEIGHBOURS if DEFAULT_NEIGHBOURS in neighbours else neighbours[0]

    def try_all(k: int, values: Sequence[float]) -> None:
        reach = problem.reach(k)
        for alpha in values:
            trials[k, alpha] = round(problem.average_precision(reach, alpha), 9)

    def best() -> tuple[int, float]:
        # Equal results are common with few examples: then the usual setting nearest is taken.
        return max(
            trials,
            key=lambda pair: (
                trials[pair],
                -abs(np.log(pair[1] / DEFAULT_ALPHA)),
                -abs(pair[0] - middle),
            ),
        )

    try_all(middle, alphas)
    at = alphas.index(best()[1])
    for k in neighbours:
        if k != middle:
            try_all(k, alphas[max(0, at - 1) : at + 2])
    k, alpha = best()
    found = [Trial(*pair, precision) for pair, precision in trials.items()]
    return k, alpha, found


def threshold(wanted: BoolArray, scores: FloatArray, weights: FloatArray) -> float:
    """Choose where to cut the ranking: between two scores, at the largest F1 of the class."""
    hits, sizes, values = tie_groups(wanted, scores, weights)
    f1 = 2.0 * np.cumsum(hits) / (np.cumsum(sizes) + hits.sum())
    cut = int(np.argmax(np.round(f1, 12)))
    if cut + 1 < len(values):
        return float(values[cut] + values[cut + 1]) / 2.0
    return float(values[cut]) - 1.0
