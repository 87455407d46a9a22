"""Tables in memory: pandas, polars and Arrow, by way of narwhals."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from rarefind.core.errors import DataError
from rarefind.records.columns.nested_fields import flat_columns
from rarefind.records.columns.titles import check_names
from rarefind.records.columns.words_read import read_words
from rarefind.records.formats.json_lines import values_column
from rarefind.records.formats.limits import DEFAULT_LIMITS, Limits, Watch
from rarefind.records.formats.parquet import arrow_table, import_pyarrow
from rarefind.records.table import Table


def read_frame(frame: Any, limits: Limits = DEFAULT_LIMITS) -> Table:
    """Make a table of a pandas or polars DataFrame (lazy ones too) or an Arrow table."""
    try:
        native = nw.from_native(frame)
    except TypeError:
        raise DataError(
            f"A DataFrame of pandas or polars, or an Arrow table is needed. Got "
            f"{type(frame).__name__} instead."
        ) from None
    except nw.exceptions.NarwhalsError as problem:
        raise DataError(f"The table cannot be read: {' '.join(str(problem).split())}.") from None
    watch = Watch(f"the {type(frame).__module__.partition('.')[0]} table", limits)
    table = native.collect() if isinstance(native, nw.LazyFrame) else native
    watch.columns(len(table.columns))
    watch.rows(len(table))
    if not len(table):
        raise DataError(f"{watch.name} has no rows.")
    try:
        pa = import_pyarrow("Reading Arrow tables")
        return read_words(arrow_table(flat_columns(pa, table.to_arrow()), watch))
    except DataError:
        raise
    except Exception:  # Arrow is not there, or does not know cells of this kind
        return _from_values(table, watch)


def _from_values(table: Any, watch: Watch) -> Table:
    names = check_names([str(name) for name in table.columns], watch.name)
    cells = {
        name: [_value(cell) for cell in table[column].to_list()]
        for name, column in zip(names, table.columns, strict=True)
    }
    columns = {name: values_column(values, name, watch.name) for name, values in cells.items()}
    return read_words(Table(columns, watch.name, cells, "json"))


def _value(cell: Any) -> Any:
    if cell is None or isinstance(cell, str | bool | int | float | list | dict):
        return cell
    if hasattr(cell, "tolist"):
        return cell.tolist()
    if hasattr(cell, "item"):
        return cell.item()
    return None if cell != cell else str(cell)
