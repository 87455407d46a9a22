"""Tables in Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.errors import DataError, MissingPackageError
from rarefind.records.tables import Column, Table


def read_parquet(path: Path) -> Table:
    """Read a .parquet file of numbers, booleans and words."""
    arrow, parquet = _pyarrow("Reading Parquet")
    try:
        read = parquet.read_table(path)
    except (arrow.ArrowException, OSError) as problem:
        raise DataError(f"{path.name} is not a readable Parquet file: {problem}.") from None
    if read.num_rows == 0:
        raise DataError(f"{path.name}: the file has no rows.")
    original = {name: read.column(name).combine_chunks() for name in read.column_names}
    columns = {name: _column(arrow, cells) for name, cells in original.items()}
    return Table(columns, path.name, original)


def write_parquet(table: Table, path: Path) -> None:
    """Write a table as a .parquet file."""
    arrow, parquet = _pyarrow("Writing Parquet")
    parquet.write_table(
        arrow.table({name: _cells(arrow, cells) for name, cells in table.to_write().items()}),
        path,
    )


def _cells(arrow: Any, cells: Any) -> Any:
    return cells if isinstance(cells, arrow.Array) else arrow.array(list(cells))


def _column(arrow: Any, column: Any) -> Column:
    kind = column.type
    if arrow.types.is_boolean(kind):
        column = column.cast(arrow.int8())
    if (
        arrow.types.is_boolean(kind)
        or arrow.types.is_integer(kind)
        or arrow.types.is_floating(kind)
    ):
        numbers = column.cast(arrow.float64()).to_numpy(zero_copy_only=False)
        return np.asarray(numbers, dtype=np.float64)
    if not arrow.types.is_string(kind) and not arrow.types.is_large_string(kind):
        words = [None if cell is None else str(cell) for cell in column.to_pylist()]
        return np.array(words, dtype=object)
    return np.array(column.to_pylist(), dtype=object)


def _pyarrow(purpose: str) -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingPackageError(purpose, "pyarrow", "parquet") from None
    return pa, parquet
