"""The columns of a table as arrays, each with what it holds.

Tables are those of pandas, polars and Arrow, and mappings from names to arrays. What a column
holds follows from its type and, where that says nothing, from its cells; the user may know better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from numbers import Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.features.cells.gaps import is_gap
from rarefind.features.cells.lists import read_list
from rarefind.features.cells.readers import Reader
from rarefind.features.cells.writing import word_array
from rarefind.features.nested import spread_columns

KINDS = ("number", "boolean", "category", "date", "vector", "id")
"""What a column may hold; one of kind "id" only tells records apart and is left out."""


@dataclass(frozen=True)
class Column:
    """A column: numbers (a gap is NaN), words (None), seconds since 1970, or rows of numbers."""

    name: str
    kind: str
    values: NDArray[Any]


def table_columns(X: Records) -> dict[str, Any] | None:
    """Name the columns of a table; None if the records are none."""
    if isinstance(X, np.ndarray) or sparse.issparse(X):
        return None  # one kind of sparse matrix is a mapping
    if isinstance(X, Mapping):
        return spread_columns({str(name): np.asarray(cells) for name, cells in X.items()})
    try:
        table = nw.from_native(X, pass_through=True, eager_only=True)
    except nw.exceptions.NarwhalsError as problem:
        words = " ".join(str(problem).split()).rstrip(".")
        raise DataError(f"The table cannot be read: {words}. Give each column its name.") from None
    if not isinstance(table, nw.DataFrame):
        return None
    # Names may be numbers, by which a table cannot be asked.
    return spread_columns(dict(zip(table.columns, table.iter_columns(), strict=True)))


def is_plain(columns: Mapping[str, Any], *, allow_missing: bool = False) -> bool:
    """Whether all columns hold numbers, and none has a gap: what any model takes as it is."""
    if any(kind_of_values(column) not in ("number", "boolean") for column in columns.values()):
        return False
    return allow_missing or not any(
        np.isnan(_numbers(name, column)).any() for name, column in columns.items()
    )


def kind_of_values(column: Any) -> str:
    """Tell what a column holds."""
    if isinstance(column, np.ndarray):
        if column.ndim == 2 and column.dtype.kind in "iufb":
            return "vector"
        if column.dtype.kind in "iufbM":
            return {"b": "boolean", "M": "date"}.get(column.dtype.kind, "number")
    elif column.dtype.is_numeric() or column.dtype in (nw.Duration, nw.Time):
        return "number"
    elif column.dtype == nw.Boolean:
        return "boolean"
    elif column.dtype in (nw.Datetime, nw.Date):
        return "date"
    elif column.dtype in (nw.String, nw.Categorical, nw.Enum):
        return "category"
    cells = [cell for cell in _cells(column) if not is_gap(cell)]
    for kind, types in _TYPES.items():
        if cells and all(isinstance(cell, types) for cell in cells):
            return kind
    if cells and all(type(cell).__name__ == "Period" for cell in cells):
        return "date"
    return "vector" if are_vectors(cells) else "category"


_TYPES: dict[str, Any] = {"boolean": bool | np.bool_, "number": Real | Decimal | time, "date": date}
"""Types of Python whose cells tell the kind of their column."""

_LISTS: Any = list | tuple | np.ndarray
"""Types whose cells may be vectors."""


def are_vectors(cells: Sequence[Any]) -> bool:
    """Whether cells are lists of numbers; their lengths are compared when they are read."""
    if not cells or not all(isinstance(cell, _LISTS) for cell in cells):
        return False
    return all(
        cell.dtype.kind in "iufb"
        if isinstance(cell, np.ndarray)
        else all(isinstance(number, Real | Decimal | None) for number in cell)
        for cell in cells
    )


def are_lists(column: Any) -> bool:
    """Whether the cells of a column are lists or sets, of whatever."""
    cells = [cell for cell in _cells(column) if not is_gap(cell)]
    return bool(cells) and all(isinstance(cell, _LISTS | set | frozenset) for cell in cells)


def _cells(column: Any) -> list[Any]:
    cells: list[Any] = column.tolist() if isinstance(column, np.ndarray) else column.to_list()
    return cells


def _numbers(name: str, column: Any) -> FloatArray:
    try:
        if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
            numbers = column.astype(np.float64)
        elif isinstance(column, np.ndarray):
            numbers = np.array([_number(cell) for cell in _cells(column)])
        elif column.dtype == nw.Duration:
            numbers = column.dt.total_milliseconds().cast(nw.Float64).to_numpy() / 1000.0
        elif column.dtype.is_numeric() and not column.dtype.is_integer():
            numbers = column.cast(nw.Float64).to_numpy()
        elif column.dtype.is_integer() or column.dtype == nw.Boolean:
            numbers = _whole_numbers(column)
        else:
            numbers = np.array([_number(cell) for cell in _cells(column)])
    except (TypeError, ValueError, nw.exceptions.NarwhalsError, ArithmeticError) as problem:
        raise DataError(
            f"Column {name!r} is to be read as numbers, and holds something else: {problem}. Say "
            "kind 'category', or leave it out by kind 'id'."
        ) from None
    infinite = np.flatnonzero(np.isinf(numbers))
    if infinite.size:
        raise DataError(
            f"Distances need finite numbers. Row {infinite[0]} of column {name!r} is infinite; "
            "leave it empty or leave the row out."
        )
    return np.asarray(numbers, dtype=np.float64)


def _whole_numbers(column: Any) -> FloatArray:
    """Read whole numbers; the largest are not exact, which no library does unasked."""
    try:
        return np.asarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)
    except Exception:  # each library has its own for this
        return np.array([_number(cell) for cell in _cells(column)])


def _number(cell: Any) -> float:
    if is_gap(cell):
        return float("nan")
    if isinstance(cell, time):
        return cell.hour * 3600.0 + cell.minute * 60.0 + cell.second + cell.microsecond / 1e6
    return float(cell)


def column_words(column: Any) -> list[str | None]:
    """Write the cells of a column as words; a gap is None."""
    return [None if is_gap(cell) else _word(cell) for cell in _cells(column)]


def _words(_: str, column: Any) -> NDArray[Any]:
    return word_array(column_words(column))


def holds_words(column: Any) -> bool:
    """Whether cells of a column are words that may say numbers or dates.

    A type made for categories says that they are none.
    """
    if isinstance(column, np.ndarray):
        if column.dtype.kind not in "OU":
            return False
    elif column.dtype in (nw.Categorical, nw.Enum):
        return False
    elif column.dtype == nw.String:
        return True
    return any(isinstance(cell, str) for cell in _cells(column))


def _word(cell: Any) -> str:
    """Write a cell as a word; whole numbers alike, whichever type holds them."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _seconds(name: str, column: Any) -> FloatArray:
    if not isinstance(column, np.ndarray) and column.dtype in (nw.Datetime, nw.Date):
        milliseconds: FloatArray = column.dt.timestamp("ms").cast(nw.Float64).to_numpy()
        return milliseconds / 1000.0
    if kind_of_values(column) == "number":
        return _numbers(name, column)  # seconds already
    try:
        cells = [None if is_gap(cell) else cell for cell in _cells(column)]
        # A month or a quarter of pandas is told by its first moment.
        cells = [getattr(cell, "start_time", cell) for cell in cells]
        dates = np.array(cells, dtype="datetime64[ms]")
    except ValueError as problem:
        raise DataError(
            f"Column {name!r} is to be read as dates, and holds something else: {problem}. Write "
            "them as 2024-12-31 or 2024-12-31T23:59, or say kind 'category'."
        ) from None
    seconds: FloatArray = dates.astype(np.int64) / 1000.0
    return np.where(np.isnat(dates), np.nan, seconds)


