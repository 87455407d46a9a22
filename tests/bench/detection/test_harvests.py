"""The harvest's benchmark counts what was found, and whether forecasts held."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import UnknownNameError
from rarefind.records.formats.by_ending import write_table
from rarefind.records.table import Table
from rarefind_bench.detection.harvests import forecast_grids, harvest, shares_grid
from rarefind_bench.plan import Plan


def test_a_harvest_of_a_made_file_finds_the_class(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(570, 2)), rng.normal(4.0, 0.3, size=(25, 2))])
    columns = {"a": X[:, 0], "b": X[:, 1], "label": np.array(["0"] * 570 + ["1"] * 25)}
    write_table(Table(columns, "t"), tmp_path / "wilt.parquet")
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path))
    found = harvest(Plan(seeds=1, sets=("wilt",), strategies=("logistic",)))
    ours, trees = found.data["harvests"]
    assert (ours["size"], ours["model"], trees["model"]) == (25, "logistic", "ExtraTrees")
    assert ours["found"][-1] > 0.9
    assert trees["found"][-1] > 0.9
    # Nothing is told in the first two of twenty, nor while every look is of the class.
    assert len(ours["rounds"]) == 17
    assert ours["rounds"][-1][2] <= 2
    assert not trees["rounds"]


def test_every_set_counts_alike_and_intervals_are_counted():
    def row(name, model, share, rounds=()):
        return {"set": name, "model": model, "found": [share] * 3, "rounds": list(rounds)}

    rows = [
        row("a", "auto", 0.5, [[1.0, 5.0, 3.0], [1.0, 5.0, 9.0]]), row("a", "peer", 0.3),
        row("a", "auto", 0.7), row("a", "peer", 0.3), row("b", "auto", 0.2), row("b", "peer", 0.2),
    ]  # fmt: skip
    grid = shares_grid(rows, ("auto", "peer"))
    assert grid.title == "Share of the class found, 3 harvests of 2 sets"
    assert [line[1] for line in grid.rows] == ["0.40", "0.25", "+0.150 ± 0.150"]
    assert forecast_grids(rows)[0].rows == [("2", "0.50", "0.00", "0.50")]


def test_an_unknown_set_is_named():
    with pytest.raises(UnknownNameError, match="'wiltt'"):
        harvest(Plan(sets=("wiltt",)))
