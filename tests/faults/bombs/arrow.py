"""Small Parquet and Arrow files that grow without bound when they are decoded.

Each is a few kilobytes, or little more; what it would become is in the name of its maker.
"""

from __future__ import annotations

import datetime as dt
import decimal
import gzip
import struct

import pyarrow as pa
from pyarrow import parquet

MB = 2**20
WIDE = 12_000  # as many columns as are read
WORD = "x" * MB


def _parquet(path, table, **options):
    parquet.write_table(table, path, compression="zstd", **options)


def _repeated(path, batch, times, **options):
    """Write a batch many times over, into groups of rows of their own."""
    with parquet.ParquetWriter(path, batch.schema, compression="zstd", **options) as writer:
        for _ in range(times):
            writer.write_batch(batch)


def _ipc(path, batches, **options):
    with (
        pa.OSFile(str(path), "wb") as file,
        pa.ipc.new_stream(file, batches[0].schema, **options) as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)


def _same(value, count, kind=None):
    """Return a short column of one value that takes little to write, however long it reads."""
    return pa.DictionaryArray.from_arrays(
        pa.array([0] * count, pa.int32()), pa.array([value], kind)
    )


def one_long_word(path):
    _parquet(path, pa.table({"a": _same(WORD, 1500)}), store_schema=False)


def one_long_word_as_dictionary(path):
    _parquet(path, pa.table({"a": _same(WORD, 1500)}))


def one_long_word_as_bytes(path):
    _parquet(path, pa.table({"a": _same(WORD.encode(), 1500)}), store_schema=False)


def one_long_word_in_groups(path):
    batch = pa.record_batch({"a": pa.array([WORD])})
    _repeated(path, batch, 1500, use_dictionary=False)


def one_word_in_many_columns(path):
    cells = _same("y" * 10_000, 100)
    _parquet(path, pa.table({f"c{i}": cells for i in range(2000)}), store_schema=False)


def one_word_in_many_rows(path):
    batch = pa.record_batch({"a": _same("z" * 1000, 100_000)})
    _repeated(path, batch, 190)


def short_words_in_many_rows(path):
    batch = pa.record_batch({"a": _same("abc", 100_000)})
    _repeated(path, batch, 190)


def zeros_in_many_rows(path):
    batch = pa.record_batch({name: pa.repeat(pa.scalar(0), 100_000) for name in "abcdefgh"})
    _repeated(path, batch, 190)


def gaps_in_many_columns(path):
    batch = pa.record_batch({f"c{i}": pa.nulls(100_000, pa.int8()) for i in range(100)})
    _repeated(path, batch, 20)


def _dates_batch(value):
    return pa.record_batch({"a": pa.repeat(pa.scalar(value), 100_000)})


def times_in_many_rows(path):
    _repeated(path, _dates_batch(dt.datetime(2020, 1, 1)), 190)


def days_in_many_rows(path):
    _repeated(path, _dates_batch(dt.date(2020, 1, 1)), 190)


def spans_in_many_rows(path):
    _repeated(path, _dates_batch(dt.timedelta(seconds=1)), 190)


def decimals_in_many_rows(path):
    _repeated(path, _dates_batch(decimal.Decimal("1.50")), 190)


def yes_in_many_rows(path):
    _repeated(path, _dates_batch(True), 190)


def long_lists(path):
    batch = pa.record_batch({"a": pa.array([[0] * 100_000] * 20)})
    _repeated(path, batch, 50)


def lists_of_lists(path):
    batch = pa.record_batch({"a": pa.array([[[0] * 10] * 10_000] * 20)})
    _repeated(path, batch, 50)


def empty_lists(path):
    batch = pa.record_batch({"a": pa.array([[]] * 100_000, pa.list_(pa.int64()))})
    _repeated(path, batch, 190)


def structs_in_many_rows(path):
    batch = pa.record_batch({"a": pa.array([{"b": 0, "c": 1}] * 100_000)})
    _repeated(path, batch, 150)


def maps_in_many_rows(path):
    kind = pa.map_(pa.string(), pa.int64())
    batch = pa.record_batch({"a": pa.array([[("k", 1)]] * 100_000, kind)})
    _repeated(path, batch, 100)


def deep_struct(path):
    cell = 1
    for _ in range(60):
        cell = {"a": cell}
    _parquet(path, pa.table({"a": pa.array([cell] * 1000)}))


def _wide(path, *cells, width=WIDE):
    _parquet(path, pa.table({f"c{i}": pa.array(cells) for i in range(width)}))


def wide_parquet(path):
    _wide(path, 1.0, 2.0, 3.0)


def too_wide_parquet(path):
    _wide(path, 1.0, 2.0, 3.0, width=WIDE + 1)


def wide_words(path):
    _wide(path, "a", "b", "c")


def wide_dates(path):
    _wide(path, "2020-01-01", "2021-02-02", "2022-03-03")


def wide_texts(path):
    _wide(path, "some words of a text", "others that follow on it", "and the third of all these")


def many_groups(path):
    batch = pa.record_batch({"a": pa.array([1.0])})
    _repeated(path, batch, 20_000)


def packed_parquet(path):
    inner = path.with_suffix("")
    zeros_in_many_rows(inner)
    path.write_bytes(gzip.compress(inner.read_bytes()))
    inner.unlink()


