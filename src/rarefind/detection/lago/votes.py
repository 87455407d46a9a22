"""The votes of known examples for other records, and their sum."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import logsumexp

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.progress import announce
from rarefind.core.threads import in_threads
from rarefind.detection.lago.exponents import Expansion, sum_logarithms
from rarefind.detection.lago.profiles import PROFILES
from rarefind.geometry import Euclidean, Measure, row_blocks, thresholds

LOWEST = float(np.log(np.finfo(np.float64).smallest_subnormal))
"""The logarithm of the smallest number above zero: where the order of unvoted records starts."""

_BLOCK_BYTES = 2**21
"""A block of this size stays in the processor's cache."""

_FAINT = -700.0
"""Exponents below are cut off, because numbers too small for their type are slow to compute."""

_SMALL = 1e-280
"""Sums below may be all cut-offs."""

_every_digit: ContextVar[bool] = ContextVar("every_digit", default=False)


@contextmanager
def every_digit() -> Iterator[None]:
    """Take all votes inside the block in double precision, however many there are.

    Then a score does not depend on how many are computed together: records scored by stream, or
    on a cluster, have the scores of one machine. It takes up to half as long again.
    """
    token = _every_digit.set(True)
    try:
        yield
    finally:
        _every_digit.reset(token)


@dataclass(frozen=True)
class Voters:
    """Known examples with their reach.

    ``bandwidths`` is one number per centre, or one row per centre with a number per feature;
    ``weights`` sum to one. ``order_zeros`` orders the records that nobody votes for.
    """

    centres: Records
    bandwidths: FloatArray
    weights: FloatArray
    profile: str
    measure: Measure
    order_zeros: bool = True

    def votes(self, records: Records, stretch: FloatArray | None = None) -> FloatArray:
        """Every centre's vote for every record, without the centre's weight.

        ``stretch`` widens all bandwidths for a record, each record by its own number.
        """
        if self.bandwidths.ndim == 1 or self.profile == "gaussian":
            return PROFILES[self.profile](self.scaled(records, stretch))
        product = np.ones((len(records), len(self.bandwidths)))
        for feature, column in enumerate(self.bandwidths.T):
            gap = np.abs(records[:, feature, None] - self.centres[None, :, feature])
            product *= PROFILES[self.profile](gap / column)
        return product

    def sums(self, records: Records) -> FloatArray:
        """Take the weighted mean vote for every record: LAGO's score as published."""
        return self._by_blocks(records, logarithm=False)

    def logarithms(self, records: Records, stretch: FloatArray | None = None) -> FloatArray:
        """Take the logarithm of the score, with an order among records that nobody votes for."""
        return self._by_blocks(records, stretch, logarithm=True)

    def _by_blocks(
        self, records: Records, stretch: FloatArray | None = None, *, logarithm: bool
    ) -> FloatArray:
        n, m = count(records), len(self.bandwidths)
        scores = np.empty(n)
        single = n * m >= thresholds.SINGLE_PRECISION_VOTES and not _every_digit.get()
        vectors = isinstance(records, np.ndarray)
        blocks = list(row_blocks(n, m, block_bytes=_BLOCK_BYTES) if vectors else row_blocks(n, m))

        def score(part: slice) -> slice:
            block = take(records, part)
            wider = None if stretch is None else stretch[part]
            if logarithm:
                scores[part] = self._logarithm(block, wider, single=single)
            else:
                scores[part] = self._sum(block, wider)
            return part

        if vectors and n * m >= thresholds.THREADED_VOTES:
            self._quick  # noqa: B018  (made once, before threads would each make it)
            parts = in_threads(score, blocks, thresholds.VOTE_THREADS)
        else:
            parts = map(score, blocks)
        for part in parts:
            announce("scoring", part.stop, n)
        return scores

    def _sum(self, block: Records, stretch: FloatArray | None) -> FloatArray:
        exponents = self._exponents(block, stretch)
        if exponents is None:
            return self.votes(block, stretch) @ self.weights
        np.maximum(exponents, _FAINT, out=exponents)
        return np.exp(exponents, out=exponents).sum(axis=0)

    def _logarithm(self, block: Records, stretch: FloatArray | None, *, single: bool) -> FloatArray:
        exponents = self._exponents(block, stretch)
        if exponents is not None:
            return sum_logarithms(exponents, single=single)
        sums = self.votes(block, stretch) @ self.weights
        # A sum of very small numbers has lost digits: below this, add up logarithms instead.
        small = np.flatnonzero(sums < _SMALL)
        logarithms = np.log(np.where(sums < _SMALL, 1.0, sums))
        if not len(small):
            return logarithms
        if self.profile != "gaussian" and not self.order_zeros:
            logarithms[small] = np.log(np.maximum(sums[small], np.exp(LOWEST)))
            return logarithms
        wider = None if stretch is None else stretch[small]
        scaled = self.scaled(take(block, small), wider)
        logarithms[small] = faint_logarithms(scaled, sums[small], self.weights, self.profile)
        return logarithms

    def _exponents(self, block: Records, stretch: FloatArray | None) -> FloatArray | None:
        """Exponents of Gaussian votes by the quick formula, or None where it does not do."""
        if self._quick is None or not isinstance(block, np.ndarray):
            return None
        return self._quick.exponents(block, stretch)

    def scaled(self, records: Records, stretch: FloatArray | None = None) -> FloatArray:
        """Distances of records from centres, in bandwidths."""
        if self.bandwidths.ndim == 1:
            distances = self.measure(records, self.centres)
            distances /= self.bandwidths
        else:
            squared = np.zeros((len(records), len(self.bandwidths)))
            for feature, column in enumerate(self.bandwidths.T):
                gap = (records[:, feature, None] - self.centres[None, :, feature]) / column
                squared += gap * gap
            distances = np.sqrt(squared, out=squared)
        if stretch is not None:
            distances /= stretch[:, None]
        return distances

    @cached_property
    def _quick(self) -> Expansion | None:
        plain = type(self.measure) is Euclidean and isinstance(self.centres, np.ndarray)
        if self.profile != "gaussian" or not plain:
            return None
        return Expansion.of(self.centres, self.bandwidths, self.weights)


