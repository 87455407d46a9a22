"""Columns of records within records: each field becomes a column of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from rarefind.features.cells.gaps import is_gap
from rarefind.features.cells.writing import word_array

_MOST = 1000
"""Fields of one column at most: more are no fields but data, as words counted in a text."""


def spread_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Replace each column of records by its fields, named as in ``who.age``.

    >>> list(spread_columns({"who": np.array([{"age": 3, "at": {"x": 1}}, None], object)}))
    ['who.age', 'who.at.x']
    """
    spread: dict[str, Any] = {}
    for name, column in columns.items():
        fields = _fields(column)
        if fields is None:
            spread[name] = column
            continue
        for inner, cells in spread_columns(fields).items():
            whole = f"{name}.{inner}"
            spread[whole if whole not in columns else f"{whole} within"] = cells
    return spread


def _fields(column: Any) -> dict[str, Any] | None:
    """Return the fields of a column by name; None if it holds something else."""
    if not isinstance(column, np.ndarray):
        if column.dtype == nw.Struct:
            return {field.name: column.struct.field(field.name) for field in column.dtype.fields}
        if column.dtype != nw.Object:
            return None
    elif column.dtype != object or column.ndim != 1:
        return None
    cells = column.tolist() if isinstance(column, np.ndarray) else column.to_list()
    first = next((cell for cell in cells if not is_gap(cell)), None)
    if not isinstance(first, dict):
        return None
    known = [cell for cell in cells if not is_gap(cell)]
    if not all(isinstance(cell, dict) for cell in known):
        return None
    names = dict.fromkeys(str(name) for cell in known for name in cell)
    if not 0 < len(names) <= _MOST:
        return None
    rows = [
        {str(key): cell[key] for key in cell} if isinstance(cell, dict) else {} for cell in cells
    ]
    return {name: word_array(row.get(name) for row in rows) for name in names}
