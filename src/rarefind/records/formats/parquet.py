"""Tables in Parquet and Arrow files.

What the end of a Parquet file says about its size is looked at but not believed: rows and bytes are
counted batch by batch, and every array is checked before a cell of it is touched.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.errors import DataError, MissingPackageError, RarefindError
from rarefind.records.columns.titles import check_names
from rarefind.records.columns.vectors import block_column
from rarefind.records.columns.words_read import read_words
from rarefind.records.formats.json_lines import values_column
from rarefind.records.formats.limits import Watch
from rarefind.records.formats.parquet_mapping import open_parquet
from rarefind.records.formats.streams import endings, read_all
from rarefind.records.table import Column, Table, word_array

_BATCH = 2**16
"""Rows read between two looks at the limits: Arrow's own usual size."""


def read_parquet(path: Path, watch: Watch) -> Table:
    """Read a .parquet file of numbers, booleans, dates, words and graphs."""
    pa = import_pyarrow("Reading Parquet")
    with _readable("Parquet", watch):
        with _opened_parquet(path, watch) as (file, batches):
            claimed = file.metadata
            watch.columns(claimed.num_columns)
            watch.rows(claimed.num_rows)
            watch.size(8 * claimed.num_rows * claimed.num_columns)
            read = pa.Table.from_batches(_counted(batches, watch), file.schema_arrow)
        return read_words(arrow_table(read, watch))


def read_arrow(path: Path, watch: Watch) -> Table:
    """Read an .arrow or .feather file: Arrow's own format, as a file or a stream."""
    pa = import_pyarrow("Reading Arrow files")
    with _readable("Arrow", watch):
        source = _source(pa, path, watch)
        start = source.read(6) if hasattr(source, "read") else b""
        source.seek(0)
        if start == b"ARROW1":
            file = pa.ipc.open_file(source)
            batches = (file.get_batch(number) for number in range(file.num_record_batches))
        else:
            file = pa.ipc.open_stream(source)
            batches = iter(file)
        watch.columns(len(file.schema.names))
        read = pa.Table.from_batches(_counted(batches, watch), file.schema)
        return read_words(arrow_table(read, watch))


def write_parquet(table: Table, path: Path) -> None:
    """Write a table as a .parquet file."""
    pa = import_pyarrow("Writing Parquet")
    from pyarrow import parquet

    arrays = {}
    for name, column in table.columns.items():
        original = table.original.get(name) if table.form in ("arrow", "json") else None
        came = table.as_it_came(name)
        arrays[name] = _array(pa, column, original) if came is None else pa.array(came)
    parquet.write_table(pa.table(arrays), path)


def arrow_table(read: Any, watch: Watch) -> Table:
    """Make a table of an Arrow table, which keeps the cells as they are."""
    pa = import_pyarrow("Reading Arrow tables")
    if read.num_rows == 0:
        raise DataError(f"{watch.name}: the file has no rows.")
    if read.num_columns == 0:
        raise DataError(f"{watch.name}: the file has no columns.")
    names = check_names(read.schema.names, watch.name)
    columns, original = {}, {}
    for position, name in enumerate(names):
        watch.time()
        cells = read.column(position)
        cells = cells.chunk(0) if cells.num_chunks == 1 else cells.combine_chunks()
        if isinstance(cells, pa.ChunkedArray):
            cells = cells.chunk(0) if cells.num_chunks == 1 else pa.concat_arrays(cells.chunks)
        original[name] = cells
        columns[name] = _column(pa, cells, name, watch)
    return Table(columns, watch.name, original, "arrow")


def import_pyarrow(purpose: str) -> Any:
    """Import pyarrow, or say what it is needed for."""
    try:
        import pyarrow as pa
        import pyarrow.compute
        import pyarrow.ipc
    except ImportError:
        raise MissingPackageError(purpose, "pyarrow", "parquet") from None
    return pa


