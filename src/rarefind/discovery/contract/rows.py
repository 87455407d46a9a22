"""Rows as callers name them: checked, and those that are out with who asked about them."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from typing import Any

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.core.errors import ParameterError, UnknownNameError


def checked_row(row: Any, n: int) -> int:
    """Return the row as a whole number, or refuse what is none of the ``n`` rows."""
    if isinstance(row, bool) or not isinstance(row, numbers.Integral):
        raise ParameterError(f"A row must be a whole number from 0. Got {row!r} instead.")
    if not 0 <= int(row) < n:
        raise UnknownNameError(
            f"There is no row {row}: the hunt has {n} records, rows 0 to {n - 1}."
        )
    return int(row)


def held_rows(
    exclude: Any, skipped: Mapping[int, AskedBy], asked: Mapping[int, AskedBy], n: int
) -> dict[int, AskedBy]:
    """List the questions that are out, with who asked them: those skipped, and those excluded."""
    if not isinstance(exclude, Iterable) or isinstance(exclude, str):
        raise ParameterError(
            f"The 'exclude' parameter of Hunt.ask must be a list of rows. Got {exclude!r} instead."
        )
    held = dict(skipped)
    known = exclude if isinstance(exclude, Mapping) else asked
    for each in exclude:
        row = checked_row(each, n)
        held[row] = known.get(row, UNKNOWN)
    return held
