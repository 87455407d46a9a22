"""The cost of ``auto`` is compared with its slowest member and a forest."""

from __future__ import annotations

import numpy as np

from rarefind.records.formats.by_ending import write_table
from rarefind.records.table import Table
from rarefind_bench.detection import cost_of_auto
from rarefind_bench.detection.cost_of_auto import cost_grid
from rarefind_bench.detection.every_model import detection
from rarefind_bench.plan import Plan

ROW = {
    "set": "letter",
    "forest": 0.1,
    "members": {"trees": 0.2, "svm": 0.05, "catboost": 0.9},
    "averages": {
        "with CatBoost": {"names": ["trees", "svm", "catboost"], "seconds": 1.5},
        "without CatBoost": {"names": ["trees", "svm"], "seconds": 0.45},
    },
}


def test_an_average_is_compared_with_the_slowest_of_its_own_members():
    (row,) = cost_grid([ROW], "with CatBoost").rows
    assert row == ("letter", "1.50", "0.90", "0.10", "catboost", "1.50")
    (row,) = cost_grid([ROW], "without CatBoost").rows
    assert row == ("letter", "0.45", "0.20", "0.10", "trees", "1.50")


def test_every_member_is_measured_alone_and_all_together(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(570, 2)), rng.normal(4.0, 0.3, size=(25, 2))])
    columns = {"a": X[:, 0], "b": X[:, 1], "label": np.array(["0"] * 570 + ["1"] * 25)}
    write_table(Table(columns, "t"), tmp_path / "wilt.parquet")
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path))
    monkeypatch.setattr(cost_of_auto, "TABLES", ("wilt",))
    found = detection(Plan(seeds=1, sets=("cost",)))
    (row,) = found.data["cost"]
    assert set(row["averages"]["without CatBoost"]["names"]) == set(row["members"]) - {"catboost"}
    assert min(row["forest"], *row["members"].values()) > 0.0
    assert found.grids[-1].title == "Cost of auto without CatBoost"