@contextmanager
def _opened_parquet(path: Path, watch: Watch) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Open a Parquet file, plain or compressed, and give its rows a batch at a time."""
    from pyarrow import parquet

    if endings(path)[1]:
        unpacked = io.BytesIO(read_all(path, watch))
        with parquet.ParquetFile(unpacked, pre_buffer=False) as file:
            yield file, file.iter_batches(_BATCH, use_threads=False)
    else:
        watch.size(path.stat().st_size)
        with open_parquet(path) as reading:
            yield reading.file, reading.batches(_BATCH)


def _source(pa: Any, path: Path, watch: Watch) -> Any:
    if endings(path)[1]:
        return io.BytesIO(read_all(path, watch))
    watch.size(path.stat().st_size)
    # Not mapped: the cells of an Arrow file are used where they lie, long after it was read.
    return pa.OSFile(str(path), "rb")


def _counted(batches: Any, watch: Watch) -> list[Any]:
    kept, rows, size = [], 0, 0
    for batch in batches:
        rows += batch.num_rows
        size += max(batch.nbytes, batch.num_rows * batch.num_columns)
        watch.rows(rows)
        watch.size(size)
        batch.validate(full=True)
        kept.append(batch)
    return kept


@contextmanager
def _readable(what: str, watch: Watch) -> Iterator[None]:
    """Say in one sentence what Arrow has to say about a damaged file, in whatever error it does."""
    try:
        yield
    except RarefindError:
        raise
    except Exception as problem:
        words = " ".join(str(problem).split())[:200].rstrip(".")
        raise DataError(f"{watch.name} is not a readable {what} file: {words}.") from None


def _column(pa: Any, cells: Any, name: str, watch: Watch) -> Column:
    kind = cells.type
    if pa.types.is_dictionary(kind):
        cells = cells.dictionary_decode()
        kind = cells.type
    if pa.types.is_null(kind):
        return np.full(len(cells), np.nan)
    if pa.types.is_boolean(kind):
        cells, kind = cells.cast(pa.int8()), pa.int8()
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        numbers = cells.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        finite = np.isfinite(numbers)
        return numbers if finite.all() else np.where(finite, numbers, np.nan)
    if pa.types.is_decimal(kind):
        return np.array(
            [np.nan if cell is None else float(cell) for cell in cells.to_pylist()], np.float64
        )
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        longest = pa.compute.max(pa.compute.binary_length(cells)).as_py()
        watch.cell(longest or 0, f"column {name!r:.60}")
        return word_array(cells.to_pylist())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        lists = _lists(pa, cells)
        return values_column(cells.to_pylist(), name, watch.name) if lists is None else lists
    if pa.types.is_struct(kind):
        return values_column(cells.to_pylist(), name, watch.name)
    return word_array(None if cell is None else str(cell) for cell in cells.to_pylist())


def _lists(pa: Any, cells: Any) -> Column | None:
    """Make a column of lists of numbers without looking at each; None if they are no vectors."""
    inner = cells.type.value_type
    lengths = pa.compute.list_value_length(cells).drop_null().unique()
    if not (pa.types.is_floating(inner) or pa.types.is_integer(inner)) or len(lengths) != 1:
        return None
    width = lengths[0].as_py()
    known = cells.drop_null()
    numbers = known.flatten().cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    if not width or len(numbers) != width * len(known):
        return None
    rows = np.flatnonzero(cells.is_valid().to_numpy(zero_copy_only=False)).tolist()
    return block_column(numbers.reshape(-1, width), rows, len(cells))


def _array(pa: Any, column: Column, original: Any) -> Any:
    if isinstance(original, pa.Array):
        return original
    if column.dtype.kind == "f":
        missing = np.isnan(column)
        whole = not missing.all() and bool((column[~missing] % 1 == 0).all())
        numbers = pa.array(column, mask=missing)
        return (
            numbers.cast(pa.int64())
            if whole and np.abs(column[~missing]).max() < 2**53
            else numbers
        )
    lists = [cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in column.tolist()]
    return pa.array(lists)
