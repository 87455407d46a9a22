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
from rarefind.records.columns.nested_fields import flat_columns
from rarefind.records.columns.titles import check_names
from rarefind.records.columns.vectors import block_column
from rarefind.records.columns.words_read import read_words
from rarefind.records.formats.arrow.messages import batch_size
from rarefind.records.formats.arrow.unfolded_size import Scales, weight
from rarefind.records.formats.json_lines import values_column
from rarefind.records.formats.limits import Watch
from rarefind.records.formats.parquet_mapping import folding, open_parquet
from rarefind.records.formats.streams import endings, read_all
from rarefind.records.pictures.finding import held_pictures
from rarefind.records.table import Column, Table, word_array

_BATCH = 2**16
"""Rows read between two looks at the limits: Arrow's own usual size."""

_FEW_COLUMNS = 1000
"""Of more columns, what each part of them claims to hold is not added up: it would take long."""


def read_parquet(path: Path, watch: Watch) -> Table:
    """Read a .parquet file of numbers, booleans, dates, words and graphs."""
    pa = import_pyarrow("Reading Parquet")
    with _readable("Parquet", watch):
        with _opened_parquet(path, watch) as (batches, schema):
            read = _joined(pa, batches, schema, watch)
        return read_words(arrow_table(flat_columns(pa, read), watch))


def check_claims(claimed: Any, watch: Watch) -> None:
    """Refuse a Parquet file that says itself that it is too large."""
    watch.columns(claimed.num_columns)
    watch.rows(claimed.num_rows)
    watch.cells(claimed.num_rows * claimed.num_columns)
    unpacked = cells = 0
    for number in range(claimed.num_row_groups):
        group = claimed.row_group(number)
        unpacked += group.total_byte_size
        for column in range(group.num_columns) if claimed.num_columns <= _FEW_COLUMNS else ():
            part = group.column(column)
            cells += part.num_values
            # The mean of them: where it is too large, so is a cell, and none need be unpacked.
            mean = part.total_uncompressed_size // max(1, part.num_values)
            watch.cell(mean, f"column {part.path_in_schema!r}")
        watch.cells(cells)
        watch.cells(0, words=unpacked)


def read_arrow(path: Path, watch: Watch) -> Table:
    """Read an .arrow or .feather file: Arrow's own format, as a file or a stream."""
    pa = import_pyarrow("Reading Arrow files")
    with _readable("Arrow", watch):
        source = _source(pa, path, watch)
        # A file is a stream after eight bytes, with an index behind it that is not needed.
        begin = 8 if source.read(6) == b"ARROW1" else 0
        source.seek(begin)
        _weigh_messages(pa, source, watch)
        source.seek(begin)
        file = pa.ipc.open_stream(source)
        read = _joined(pa, iter(file), file.schema, watch)
        return read_words(arrow_table(flat_columns(pa, read), watch))


def _weigh_messages(pa: Any, source: Any, watch: Watch) -> None:
    """Refuse batches that say they unpack to too much, before one is unpacked."""
    rows = size = columns = 0
    for message in pa.ipc.MessageReader.open_stream(source):
        if message.type == "schema":
            columns = len(pa.ipc.read_schema(message).names)
            watch.columns(columns)
        found = batch_size(message)
        if found is not None:
            rows += found.rows
            size += found.bytes
            watch.rows(rows)
            watch.cells(rows * columns)
            watch.cells(0, words=size)


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
def _opened_parquet(path: Path, watch: Watch) -> Iterator[tuple[Iterator[Any], Any]]:
    """Open a Parquet file, plain or compressed, and give its rows a batch at a time."""
    from pyarrow import parquet

    if endings(path)[1]:
        unpacked = io.BytesIO(read_all(path, watch))
        with parquet.ParquetFile(unpacked, pre_buffer=False) as file:
            check_claims(file.metadata, watch)
            (folded, rows), schema = folding(file, _BATCH), file.schema_arrow
        unpacked.seek(0)
        with parquet.ParquetFile(unpacked, pre_buffer=False, read_dictionary=folded) as file:
            yield file.iter_batches(rows, use_threads=False), schema
    else:
        watch.size(path.stat().st_size)
        with open_parquet(path) as reading:
            check_claims(reading.file.metadata, watch)
            yield reading.batches(_BATCH), reading.schema


def _source(pa: Any, path: Path, watch: Watch) -> Any:
    if endings(path)[1]:
        return io.BytesIO(read_all(path, watch))
    watch.size(path.stat().st_size)
    # Not mapped: the cells of an Arrow file are used where they lie, long after it was read.
    return pa.OSFile(str(path), "rb")


def _joined(pa: Any, batches: Iterator[Any], schema: Any, watch: Watch) -> Any:
    scales = Scales(watch, schema)
    kept = [scales.add(batch) for batch in batches]
    return pa.Table.from_batches(kept, kept[0].schema if kept else schema)


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
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        lists = _lists(pa, cells)
        return values_column(cells.to_pylist(), name, watch.name) if lists is None else lists
    if (pictures := _pictures(pa, cells, kind, name, watch)) is not None:
        return pictures
    if pa.types.is_nested(kind):
        return values_column(cells.to_pylist(), name, watch.name)
    # Equal cells become one object in Python, however many there are.
    weight(cells, name, watch)
    coded = cells.dictionary_encode()
    words = (None if cell is None else str(cell) for cell in coded.dictionary.to_pylist())
    different = word_array([*words, None])
    return different[coded.indices.fill_null(len(different) - 1).to_numpy(zero_copy_only=False)]


def _pictures(pa: Any, cells: Any, kind: Any, name: str, watch: Watch) -> Column | None:
    """Make a column of pictures of bytes, or of bytes with a path; None if it is something else."""
    whole = pa.types.is_struct(kind) and {each.name for each in kind} == {"bytes", "path"}
    if whole:
        data = cells.field("bytes")
    elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        data = cells
    else:
        return None
    if held_pictures(data.drop_null()[:3].to_pylist()) is None:
        return None
    weight(data, name, watch)
    return held_pictures(cells.to_pylist())


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
