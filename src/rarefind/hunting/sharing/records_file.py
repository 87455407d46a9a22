"""Records in memory, written to a file that the terminal and the workbench can read."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse

from rarefind.core.errors import DataError, NotAvailableError
from rarefind.records.formats.by_ending import write_table
from rarefind.records.frames import read_frame
from rarefind.records.table import Table, word_array


def write_records(records: Any, folder: Path, name: str) -> Path:
    """Write records to a new file of that name: arrays as .npy, tables and words as a table."""
    array = _numbers(records)
    table = None if array is not None else _table(records)
    ending = ".npy" if array is not None else ".parquet" if find_spec("pyarrow") else ".csv"
    path = folder / f"{name}{ending}"
    if path.exists():
        raise DataError(
            f"{path} exists already, and the records of the hunt {name!r} would be written there. "
            "Move it, or give the hunt another name."
        )
    if array is not None:
        np.save(path, array, allow_pickle=False)
    elif table is not None:
        write_table(table, path)
    return path


def _numbers(records: Any) -> Any:
    if isinstance(records, np.ndarray) and records.dtype.kind in "biuf":
        return records
    if isinstance(records, list | tuple) and records and not isinstance(records[0], str):
        try:
            return np.asarray(records, dtype=np.float64)
        except (TypeError, ValueError):
            return None
    return None


def _table(records: Any) -> Table:
    if isinstance(records, Mapping) and not sparse.issparse(records):
        columns = {str(name): np.asarray(cells) for name, cells in records.items()}
        return Table({name: _column(cells) for name, cells in columns.items()}, "records")
    if isinstance(nw.from_native(records, pass_through=True, eager_only=True), nw.DataFrame):
        return read_frame(records)
    if isinstance(records, list | tuple) and all(isinstance(record, str) for record in records):
        return Table({"record": word_array(records)}, "records")
    raise NotAvailableError(
        f"Records of type {type(records).__name__} cannot be written to a file for others to see. "
        "Keep hunts about tables, arrays or lists of strings; leave 'store' out for others."
    )


def _column(cells: Any) -> Any:
    numbers = cells.dtype.kind in "biuf"
    return cells.astype(np.float64) if numbers else word_array(map(_word, cells.tolist()))


def _word(cell: Any) -> str | None:
    return None if cell is None or cell != cell else str(cell)