def _vectors(name: str, column: Any) -> FloatArray:
    cells = [None if is_gap(cell) else cell for cell in _cells(column)]
    cells = [
        _list(cell, row, name) if isinstance(cell, str) else cell for row, cell in enumerate(cells)
    ]
    width = next((len(cell) for cell in cells if cell is not None), 0)
    matrix = np.full((len(cells), width), np.nan)
    for row, cell in enumerate(cells):
        if cell is None:
            continue
        if len(cell) != width:
            raise DataError(
                f"The lists in column {name!r} must be of one length. That of row {row} has "
                f"{len(cell)} numbers, the first one {width}."
            )
        matrix[row] = cell
    if np.isinf(matrix).any():
        row = int(np.flatnonzero(np.isinf(matrix).any(axis=1))[0])
        raise DataError(f"Distances need finite numbers. Row {row} of column {name!r} is infinite.")
    return matrix


def _list(cell: str, row: int, name: str) -> FloatArray | None:
    try:
        return read_list(cell)
    except ValueError:
        raise DataError(
            f"Column {name!r} is to be read as lists of numbers, and row {row} holds "
            f"{cell!r:.60}. Correct the cell, or say another kind."
        ) from None


_READ: dict[str, Callable[[str, Any], NDArray[Any]]] = {
    "number": _numbers,
    "boolean": _numbers,
    "category": _words,
    "date": _seconds,
    "vector": _vectors,
    "id": lambda name, column: np.empty(0),
}
"""How the cells of each kind are read; ids are not compared."""


def read_column(name: str, column: Any, kind: str, reader: Reader | None = None) -> Column:
    """Read a column as what it is said to hold, words and digits that say it by their reader."""
    if reader is not None and (kind == "date" or holds_words(column)):
        words = column_words(column)
        places = {word: place for place, word in enumerate(dict.fromkeys(words))}
        values = reader(list(places))
        return Column(name, kind, values[[places[word] for word in words]])
    return Column(name, kind, _READ[kind](name, column))
