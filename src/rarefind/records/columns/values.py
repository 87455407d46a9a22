"""Columns brought to the form that their kind is compared in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.features.cells.dates import read_dates
from rarefind.features.cells.number_marks import forced_numbers
from rarefind.features.cells.yes_or_no import YES_OR_NO
from rarefind.records.table import Table, as_word, is_graph, word_array

NO_GRAPH: dict[str, Any] = {"nodes": 0, "edges": []}
"""Stands for a missing graph: it has nothing in common with any other."""


def numbers_of(table: Table, name: str) -> FloatArray:
    """Return a column as numbers, missing ones as NaN."""
    column = table.column(name)
    if column.dtype.kind == "f":
        return column
    words = table.words(name)
    read = forced_numbers(words)
    if read is None:
        wrong = (row for row, word in enumerate(words) if word and forced_numbers([word]) is None)
        raise _refusal(table, name, next(wrong, 0), "number")
    return read[0]


def booleans_of(table: Table, name: str) -> FloatArray:
    """Return a column of yes and no as ones and zeros, missing ones as NaN."""
    column = table.column(name)
    if column.dtype.kind == "f":
        return column
    flags = np.full(len(column), np.nan)
    for row, cell in enumerate(column):
        if cell is not None:
            flag = YES_OR_NO.get(str(cell).strip().lower())
            if flag is None:
                raise _refusal(table, name, row, "yes or no")
            flags[row] = flag
    return flags


def dates_of(table: Table, name: str) -> FloatArray:
    """Return a column of dates as seconds, missing ones as NaN."""
    words = table.words(name)
    seconds = read_dates(words)
    if seconds is None:
        wrong = (row for row, word in enumerate(words) if word and read_dates([word]) is None)
        raise _refusal(table, name, next(wrong, 0), "date")
    return seconds


def words_of(table: Table, name: str) -> NDArray[Any]:
    """Return a column as words, missing ones as None."""
    column = table.column(name)
    return column if column.dtype == object else word_array(table.words(name))


def texts_of(table: Table, name: str) -> list[str]:
    """Return a column as texts, missing ones empty."""
    return ["" if word is None else str(word) for word in table.words(name)]


def graphs_of(table: Table, name: str) -> list[Any]:
    """Return a column of graphs, missing ones as a graph of nothing."""
    graphs = []
    for row, cell in enumerate(table.column(name)):
        if as_word(cell) is not None and not is_graph(cell):
            raise _refusal(table, name, row, "graph")
        graphs.append(cell if is_graph(cell) else NO_GRAPH)
    return graphs


def _refusal(table: Table, name: str, row: int, kind: str) -> DataError:
    cell = as_word(table.column(name)[row])
    return DataError(
        f"{table.source}: row {row} of column {name!r} holds {cell!r:.60}, which is no {kind}. "
        "Choose another kind for the column, or correct the cell."
    )