def faint_logarithms(
    scaled: FloatArray, sums: FloatArray, weights: FloatArray, profile: str
) -> FloatArray:
    """Logarithms of sums that are zero or nearly so.

    The Gaussian's are added up as logarithms. With a profile that ends, records that nobody
    votes for come below all others, in the order the Gaussian profile would give them.
    """
    with np.errstate(divide="ignore"):
        gaussian: FloatArray = np.asarray(logsumexp(-0.5 * scaled**2 + np.log(weights), axis=1))
    if profile == "gaussian":
        return gaussian
    tiny = np.exp(LOWEST)
    return np.where(sums > 0, np.log(np.maximum(sums, tiny)), LOWEST + gaussian)


@dataclass(frozen=True)
class Vote:
    """One known example's vote for a record.

    ``row`` is the example's row in the training data, ``distance`` its distance from the record
    in bandwidths, ``vote`` between 0 and 1, and ``share`` its part of the whole score.
    """

    row: int
    distance: float
    vote: float
    share: float


def explain_votes(
    voters: Voters, record: Records, rows: IntArray, stretch: FloatArray | None = None
) -> list[Vote]:
    """Split the score of one record into the votes that make it up, strongest first."""
    scaled, votes = voters.scaled(record, stretch)[0], voters.votes(record, stretch)[0]
    parts = votes * voters.weights
    if parts.sum() <= 0:
        # Nobody votes: the order comes from the Gaussian profile, so that is what is explained.
        exponents = -0.5 * scaled**2
        parts = np.exp(exponents - exponents.max()) * voters.weights
    shares = parts / parts.sum()
    order = np.lexsort((rows, scaled, -shares))
    return [Vote(int(rows[i]), float(scaled[i]), float(votes[i]), float(shares[i])) for i in order]
