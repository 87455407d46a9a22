"""Judging settings by known records, each without its own part in the result.

Distances are measured once, between a bounded number of records: the known examples, the
background nearest to them (where errors are made), and a random sample of the rest that stands
for all of it by weight. Memory therefore does not grow with the background.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, Records, count, take
from rarefind.core.precision import expected_precision, tie_groups
from rarefind.detection.lago.density import DENSITY_NEIGHBOURS, density_floor, local_radii
from rarefind.detection.lago.profiles import PROFILES
from rarefind.detection.lago.radii import NearestBackground
from rarefind.detection.lago.votes import LOWEST, Voters
from rarefind.geometry import Measure, row_blocks

_ENTRIES = 1_250_000
"""About so many distances are kept for judging settings."""
_EXACT_ENTRIES = 1_000_000
"""Up to this many distances double precision costs nothing worth saving."""
_FAINT: Mapping[Any, float] = {np.float32: -85.0, np.float64: -700.0}
"""Exponents below are cut off, because numbers too small for their type are slow to compute."""
_MOST_VOTERS = 2000
"""Examples whose votes are tried out; a random part of more shows the same settings to be best. A
choice that bounds time."""

_MOST_JUDGED = 1000
"""Examples whose ranks count: the error of a mean over so many is a hundredth or two."""

_MOST_BACKGROUND = 6000
"""Background records judged: the nearest, where errors are made, and a sample. A choice that bounds
time, like the 2,000 below which it never goes."""


@dataclass(frozen=True)
class Radii:
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
        density: IntArray | None = None,
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
            self.nearest.rows, weights[1], max(2000, min(_MOST_BACKGROUND, _ENTRIES // cost)), rng
        )
        # Sorted, so that a background record is found among those judged.
        order = np.argsort(rows)
        self.rows, shares = rows[order], shares[order]
        scale = weights[0].sum() / self.centre_weights[: self.judged].sum()
        self.weights = np.concatenate([self.centre_weights[: self.judged] * scale, shares])
        self.wanted: BoolArray = np.arange(len(self.weights)) < self.judged
        entries = len(self.weights) * len(self.voters)
        self.dtype = np.float64 if entries <= _EXACT_ENTRIES else np.float32
        self.squares = None if by_feature else self.measured_squares()
        self.local = None if density is None else self._local(weights[1], density)

    def reach(self, n_neighbors: float) -> Radii:
        """Measure how far the voters reach with this number of neighbours."""
        if self.by_feature:
            radii = self.nearest.radii_by_feature(n_neighbors, self.centres, self.background)
        else:
            radii = self.nearest.radii(n_neighbors)
        columns, rows, factors = self.nearest.shrinkage(n_neighbors)
        places = np.searchsorted(self.rows, rows).clip(max=len(self.rows) - 1)
        known = self.rows[places] == rows
        order = np.argsort(places[known], kind="stable")
        return Radii(
            radii,
            places[known][order] + self.judged,
            columns[known][order],
            factors[known][order],
        )

    def scores(self, reach: Radii, alpha: float, share: float = 0.0) -> FloatArray:
        """Logarithms of the scores of the records judged, positives first.

        ``share`` is the part that the background around the judged record has in the bandwidth.
        """
        total = self.centre_weights.sum()
        weights = self.centre_weights / total
        bandwidths = alpha * reach.radii ** (1.0 - share)
        stretch = None if self.local is None or share == 0.0 else self.local**share
        parts = []
        size = 2**20 if self.squares is not None else 2**25
        for part in row_blocks(len(self.weights), len(self.voters), block_bytes=size):
            votes = self._block(part, reach, bandwidths, stretch)
            sums = votes @ weights.astype(votes.dtype)
            own = np.arange(part.start, min(part.stop, self.judged))
            if len(own):
                # Of a record that stands for several only one is left out.
                left = np.maximum(self.centre_weights[own] - 1.0, 0.0)
                rest = total - np.minimum(self.centre_weights[own], 1.0)
                sums[: len(own)] = (sums[: len(own)] * total + left) / rest
            parts.append(self._logarithm(sums, part.start, bandwidths, stretch))
        # Rounded, so that equal records stay tied whatever order their votes were added in.
        return np.round(np.concatenate(parts), 9 if self.dtype == np.float64 else 4)

    def average_precisions(
        self, reach: Radii, alpha: float, share: float = 0.0, powers: Sequence[float] = (0.0,)
    ) -> list[float]:
        """How well the records judged are ranked, for each power of the local radius."""
        scores = self.scores(reach, alpha, share)
        return [self.precision_of(scores, power) for power in powers]

    def precision_of(self, scores: FloatArray, power: float) -> float:
        """Average precision of scores times a power of the local radius."""
        hits, sizes, _ = tie_groups(self.wanted, self.corrected(scores, power), self.weights)
        return expected_precision(hits, sizes)

    def corrected(self, scores: FloatArray, power: float) -> FloatArray:
        """Multiply scores (given as logarithms) by a power of the local radius."""
        if self.local is None or power == 0.0:
            return scores
        return np.round(scores + power * np.log(self.local), 9)

    def _local(self, weights: FloatArray, density: IntArray) -> FloatArray:
        """Radii of the judged records among the background, none counting itself."""
        least = density_floor(self.nearest.radii(DENSITY_NEIGHBOURS))
        centres = take(self.centres, slice(0, self.judged))
        others = take(self.background, self.rows)
        common = (take(self.background, density), weights[density], self.measure, least)
        own = np.where(np.isin(self.rows, density), weights[self.rows], 0.0)
        return np.concatenate(
            [local_radii(centres, *common), local_radii(others, *common, own=own)]
        )

    def measured_squares(self) -> FloatArray:
        """Squared distances of the records judged from the voters; no positive sees itself."""
        queries = (take(self.centres, slice(0, self.judged)), take(self.background, self.rows))
        whole = np.empty((len(self.weights), len(self.voters)), dtype=self.dtype)
        start = 0
        for records in queries:
            for part in row_blocks(count(records), len(self.voters), block_bytes=2**22):
                block = self.measure(take(records, part), self.centres)
                whole[start : start + len(block)] = block**2
                start += len(block)
        own = np.arange(self.judged)
        whole[own, own] = np.inf
        return whole

    def _block(
        self, part: slice, reach: Radii, bandwidths: FloatArray, stretch: FloatArray | None
    ) -> FloatArray:
        """Votes for some of the records judged."""
        pairs = slice(*np.searchsorted(reach.rows, [part.start, part.stop]))
        rows, columns = reach.rows[pairs] - part.start, reach.columns[pairs]
        factors = reach.factors[pairs]
        if self.squares is not None:
            scale = bandwidths**-2.0 * (-0.5 if self.profile == "gaussian" else 1.0)
            scaled = self.squares[part] * scale.astype(self.dtype)
            if stretch is not None:
                scaled *= (stretch[part, None] ** -2.0).astype(self.dtype)
            scaled[rows, columns] *= factors**2
            if self.profile == "gaussian":
                np.maximum(scaled, _FAINT[self.dtype], out=scaled)
                return np.exp(scaled, out=scaled)
            return PROFILES[self.profile](np.sqrt(scaled, out=scaled))
        places = np.arange(part.start, part.stop)
        records, mine = self._records(places), places[places < self.judged]
        own = np.arange(len(mine))
        voters = self._voters(bandwidths)
        if self.profile == "gaussian":
            scaled = voters.scaled(records)
            scaled[rows, columns] *= factors
            scaled[own, mine] = np.inf
            return PROFILES["gaussian"](scaled)
        votes = voters.votes(records)
        gaps = np.abs(records[rows] - self.centres[columns]) / bandwidths[columns]
        votes[rows, columns] = PROFILES[self.profile](gaps * factors[:, None]).prod(axis=1)
        votes[own, mine] = 0.0
        return votes

    def _voters(self, bandwidths: FloatArray) -> Voters:
        flat = np.full(len(self.voters), 1.0)
        return Voters(self.centres, bandwidths, flat, self.profile, self.measure)

    def _records(self, places: IntArray) -> FloatArray:
        """Give the judged vectors at these places."""
        mine = places[places < self.judged]
        others = self.rows[places[places >= self.judged] - self.judged]
        return np.vstack([self.centres[mine], self.background[others]])

    def _logarithm(
        self, sums: FloatArray, start: int, bandwidths: FloatArray, stretch: FloatArray | None
    ) -> FloatArray:
        small = np.flatnonzero(sums < np.exp(_FAINT[sums.dtype.type] + 2.0))
        sums[small] = 1.0
        logarithms = np.log(sums).astype(np.float64)
        if len(small):
            # Of very small votes the largest decides.
            nearest = self._nearest(small + start, bandwidths)
            if stretch is not None:
                nearest /= stretch[small + start]
            faint = -0.5 * nearest**2
            ordered = self.profile == "gaussian" or self.order_zeros
            lowest = 0.0 if self.profile == "gaussian" else LOWEST
            logarithms[small] = lowest + (faint if ordered else 0.0)
        return logarithms

    def _nearest(self, places: IntArray, bandwidths: FloatArray) -> FloatArray:
        """Distance of the nearest voter, in its bandwidths."""
        if self.squares is not None:
            scaled = self.squares[places] * (bandwidths**-2.0).astype(self.dtype)
            return np.sqrt(scaled.min(axis=1).astype(np.float64))
        scaled = self._voters(bandwidths).scaled(self._records(places))
        mine = places[places < self.judged]
        scaled[np.arange(len(mine)), mine] = np.inf
        return scaled.min(axis=1)


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
