"""A record as people look at it in a notebook: fields, text or a picture."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse

from rarefind.notebook.pictures import picture_uri

_LONGEST = 2000
"""Characters of a text or a value that are shown."""

_MOST_FIELDS = 200
"""Fields that are shown; of sparse features the largest."""


def shown_record(
    records: Any, row: int, pictures: Any = None, unusual: Collection[str] = ()
) -> dict[str, Any]:
    """Describe a row: its ``fields`` (unusual ones first), its ``text``, its ``picture``.

    Parameters
    ----------
    records
        What the hunt was given.
    row
        Which record.
    pictures
        A picture for each row: arrays, paths or bytes; None where records have none.
    unusual
        Names of the fields that set the record apart.
    """
    shown: dict[str, Any] = {"fields": [], "text": None, "picture": None}
    if pictures is not None:
        shown["picture"] = picture_uri(pictures[row])
    table = nw.from_native(records, pass_through=True, eager_only=True)
    if isinstance(table, nw.DataFrame):
        fields = [*zip(map(str, table.columns), table.row(row), strict=True)]
    elif sparse.issparse(records):
        fields = _largest(sparse.csr_array(records)[[row]])
    elif isinstance(records, np.ndarray) and records.ndim > 2:
        shown["picture"] = shown["picture"] or picture_uri(records[row])
        return shown
    elif isinstance(records, np.ndarray) and records.ndim == 2:
        fields = [(f"feature {place}", value) for place, value in enumerate(records[row])]
    else:
        shown["text"] = str(records[row])[:_LONGEST]
        return shown
    marked = [(name, _words(value), name in unusual) for name, value in fields[:_MOST_FIELDS]]
    shown["fields"] = sorted(marked, key=lambda field: not field[2])
    return shown


def _largest(row: Any) -> list[tuple[str, Any]]:
    order = np.argsort(-np.abs(row.data), kind="stable")
    return [(f"feature {row.indices[place]}", row.data[place]) for place in order]


def _words(value: Any) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "missing"
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    return str(value)[:_LONGEST]
