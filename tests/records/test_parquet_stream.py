from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rarefind.core.errors import DataError
from rarefind.records.formats import parquet_stream
from rarefind.records.formats.parquet_stream import ParquetSink, ParquetStream, with_numbers


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "big.parquet"
    words = [None if row % 3 else f"w{row}" for row in range(1000)]
    table = pa.table({"x": np.arange(1000.0), "word": words})
    parquet.write_table(table, path, row_group_size=170)
    return path


def test_batches_hold_all_rows_in_order(file):
    stream = ParquetStream(file)
    assert (stream.n_rows, stream.names, stream.source) == (1000, ("x", "word"), "big.parquet")
    batches = list(stream.batches(rows=64))
    assert [batch.start for batch in batches][:3] == [0, 64, 128]
    rows = np.concatenate([batch.table().column("x") for batch in batches])
    np.testing.assert_array_equal(rows, np.arange(1000))
    only = next(stream.batches(["word"], rows=4)).table()
    assert list(only.columns) == ["word"]
    assert only.words("word") == ["w0", None, None, "w3"]


def test_rows_are_picked_across_groups_and_batches(file, monkeypatch):
    monkeypatch.setattr(parquet_stream, "BATCH_ROWS", 50)
    rows = np.array([0, 3, 169, 170, 171, 600, 999])
    table = ParquetStream(file).chosen(rows)
    np.testing.assert_array_equal(table.column("x"), rows)
    assert table.words("word")[1:3] == ["w3", None]


def test_what_is_written_by_batches_reads_as_one_file(file, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_stream, "GROUP_ROWS", 300)
    out = tmp_path / "out.parquet"
    stream = ParquetStream(file)
    with ParquetSink(out) as sink:
        for batch in stream.batches(rows=128):
            numbers = -batch.table().column("x")
            sink.write(with_numbers(batch.arrow, "score", numbers))
            assert not out.exists()
    read = parquet.read_table(out)
    assert read.drop_columns(["score"]).equals(parquet.read_table(file))
    np.testing.assert_array_equal(read["score"].to_numpy(), -np.arange(1000.0))
    assert parquet.ParquetFile(out).num_row_groups > 1


def test_an_error_leaves_nothing_behind_and_an_old_file_as_it_was(file, tmp_path):
    folder = tmp_path / "results"
    folder.mkdir()
    out = folder / "out.parquet"
    out.write_bytes(b"old")

    def break_off():
        with ParquetSink(out) as sink:
            for batch in ParquetStream(file).batches():
                sink.write(batch.arrow)
            raise KeyError("in the middle")

    with pytest.raises(KeyError):
        break_off()
    assert out.read_bytes() == b"old"
    assert [path.name for path in folder.iterdir()] == ["out.parquet"]


def test_what_cannot_be_read_or_written_is_one_sentence(file, tmp_path):
    with pytest.raises(DataError, match=r"There is no file .*missing.parquet"):
        ParquetStream(tmp_path / "missing.parquet")
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(DataError, match=r"broken.parquet is not a readable Parquet file"):
        ParquetStream(broken)
    damaged = tmp_path / "damaged.parquet"
    content = bytearray(file.read_bytes())
    content[20:600] = b"\xff" * 580
    damaged.write_bytes(content)
    with pytest.raises(DataError, match=r"damaged.parquet is not a readable Parquet file"):
        list(ParquetStream(damaged).batches())
    empty = tmp_path / "empty.parquet"
    parquet.write_table(pa.table({"x": pa.array([], pa.float64())}), empty)
    with pytest.raises(DataError, match=r"empty.parquet: the file has no rows"):
        ParquetStream(empty)
    with pytest.raises(DataError, match="'y'"):
        next(ParquetStream(file).batches(["y"]))
    with pytest.raises(DataError, match=r"must end in .parquet"), ParquetSink(tmp_path / "a.csv"):
        pass
    with (
        pytest.raises(DataError, match=r"there is no folder"),
        ParquetSink(tmp_path / "no" / "a.parquet"),
    ):
        pass
