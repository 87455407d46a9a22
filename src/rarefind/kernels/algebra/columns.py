"""Putting features of kernels side by side, and multiplying them with each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import NotAvailableError
from rarefind.core.memory_guard import ensure_fits
from rarefind.kernels.contract import Features, Kernel
from rarefind.kernels.reference import dense

MOST_COLUMNS = 10_000
"""More columns than this are not multiplied out: the kernel itself is cheaper then."""


def side_by_side(parts: Sequence[Features]) -> Features:
    """Join the columns of all parts; sparse if one of them is."""
    if any(sparse.issparse(part) for part in parts):
        return sparse.csr_array(sparse.hstack([sparse.csr_array(part) for part in parts]))
    return np.hstack(parts)


def multiplied(left: Features, right: Features, owner: Kernel) -> FloatArray:
    """All products of a column on the left with a column on the right."""
    columns = left.shape[1] * right.shape[1]
    if columns > MOST_COLUMNS:
        raise NotAvailableError(
            f"{type(owner).__name__} would need {columns} features, more than the {MOST_COLUMNS} "
            "that are worth listing. Call the kernel itself for similarities."
        )
    ensure_fits(
        8 * left.shape[0] * columns,
        f"A matrix of {left.shape[0]} x {columns} features",
        "Call the kernel itself for similarities, or take fewer records at a time.",
    )
    product = dense(left)[:, :, None] * dense(right)[:, None, :]
    return product.reshape(left.shape[0], columns)


def rows_scaled(matrix: Features, factors: FloatArray) -> Features:
    """Multiply each row by its own factor."""
    if sparse.issparse(matrix):
        return sparse.csr_array(sparse.diags_array(factors) @ matrix)
    return np.asarray(matrix * factors[:, None])
