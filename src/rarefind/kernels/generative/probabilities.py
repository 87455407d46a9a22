"""Checked probabilities of generative models."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import ParameterError


def probability_table(
    value: Any, name: str, owner: str, rows: int | None = None, columns: int | None = None
) -> FloatArray:
    """Check a table whose rows are distributions (one row, if ``rows`` is zero)."""
    try:
        table = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.full(0, np.nan)
    wanted = 1 if rows == 0 else 2
    if table.ndim != wanted or table.size == 0 or not np.isfinite(table).all():
        form = "a list of probabilities" if wanted == 1 else "rows of probabilities"
        raise ParameterError(
            f"The {name!r} parameter of {owner} must be {form}. Got {value!r} instead."
        )
    for what, axis, expected in (("rows", 0, rows), ("columns", -1, columns)):
        if expected and table.shape[axis] != expected:
            raise ParameterError(
                f"The {name!r} parameter of {owner} must have {expected} {what}. "
                f"Got {table.shape[axis]} instead."
            )
    if (table < 0).any() or (table > 1).any():
        strange = table[(table < 0) | (table > 1)][0]
        raise ParameterError(
            f"The {name!r} parameter of {owner} must hold probabilities between 0 and 1. "
            f"Got {strange:g}."
        )
    sums = np.atleast_1d(table.sum(axis=-1))
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) > 1e-8:
        where = f"row {worst} sums" if wanted == 2 else "it sums"
        raise ParameterError(
            f"The {name!r} parameter of {owner} must have rows that sum to one; "
            f"{where} to {sums[worst]:.6g}."
        )
    return table
