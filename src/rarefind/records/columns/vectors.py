"""Lists of numbers, such as embeddings, in the cells of a column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.features.cells.lists import are_written_lists, read_list
from rarefind.records.table import Column, Table

_SAMPLE = 100
"""Cells of words looked at to tell whether they are lists."""


def lists_column(cells: Sequence[Any]) -> Column | None:
    """Make a column of lists of numbers, all of one length; None if the cells are none.

    Numbers lie side by side in one block, of which each cell is a row; missing is None.

    >>> lists_column([[1, 2], None, [3.5, 4]])[2].tolist()
    [3.5, 4.0]
    """
    known = [row for row, cell in enumerate(cells) if isinstance(cell, list)]
    if not known:
        return None
    width = len(cells[known[0]])
    if width < 1 or any(len(cells[row]) != width for row in known):
        return None
    if not all(type(number) in (int, float) for row in known for number in cells[row]):
        return None
    return block_column(
        np.array([cells[row] for row in known], dtype=np.float64), known, len(cells)
    )


def block_column(block: FloatArray, rows: Iterable[int], n_rows: int) -> Column:
    """Make a column of the rows of a block of numbers; other rows are missing."""
    column: Column = np.full(n_rows, None, dtype=object)
    for place, row in enumerate(rows):
        column[row] = block[place]
    return column


def holds_lists(column: Column) -> bool:
    """Whether the cells of a column are lists of numbers, as such or in words."""
    if column.dtype != object:
        return False
    some = [cell for cell in column[: 10 * _SAMPLE] if cell is not None][:_SAMPLE]
    if not some:
        return False
    return all(isinstance(cell, np.ndarray) for cell in some) or are_written_lists(some)


def list_length(column: Column) -> int:
    """Return how many numbers the first list of a column has."""
    first = next(cell for cell in column if cell is not None)
    numbers = read_list(first) if isinstance(first, str) else first
    return 0 if numbers is None else len(numbers)


def vectors_of(table: Table, name: str) -> FloatArray:
    """Return a column of lists as a matrix, missing ones as NaN."""
    cells = [_numbers(cell, row, table, name) for row, cell in enumerate(table.column(name))]
    width = next((len(cell) for cell in cells if cell is not None), 0)
    matrix = np.full((len(cells), width), np.nan)
    for row, cell in enumerate(cells):
        if cell is None:
            continue
        if len(cell) != width:
            raise DataError(
                f"{table.source}: the lists in column {name!r} must be of one length. That of row "
                f"{row} has {len(cell)} numbers, the first one {width}."
            )
        matrix[row] = cell
    matrix[np.isinf(matrix)] = np.nan
    return matrix


def _numbers(cell: Any, row: int, table: Table, name: str) -> Any:
    if cell is None or isinstance(cell, np.ndarray):
        return cell
    if isinstance(cell, str):
        try:
            return read_list(cell)
        except ValueError:
            pass
    elif cell == cell:
        return np.array([cell], dtype=np.float64)
    else:
        return None
    raise DataError(
        f"{table.source}: row {row} of column {name!r} holds {str(cell)!r:.60}, which is no list "
        "of numbers. Choose another kind for the column, or correct the cell."
    )
