"""A table in memory: named columns of numbers, words or graphs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import IntArray
from rarefind.core.errors import UnknownNameError
from rarefind.core.names import unknown_name
from rarefind.features.cells.writing import Writing, word_array

__all__ = ["Column", "Table", "Writing", "as_word", "is_graph", "word_array"]

Column: TypeAlias = NDArray[Any]
"""Numbers (float64, missing is NaN), or an object array of words (str), graphs (a dict with 'nodes'
and 'edges') or lists of numbers (float64 arrays of one length); there, missing is None."""

_LONGEST_LIST = 8
"""Numbers of a list that are written out."""


@dataclass(frozen=True)
class Table:
    """Named columns of equal length, and where they came from.

    Attributes
    ----------
    columns
        The columns as numbers, words or graphs.
    source
        The name of the file.
    original
        Cells exactly as the file has them, where they differ from the columns: writing a table
        must not change what it does not concern.
    form
        What the original cells are: "text" (strings of a CSV file), "arrow" (Arrow arrays) or
        "json" (Python values).
    writing
        How the file, if it is one of text, writes its cells.
    """

    columns: Mapping[str, Column]
    source: str
    original: Mapping[str, Any] = field(default_factory=dict)
    form: str = ""
    writing: Writing = field(default_factory=Writing)

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
        return replace(self, columns=kept)

    def to_write(self) -> dict[str, Any]:
        """Return the cells to write: as they were read where they were, else as they are."""
        return {name: self.original.get(name, column) for name, column in self.columns.items()}

    def as_it_came(self, name: str) -> list[str | None] | None:
        """Return the cells of a column of numbers that a text file writes in a way of its own.

        None for other columns: what they hold says it all. A gap is None.
        """
        if self.form != "text" or name not in self.writing.notes or name not in self.original:
            return None
        if self.columns[name].dtype.kind != "f":
            return None
        cells = self.original[name]
        cells = cells.to_pylist() if hasattr(cells, "to_pylist") else cells
        return [None if not cell.strip() else cell.strip() for cell in cells]

    def chosen(self, rows: IntArray) -> Table:
        """Return the table with only these rows, in this order."""
        return replace(
            self,
            columns={name: column[rows] for name, column in self.columns.items()},
            original={name: _chosen(cells, rows) for name, cells in self.original.items()},
        )

    def with_columns(self, columns: Mapping[str, Column], *, first: bool = False) -> Table:
        """Return the table with further columns, in front or behind; equal names are replaced."""
        rest = {name: column for name, column in self.columns.items() if name not in columns}
        kept = {name: cells for name, cells in self.original.items() if name not in columns}
        joined = {**columns, **rest} if first else {**rest, **columns}
        return replace(self, columns=joined, original=kept)

    def noted(self, note: str) -> Table:
        """Return the table with something said of the whole file."""
        if not note:
            return self
        return replace(self, writing=replace(self.writing, whole=(*self.writing.whole, note)))

    def row(self, number: int) -> dict[str, object]:
        """Return one row as a mapping from column to value."""
        return {name: column[number] for name, column in self.columns.items()}

    def words(self, name: str) -> list[str | None]:
        """Return one column as words, whole numbers without a point; missing is None."""
        return [as_word(value) for value in self.column(name)]


def _chosen(cells: Any, rows: IntArray) -> Any:
    return cells.take(rows) if hasattr(cells, "take") else [cells[row] for row in rows]


def is_graph(value: object) -> bool:
    """Whether a cell is a graph.

    >>> is_graph({"nodes": ["C", "O"], "edges": [[0, 1]]}), is_graph("CO")
    (True, False)
    """
    return isinstance(value, Mapping) and "nodes" in value and "edges" in value


def as_word(value: object) -> str | None:
    """Write a cell as a word, None if it is missing.

    >>> as_word(3.0), as_word("x"), as_word(float("nan"))
    ('3', 'x', None)
    >>> as_word({"nodes": ["C", "O"], "edges": [[0, 1]]})
    'a graph of 2 nodes and 1 edge'
    """
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, Mapping) and is_graph(value):
        nodes, edges = value["nodes"], len(value["edges"])
        size = nodes if isinstance(nodes, int) else len(nodes)
        return f"a graph of {size} nodes and {edges} edge{'s' if edges != 1 else ''}"
    if isinstance(value, np.ndarray):
        return _list_in_words(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _list_in_words(numbers: NDArray[Any]) -> str:
    shown = ", ".join(f"{number:.6g}" for number in numbers[:_LONGEST_LIST])
    more = f", … {len(numbers)} numbers" if len(numbers) > _LONGEST_LIST else ""
    return f"[{shown}{more}]"
