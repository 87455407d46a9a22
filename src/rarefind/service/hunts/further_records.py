"""Records of another file, put under those a hunt began with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.records.table import Column, Table, word_array


def fitted(table: Table, more: Table) -> Table:
    """Return the further records with the columns of a table; what does not fit is refused.

    Numbers become words where the table has words, since a few rows may hold nothing else, and a
    column of nothing but gaps fits everywhere. Columns that the table has not are left out.
    """
    columns: dict[str, Column] = {}
    for name, column in table.columns.items():
        further = more.column(name)
        if column.dtype.kind == further.dtype.kind:
            columns[name] = further
        elif column.dtype == object:
            columns[name] = word_array(_as_words(more, name))
        elif np.isnan(column).all():
            columns[name] = further
        elif all(cell is None for cell in further):
            columns[name] = np.full(len(further), np.nan)
        else:
            raise DataError(
                f"{more.source}: column {name!r} must hold numbers, as in {table.source}."
            )
    original = {name: cells for name, cells in more.original.items() if name in columns}
    return replace(more, columns=columns, original=original)


def added(table: Table, more: Table) -> Table:
    """Put the rows of another table, which fits, under those of a table."""
    columns = {name: _joined(column, more.column(name)) for name, column in table.columns.items()}
    original: dict[str, Any] = {}
    if table.form == more.form != "arrow":
        shared = [name for name in table.original if name in more.original]
        original = {name: _listed(table, name) + _listed(more, name) for name in shared}
    return replace(table, columns=columns, original=original)


def _as_words(table: Table, name: str) -> list[str | None]:
    """Write numbers as words: 0017 and 1.50 as the file has them."""
    cells = table.original.get(name) if table.form == "text" else None
    words = table.words(name)
    if cells is None:
        return words
    return [
        None if word is None else str(cell).strip() for word, cell in zip(words, cells, strict=True)
    ]


def _listed(table: Table, name: str) -> list[Any]:
    cells = table.original[name]
    return list(cells.to_pylist() if hasattr(cells, "to_pylist") else cells)


def _joined(column: Column, more: Column) -> Column:
    if column.dtype.kind != more.dtype.kind:  # nothing but gaps so far
        column = np.full(len(column), None, dtype=object)
    return np.concatenate([column, more])
