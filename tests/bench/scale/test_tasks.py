from __future__ import annotations

import numpy as np
import pytest

from rarefind.bench.scale.clocks import least_spent, mean_spent, peak_gigabytes, spent
from rarefind.bench.scale.made_up import crowds, made_up, made_up_strings
from rarefind.bench.scale.streaming import write_blocks
from rarefind.bench.scale.tasks import TASKS, is_ours, missing
from rarefind.records.formats.by_ending import read_table

HERE = [name for name in TASKS if missing(name) is None and name != "accept stream"]
SMALL = {
    "rows": 300, "dimensions": 3, "classes": 4, "strings": 8, "length": 12, "graphs": 6, "nodes": 5
}  # fmt: skip


@pytest.mark.parametrize("name", HERE)
def test_every_task_that_can_run_here_measures_seconds(name):
    measured = TASKS[name].function()(SMALL)
    times = [value for value in measured.values() if isinstance(value, dict)]
    assert times
    for time in times:
        assert time["clock"] > 0
        assert time["processors"] >= 0


def test_a_stream_is_scored_and_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    measured = TASKS["accept stream"].function()({"rows": 2_000, "dimensions": 3})
    assert {"scores only", "all columns", "prepared", "distances"} <= set(measured)
    assert list(tmp_path.iterdir()) == []


def test_blocks_are_written_to_the_last_row(tmp_path, monkeypatch):
    monkeypatch.setattr("rarefind.bench.scale.streaming._AT_ONCE", 64)
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


def test_clocks_count_what_work_takes():
    took = spent(lambda: sum(range(200_000)))
    assert 0 < took.processors < 5
    assert took.as_dict() == {"clock": took.clock, "processors": took.processors}
    turns = []
    least_spent(lambda: turns.append(1))
    assert len(turns) == 20  # short work is repeated
    assert mean_spent([took, took]) == took
    assert peak_gigabytes() > 0.01


def test_what_is_not_installed_is_said_with_the_command_to_install_it(monkeypatch):
    monkeypatch.setitem(TASKS, "a tool", TASKS["PyOD KNN"]._replace(package="not_a_package"))
    assert missing("a tool") == "a tool is left out: it is not installed (pip install pyod)"
    assert missing("rarefind auto") is None
    assert is_ours("rarefind auto")
    assert not is_ours("scipy cKDTree k=10")
