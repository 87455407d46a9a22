from __future__ import annotations

import subprocess
import sys
from collections import deque
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rarefind.core.errors import DataError
from rarefind.records.formats import parquet_mapping as parquet_reading
from rarefind.records.formats.by_ending import read_table
from rarefind.records.formats.parquet_mapping import open_parquet
from rarefind.records.formats.parquet_stream import ParquetStream

ROWS = 200_000


@pytest.fixture
def file(tmp_path):
    """All rows in one group, as several tools write them."""
    path = tmp_path / "large.parquet"
    numbers = np.random.default_rng(0).normal(size=ROWS)
    words = [f"word {row}" for row in range(ROWS)]
    table = pa.table({"x": numbers, "word": words})
    parquet.write_table(table, path, row_group_size=ROWS, use_dictionary=False, compression=None)
    return path


@pytest.fixture(params=["mapped", "through a buffer"])
def way(request, monkeypatch):
    if request.param != "mapped":
        monkeypatch.delattr(parquet_reading.fcntl, "F_SETLEASE", raising=False)
    elif not hasattr(parquet_reading.fcntl, "F_SETLEASE"):
        pytest.skip("files are mapped where the system gives leases")
    return request.param


def test_both_ways_read_the_same_in_less_memory_than_a_group_takes(file, way):
    expected = parquet.read_table(file)
    held = pa.total_allocated_bytes()
    read, most = [], 0
    with open_parquet(file) as reading:
        assert reading.mapped == (way == "mapped")
        for batch in reading.batches(1000, columns=["x"]):
            most = max(most, pa.total_allocated_bytes() - held)
            read.append(batch.column(0).to_numpy().copy())
            del batch
    np.testing.assert_array_equal(np.concatenate(read), expected["x"].to_numpy())
    # A buffer of 1 MiB, where the column takes 1.6 MB; pages of it are decoded as they come.
    assert most < (1_300_000 if way == "mapped" else 2**20 + 1_300_000)
    assert read_table(file).columns["word"].tolist() == expected["word"].to_pylist()


def test_nothing_decoded_lies_in_the_mapped_file(file):
    with open_parquet(file) as reading:
        maps = Path("/proc/self/maps").read_text().splitlines()
        (place,) = [line.split()[0] for line in maps if line.endswith(str(file))]
        first, last = (int(address, 16) for address in place.split("-"))
        batch = next(reading.batches(5000))
    parts = [part for column in batch.columns for part in column.buffers() if part is not None]
    assert len(parts) >= 3
    assert not any(first <= part.address < last for part in parts)


def test_whoever_writes_to_a_file_waits_until_it_is_let_go(file, way):
    shortening = "import sys; open(sys.argv[1], 'wb').write(b'short')"
    with open_parquet(file) as reading:
        batches = reading.batches(1000)
        next(batches)
        writer = subprocess.Popen([sys.executable, "-c", shortening, str(file)])
        with pytest.raises(DataError, match=r"large.parquet has changed while it was read\. Start"):
            deque(iter(reading.check, "never"), maxlen=0)
        with pytest.raises(ValueError, match="closed"):
            next(batches)
    assert writer.wait() == 0
    assert file.read_bytes() == b"short"


def test_a_file_that_is_being_written_is_not_mapped(file):
    with file.open("ab"), open_parquet(file) as reading:
        assert not reading.mapped
        assert next(reading.batches(10)).num_rows == 10
    empty = file.with_name("empty.parquet")
    empty.touch()
    with pytest.raises(DataError, match=r"empty.parquet is not a readable Parquet file"):
        ParquetStream(empty)


def test_a_stream_refuses_another_version_of_its_file(file):
    stream = ParquetStream(file)
    new = file.with_name("new.parquet")
    parquet.write_table(parquet.read_table(file).slice(0, 50), new)
    new.replace(file)
    with pytest.raises(DataError, match=r"large.parquet has changed while it was read\. Start"):
        next(stream.batches())


def test_fields_of_structures_are_columns(tmp_path):
    people = [{"age": row * 1.5, "at": {"town": "ab"[row % 2]}} for row in range(9)]
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"who": pa.array(people), "n": np.arange(9.0)}), path)
    table = read_table(path)
    assert list(table.columns) == ["who.age", "who.at.town", "n"]
    np.testing.assert_array_equal(table.column("who.age"), np.arange(9) * 1.5)
