"""A table in memory: named columns of numbers or words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import IntArray
from rarefind.core.errors import UnknownNameError
from rarefind.core.names import unknown_name

Column: TypeAlias = NDArray[Any]
"""Numbers (float64, missing is NaN) or words (object array of str, missing is None)."""


@dataclass(frozen=True)
class Table:
    """Named columns of equal length, and where they came from.

    Attributes
    ----------
    columns
        The columns as numbers or words.
    source
        The name of the file.
    original
        Cells exactly as the file has them, where they differ from the columns: writing a table
        must not change what it does not concern.
    """

    columns: Mapping[str, Column]
    source: str
    original: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.columns.values()), ()))

    def column(self, name: str) -> Column:
        """Return one column; the error names the nearest match."""
        if name not in self.columns:
            problem = unknown_name("column", name, self.columns)
            raise UnknownNameError(f"{self.source}: {problem}")
        return self.columns[name]

    def without(self, names: Iterable[str]) -> Table:
        """Return the table without these columns."""
        left_out = {name for name in names if self.column(name) is not None}
        kept = {name: column for name, column in self.columns.items() if name not in left_out}
        return Table(kept, self.source, self.original)

    def to_write(self) -> dict[str, Any]:
        """Return the cells to write: as they were read where they were, else as they are."""
        return {name: self.original.get(name, column) for name, column in self.columns.items()}

    def chosen(self, rows: IntArray) -> Table:
        """Return the table with only these rows, in this order."""
        return Table(
            {name: column[rows] for name, column in self.columns.items()},
            self.source,
            {name: _chosen(cells, rows) for name, cells in self.original.items()},
        )

    def with_columns(self, columns: Mapping[str, Column], *, first: bool = False) -> Table:
        """Return the table with further columns, in front or behind; equal names are replaced."""
        rest = {name: column for name, column in self.columns.items() if name not in columns}
        kept = {name: cells for name, cells in self.original.items() if name not in columns}
        joined = {**columns, **rest} if first else {**rest, **columns}
        return Table(joined, self.source, kept)

    def row(self, number: int) -> dict[str, object]:
        """Return one row as a mapping from column to value."""
        return {name: column[number] for name, column in self.columns.items()}

    def words(self, name: str) -> list[str | None]:
        """Return one column as words, whole numbers without a point; missing is None."""
        return [as_word(value) for value in self.column(name)]


def _chosen(cells: Any, rows: IntArray) -> Any:
    return cells.take(rows) if hasattr(cells, "take") else [cells[row] for row in rows]


def as_word(value: object) -> str | None:
    """Write a cell as a word, None if it is missing.

    >>> as_word(3.0), as_word("x"), as_word(float("nan"))
    ('3', 'x', None)
    """
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
