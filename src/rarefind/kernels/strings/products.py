"""Inner products of sparse feature rows, by whichever of BLAS and sparse products is cheaper."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray
from rarefind.core.progress import announce

DENSE_CELLS = 2**26  # a dense copy of the features may hold this many numbers
BLOCK_ROWS = 1024
"""Rows of the Gram matrix made at a time, so that dense copies stay small."""

EXACT_IN_SINGLE = 2**24
"""Whole numbers up to here are exact in single precision, whose products are twice as fast."""


def inner_products(left: sparse.csr_array, right: sparse.csr_array | None) -> FloatArray:
    """All inner products of the rows of ``left`` with those of ``right`` (None: with each other).

    >>> inner_products(sparse.csr_array([[1.0, 2.0], [0.0, 1.0]]), None)
    array([[5., 2.],
           [2., 1.]])
    """
    other = left if right is None else right
    (n, columns), m = left.shape, other.shape[0]
    used_left = np.bincount(left.indices, minlength=columns).astype(np.float64)
    used_right = np.bincount(other.indices, minlength=columns).astype(np.float64)
    # Seconds, roughly: a sparse product touches every pair of entries in a column, one by one.
    sparse_cost = 4e-9 * float(used_left @ used_right)
    dense_cost = 1e-10 * n * m * columns + 2e-9 * (n + m) * columns
    if (n + m) * columns <= DENSE_CELLS and dense_cost < sparse_cost:
        return _dense(left, right)
    return _sparse(left, right)


def squared_lengths(features: sparse.csr_array) -> FloatArray:
    """Inner product of every row with itself."""
    return np.asarray(features.multiply(features).sum(axis=1), dtype=np.float64).ravel()


def _exact_in_single(rows: sparse.csr_array) -> bool:
    """Whether all sums in inner products of these rows are whole numbers below 2**24.

    Single precision holds those exactly, and multiplies twice as fast.
    """
    largest = float(squared_lengths(rows).max(initial=0.0))
    return largest < EXACT_IN_SINGLE and bool(np.array_equal(rows.data, np.rint(rows.data)))


def _dense(left: sparse.csr_array, right: sparse.csr_array | None) -> FloatArray:
    if _exact_in_single(left) and (right is None or _exact_in_single(right)):
        left = left.astype(np.float32)
        right = None if right is None else right.astype(np.float32)
    rows = left.toarray()
    others = rows if right is None else right.toarray()
    return (rows @ others.T).astype(np.float64, copy=False)


def _sparse(left: sparse.csr_array, right: sparse.csr_array | None) -> FloatArray:
    other = left if right is None else right
    n, m = left.shape[0], other.shape[0]
    gram = np.empty((n, m))
    for start in range(0, n, BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, n)
        first = start if right is None else 0
        block: Any = (left[start:stop] @ other[first:].T).toarray()
        gram[start:stop, first:] = block
        if right is None:
            gram[stop:, start:stop] = block[:, stop - start :].T
        if n > BLOCK_ROWS:
            announce("similarities", stop, n)
    return gram
