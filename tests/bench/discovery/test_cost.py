from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import DataError, UnknownNameError
from rarefind.records.formats.by_ending import write_table
from rarefind.records.table import Table
from rarefind_bench.discovery.cost import discovery_cost, hunt_in_set
from rarefind_bench.plan import Plan


@pytest.fixture(autouse=True)
def glass(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(150, 2)), rng.normal(9, 0.1, size=(5, 2))])
    labels = np.array(["1"] * 150 + ["2"] * 5, dtype=object)
    columns = {"a": X[:, 0], "b": X[:, 1], "label": labels}
    for file in ("glass.parquet", "shuttle_train.parquet"):
        write_table(Table(columns, "t"), tmp_path / file)
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path))


@pytest.mark.parametrize("strategy", ["malice", "auto"])
def test_a_hunt_is_measured_beside_the_query(strategy):
    measured = hunt_in_set({"set": "glass", "strategy": strategy})
    assert measured["size"] == "155 x 2"
    assert measured["found"] == "1 of 1"
    assert all(measured[part]["clock"] > 0 for part in ("query", "set-up", "questions"))


def test_every_strategy_is_measured_in_a_process_of_its_own_and_judged_where_there_is_a_goal():
    found = discovery_cost(Plan(sets=("glass", "shuttle"), strategies=("farthest-first",)))
    by_set = {grid.title: grid.rows[0] for grid in found.grids}
    assert list(by_set) == ["glass 155 x 2", "shuttle 155 x 2"]
    assert "goal" not in by_set["glass 155 x 2"][3]
    assert "goal 5" in by_set["shuttle 155 x 2"][3]
    assert by_set["glass 155 x 2"][-1] == "1 of 1"
    assert found.data["glass"]["farthest-first"]["gigabytes"] > 0.01


def test_what_was_stopped_or_broke_is_told(monkeypatch):
    answers = iter([{"stopped": 2.0}, {"failed": "MemoryError: too much."}])
    monkeypatch.setattr("rarefind_bench.discovery.cost.measured_alone", lambda *_: next(answers))
    found = discovery_cost(Plan(sets=("glass",), strategies=("random", "auto")))
    assert [row[1] for row in found.grids[0].rows] == ["> 2 s", "fails: MemoryError"]
    assert found.notes == ["glass, auto: MemoryError: too much"]


def test_wrong_names_are_said_before_any_work():
    with pytest.raises(UnknownNameError, match="atuo"):
        discovery_cost(Plan(sets=("glass",), strategies=("atuo",)))
    with pytest.raises(UnknownNameError, match="Did you mean 'glass'"):
        discovery_cost(Plan(sets=("glas",)))
    with pytest.raises(DataError, match="splice has no features"):
        discovery_cost(Plan(sets=("splice",)))