def packed_arrow(path):
    batch = pa.record_batch({"a": pa.repeat(pa.scalar(0), 2_000_000)})
    _ipc(path, [batch] * 9, options=pa.ipc.IpcWriteOptions(compression="zstd"))


def packed_arrow_in_columns(path):
    zeros = pa.repeat(pa.scalar(0), 2_000_000)
    batch = pa.record_batch({f"c{i}": zeros for i in range(100)})
    _ipc(path, [batch], options=pa.ipc.IpcWriteOptions(compression="zstd"))


def packed_arrow_file(path):
    batch = pa.record_batch({f"c{i}": pa.repeat(pa.scalar(0), 2_000_000) for i in range(100)})
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with (
        pa.OSFile(str(path), "wb") as file,
        pa.ipc.new_file(file, batch.schema, options=options) as writer,
    ):
        writer.write_batch(batch)


def arrow_dictionary(path):
    _ipc(path, [pa.record_batch({"a": _same(WORD, 1500)})])


def arrow_dictionary_in_columns(path):
    cells = _same("y" * 50_000, 200)
    _ipc(path, [pa.record_batch({f"c{i}": cells for i in range(100)})])


def arrow_dictionary_of_numbers(path):
    indices = pa.array([0] * 1_000_000, pa.int8())
    cells = pa.DictionaryArray.from_arrays(indices, pa.array([0.5]))
    batch = pa.record_batch({f"c{i}": cells for i in range(20)})
    _ipc(path, [batch], options=pa.ipc.IpcWriteOptions(compression="zstd"))


def one_long_run(path):
    cells = pa.RunEndEncodedArray.from_arrays(pa.array([10**9], pa.int64()), pa.array([1.0]))
    _ipc(path, [pa.record_batch({"a": cells})])


def one_long_run_of_words(path):
    cells = pa.RunEndEncodedArray.from_arrays(pa.array([1500], pa.int32()), pa.array([WORD]))
    _ipc(path, [pa.record_batch({"a": cells})])


def views_of_one_word(path):
    view = struct.pack("<i4sii", MB, b"xxxx", 0, 0)  # its length, its beginning, and where it is
    buffers = [None, pa.py_buffer(view * 1500), pa.py_buffer(WORD.encode())]
    cells = pa.Array.from_buffers(pa.string_view(), 1500, buffers)
    _ipc(path, [pa.record_batch({"a": cells})])


def views_of_one_list(path):
    zeros = pa.array([0] * 100_000)
    count = 3000
    offsets, sizes = pa.array([0] * count, pa.int32()), pa.array([100_000] * count, pa.int32())
    cells = pa.ListViewArray.from_arrays(offsets, sizes, zeros)
    _ipc(path, [pa.record_batch({"a": cells})])


def one_list_of_gaps(path):
    count = 60_000_000
    cells = pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), pa.nulls(count))
    _ipc(path, [pa.record_batch({"a": cells})])


def long_lists_of_gaps(path):
    cells = pa.FixedSizeListArray.from_arrays(pa.nulls(3 * 10**8), 10**8)
    _ipc(path, [pa.record_batch({"a": cells})])


def empty_structs(path):
    cells = pa.StructArray.from_buffers(pa.struct([]), 15_000_000, [None])
    _ipc(path, [pa.record_batch({"a": cells})])


def gaps_of_no_type(path):
    batch = pa.record_batch({f"c{i}": pa.nulls(1_000_000) for i in range(1000)})
    _ipc(path, [batch])


def wide_gaps(path):
    batch = pa.record_batch({f"c{i}": pa.nulls(10) for i in range(60_000)})
    _ipc(path, [batch])


def empty_batches(path):
    batch = pa.record_batch({"a": pa.array([], pa.int64())})
    _ipc(path, [batch] * 50_000 + [pa.record_batch({"a": pa.array([1])})])


def deep_list_type(path):
    kind = pa.int64()
    for _ in range(60):
        kind = pa.list_(kind)
    _ipc(path, [pa.record_batch({"a": pa.nulls(10, kind)})])


ARROW_BOMBS = [
    *((make, "t.parquet") for make in (
        one_long_word, one_long_word_as_dictionary, one_long_word_as_bytes, one_long_word_in_groups,
        one_word_in_many_columns, one_word_in_many_rows, short_words_in_many_rows,
        zeros_in_many_rows, gaps_in_many_columns, times_in_many_rows, days_in_many_rows,
        spans_in_many_rows, decimals_in_many_rows, yes_in_many_rows, long_lists, lists_of_lists,
        empty_lists, structs_in_many_rows, maps_in_many_rows, deep_struct, wide_parquet,
        too_wide_parquet, wide_words, wide_dates, wide_texts, many_groups,
    )),
    (packed_parquet, "t.parquet.gz"),
    *((make, "t.arrow") for make in (
        packed_arrow, packed_arrow_in_columns, packed_arrow_file, arrow_dictionary,
        arrow_dictionary_in_columns, arrow_dictionary_of_numbers, one_long_run,
        one_long_run_of_words, views_of_one_word, views_of_one_list, one_list_of_gaps,
        long_lists_of_gaps, empty_structs, gaps_of_no_type, wide_gaps, empty_batches,
        deep_list_type,
    )),
]  # fmt: skip
"""Makers of a file, and the name it has to have."""
