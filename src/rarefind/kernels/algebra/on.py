"""A kernel on one part of a record."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.core.params import Constraint, Is
from rarefind.kernels.contract import A_KERNEL, Features, Kernel

Column: TypeAlias = str | int | slice | Sequence[str] | Sequence[int] | Callable[[Records], Records]


def _is_column(value: Any) -> bool:
    single = isinstance(value, str | slice) or callable(value)
    several = isinstance(value, list | tuple) and bool(value)
    return single or _is_position(value) or several


def _is_position(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


class On(Kernel):
    """A kernel on one part of a record; add up several to compare records in all their parts.

    Records may be rows of a table (pandas, polars and others), of a structured or two-dimensional
    array or a sparse matrix, or a list of dictionaries or tuples. Numbers are handed to the kernel
    as a matrix, anything else as a list.

    Parameters
    ----------
    column
        Name or position of a column, a list of them, a slice of positions, or a function that
        takes all records and returns a part of each.
    kernel
        The kernel on that part.

    Examples
    --------
    >>> from rarefind.kernels import Gaussian, Intersection
    >>> people = [{"age": 30, "tags": {"a", "b"}}, {"age": 31, "tags": {"b"}}]
    >>> kernel = On("age", Gaussian(width=5.0)) + On("tags", Intersection())
    >>> kernel(people).round(2)
    array([[3.  , 1.98],
           [1.98, 2.  ]])
    """

    _fixed_columns = True
    _adds_distances = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "column": [
            Is(
                "the name or position of a column, a list of them, a slice or a function",
                _is_column,
            )
        ],
        "kernel": [A_KERNEL],
    }

    def __init__(self, column: Column, kernel: Kernel) -> None:
        self.column = column
        self.kernel = kernel

    def terms(self) -> list[Kernel]:
        """Return the terms of the kernel, each on the same part."""
        inner = self._part("kernel").terms()
        return [self] if len(inner) == 1 else [On(self.column, term) for term in inner]

    @property
    def takes_vectors(self) -> bool:
        """Whether the records are rows of numbers."""
        return False

    def _for_parts(self, A: Records) -> Records:
        return part_of(A, self.column)

    def _read(self, A: Records) -> Any:
        return self._part("kernel")._read(self._for_parts(A))

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return self._part("kernel")._gram(left, right)

    def _diag(self, left: Any) -> FloatArray:
        return self._part("kernel")._diag(left)

    def _features(self, A: Records) -> Features:
        return self._part("kernel").features(self._for_parts(A))


def part_of(records: Records, column: Column) -> Records:
    """Select a part of every record.

    >>> part_of([("ab", 1), ("cd", 2)], 0)
    ['ab', 'cd']
    >>> part_of([("ab", 1), ("cd", 2)], 1)
    array([[1.],
           [2.]])
    """
    count(records)  # refuses what is no list of records
    if callable(column):
        return _checked(column(records), records)
    table = nw.from_native(records, eager_only=True, pass_through=True)
    if isinstance(table, nw.DataFrame):
        return _from_table(table, column)
    if sparse.issparse(records):
        return sparse.csr_array(records)[:, _positions(records.shape[1], column)]
    if isinstance(records, np.ndarray):
        return _from_array(records, column)
    if isinstance(column, slice):
        return _values([record[column] for record in records])
    if isinstance(column, list | tuple):
        return _values(
            [[_field(record, one, row) for one in column] for row, record in enumerate(records)]
        )
    return _values([_field(record, column, row) for row, record in enumerate(records)])


def _checked(part: Records, records: Records) -> Records:
    if count(part) != count(records):
        raise DataError(
            "The 'column' function of On must return one part for each record. "
            f"It gave {count(part)} for {count(records)} records."
        )
    return part


def _from_table(table: Any, column: Any) -> Records:
    names = table.columns
    if isinstance(column, slice):
        return _values(table.select(names[column]).to_numpy())
    several = isinstance(column, list | tuple)
    wanted = [
        names[_position(len(names), one)] if _is_position(one) else one
        for one in (column if several else [column])
    ]
    for name in wanted:
        if name not in names:
            raise unknown_name("column", name, names)
    if several:
        return _values(table.select(wanted).to_numpy())
    return _values(table[wanted[0]].to_list())


def _from_array(array: Any, column: Any) -> Records:
    if array.dtype.names is not None:
        names = array.dtype.names
        several = isinstance(column, list | tuple)
        for name in column if several else [column]:
            if name not in names:
                raise unknown_name("column", name, names)
        if several:
            return _values(np.column_stack([array[name] for name in column]))
        return _values(array[column])
    if array.ndim != 2:
        return part_of(list(array), column)
    part = array[:, _positions(array.shape[1], column)]
    if part.dtype == object and _is_position(column):
        return _values(part[:, 0].tolist())
    return _values(part)


def _positions(width: int, column: Any) -> Any:
    """Turn a position, list of positions or slice into columns of a matrix."""
    if isinstance(column, slice):
        return column
    several = list(column) if isinstance(column, list | tuple) else [column]
    return [_position(width, one) for one in several]


def _position(width: int, column: Any) -> int:
    if not _is_position(column):
        raise DataError(
            f"On({column!r}, ...) names a column, but the records are an array without names. "
            "Give the position of the column, or pass a table."
        )
    if not -width <= column < width:
        raise DataError(
            f"On({column!r}, ...) asks for column {column} of records with {width} column(s). "
            f"Positions go from 0 to {width - 1}."
        )
    return int(column)


def _field(record: Any, column: Any, row: int) -> Any:
    try:
        return record[column]
    except KeyError:
        raise unknown_name(f"column in record {row} named", column, record) from None
    except (IndexError, TypeError) as problem:
        raise DataError(
            f"On({column!r}, ...) found no such part in record {row}, a "
            f"{type(record).__name__} ({problem})."
        ) from None


def _values(part: Any) -> Records:
    """Return numbers as a matrix, anything else as it is."""
    if isinstance(part, np.ndarray) and part.dtype.kind in "biuf":
        return part.reshape(len(part), -1).astype(np.float64)
    values = list(part)
    numeric = [isinstance(one, numbers.Real) for one in values]
    if any(numeric) and all(
        is_number or one is None for is_number, one in zip(numeric, values, strict=True)
    ):
        # A missing number becomes NaN, which the kernel refuses by row.
        return np.array(values, dtype=np.float64).reshape(-1, 1)
    return values
