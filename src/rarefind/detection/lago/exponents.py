"""The exponents of Gaussian votes, many at a time, and their sums.

One matrix product gives the exponents of a block of records, a row for every centre, so that all
that follows runs along the records. An exponential takes longer than the distance it is of, but
nearly all votes are nothing next to the strongest: only those that count are computed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray

_LARGEST_ERROR = 1e-11
"""Largest error of a squared distance, in bandwidths, that the product may make."""

_ROUNDING = float(np.finfo(np.float64).eps)
"""The step between doubles at one: what an exponent loses, as a share of its parts."""

_FAINT = 40.0
"""Votes so many powers of e weaker than the strongest are below the last digit of their sum."""

_SINGLE_FAINT = np.float32(80.0)
"""The same where numbers of single precision end; smaller ones are slow to compute."""

MOSTLY_FAINT = 0.2
"""Up to this share of votes that count they are picked out; else all are computed."""


@dataclass(frozen=True)
class Expansion:
    """``log w - |x - c|²/2h²`` as a matrix product of numbers of the centres with ``x, x², 1, 1``.

    Attributes
    ----------
    middle
        The mean of the centres, which becomes the origin, so that lengths are small.
    matrix
        The left factor: one row for every centre.
    precision
        The largest of the inverse squared bandwidths.
    longest
        The largest squared length of a centre, from the middle.
    """

    middle: FloatArray
    matrix: FloatArray
    precision: float
    longest: float

    @classmethod
    def of(cls, centres: FloatArray, bandwidths: FloatArray, weights: FloatArray) -> Expansion:
        """Prepare the product; a bandwidth for every centre, or a row of one for each feature."""
        middle = centres.mean(axis=0)
        centred = centres - middle
        widths = bandwidths[:, None] if bandwidths.ndim == 1 else bandwidths
        precision = widths**-2.0
        lengths = (precision * centred**2).sum(axis=1)
        parts = (precision * centred, -0.5 * precision, -0.5 * lengths, np.log(weights))
        longest = float((centred**2).sum(axis=1).max(initial=0.0))
        return cls(middle, np.column_stack(parts), float(precision.max()), longest)

    def exponents(self, block: FloatArray, stretch: FloatArray | None = None) -> FloatArray | None:
        """Exponents of weighted votes, a row for every centre; None if they would be inaccurate.

        They are where lengths are huge against the bandwidths. ``stretch`` widens all bandwidths
        for a record, each record by its own number.
        """
        dimensions = block.shape[1]
        factor = np.empty((self.matrix.shape[1], len(block)))
        X, squares = factor[:dimensions], factor[dimensions:-2]
        np.subtract(block.T, self.middle[:, None], out=X)
        if len(squares) == dimensions:
            np.multiply(X, X, out=squares)
            lengths = squares.sum(axis=0)
        else:
            lengths = np.einsum("ij,ij->j", X, X, out=squares[0])
        longest = max(self.longest, float(lengths.max(initial=0.0)))
        if longest * self.precision * _ROUNDING > _LARGEST_ERROR:
            return None
        factor[-2:] = 1.0
        if stretch is not None:
            factor[:-1] /= stretch**2
        exponents: FloatArray = self.matrix @ factor
        return exponents


def sum_logarithms(exponents: FloatArray, *, single: bool = False) -> FloatArray:
    """Logarithm of the sum of e to the exponents of each column, which may be overwritten.

    Where most of them count, ``single`` computes in single precision, which leaves seven digits.

    >>> sum_logarithms(np.log([[1.0, 1e-300], [3.0, 3e-300]])) / np.log([4.0, 4e-300])
    array([1., 1.])
    """
    strongest = exponents.max(axis=0)
    strong = np.flatnonzero(exponents > strongest - _FAINT)
    if len(strong) <= MOSTLY_FAINT * exponents.size:
        column = strong - strong // len(strongest) * len(strongest)  # quicker than %
        votes = np.exp(exponents.ravel()[strong] - strongest[column])
        return strongest + np.log(np.bincount(column, votes, len(strongest)))
    if single:
        faint = np.empty(exponents.shape, dtype=np.float32)
        np.subtract(exponents, strongest, out=faint, casting="same_kind")
        np.maximum(faint, -_SINGLE_FAINT, out=faint)
        # Added up by rows, each column's in order, the sum keeps the digits there are.
        return strongest + np.log(np.exp(faint, out=faint).sum(axis=0).astype(np.float64))
    exponents -= strongest
    np.maximum(exponents, -_FAINT, out=exponents)
    return strongest + np.log(np.exp(exponents, out=exponents).sum(axis=0))
