from __future__ import annotations

import numpy as np
import pytest

from rarefind.records.formats.by_ending import read_table
from rarefind_bench.scale.work.made_up import crowds, made_up, made_up_strings
from rarefind_bench.scale.work.streaming import accept_stream, write_blocks


def test_a_stream_is_scored_and_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    measured = accept_stream({"rows": 2_000, "dimensions": 3})
    assert {"scores only", "all columns", "prepared", "distances"} <= set(measured)
    assert list(tmp_path.iterdir()) == []


def test_blocks_are_written_to_the_last_row(tmp_path, monkeypatch):
    monkeypatch.setattr("rarefind_bench.scale.work.streaming.AT_ONCE", 64)
    first = write_blocks(tmp_path / "in.parquet", {"rows": 150, "dimensions": 2})
    table = read_table(tmp_path / "in.parquet")
    read = np.column_stack(list(table.columns.values()))
    assert read.shape == (150, 2)
    np.testing.assert_array_equal(read[:64], first)
    assert not np.array_equal(read[64:128], first)


@pytest.mark.parametrize("dimensions", [2, 12, 40])
@pytest.mark.parametrize("knots", [0, 1, 49])
def test_crowds_hide_as_many_knots_as_wanted(dimensions, knots):
    drawn = crowds(2_000, dimensions, knots)
    assert drawn.X.shape == (2_000, dimensions)
    names, sizes = np.unique(drawn.classes, return_counts=True)
    assert names.tolist() == list(range(knots + 1))
    assert sizes[0] > 1_000
    np.testing.assert_array_equal(crowds(2_000, dimensions, knots).X, drawn.X)


def test_a_knot_is_tight():
    drawn = made_up({"rows": 3_000, "dimensions": 9, "classes": 3})
    for knot in (1, 2):
        assert drawn.X[drawn.classes == knot].std(axis=0).max() < 0.1


def test_strings_have_the_length_wanted():
    strings = made_up_strings(5, 7)
    assert [len(string) for string in strings] == [7] * 5
    assert set("".join(strings)) <= set("ACGT")
