from __future__ import annotations

import numpy as np
import pytest

from rarefind_bench.discovery.group_tables import add_group_tables, groups_of, interval
from rarefind_bench.tables_and_charts import Findings

RATIOS = {
    "set 1": {"auto": np.array([0.1, 0.1]), "linkage": np.array([0.2, 0.2])},
    "glass": {"auto": np.array([0.4, 0.4]), "linkage": np.array([0.1, 0.3])},
    "ecoli": {"auto": np.array([0.2, 0.2]), "linkage": np.array([0.4, 0.4])},
    "splice": {"auto": np.array([1.9, 2.1])},
    "MUTAG": {"auto": np.array([0.9, 1.9]), "linkage": np.array([1.4, 1.4])},
}


def rows(grid):
    assert all(len(row) == len(grid.header) for row in grid.rows)
    return {row[0]: dict(zip(grid.header[1:], row[1:], strict=True)) for row in grid.rows}


@pytest.fixture
def grids():
    found = Findings("title", "lead")
    add_group_tables(found, RATIOS, ["auto", "linkage"])
    return [rows(grid) for grid in found.grids]


def test_sets_are_sorted_by_what_their_records_are():
    groups = groups_of(["set 1", "heavy tails", "glass", "mvtec_resnet18", "webkb", "NCI1"])
    assert groups["synthetic"] == ["set 1", "heavy tails"]
    assert groups["texts, strings, graphs"] == ["webkb", "NCI1"]
    assert groups["all real"] == ["glass", "mvtec_resnet18", "webkb", "NCI1"]
    assert "strings" not in groups


def test_groups_have_geometric_means_where_every_set_was_played(grids):
    means = grids[0]
    assert means["tables"] == {"sets": 2, "auto": "0.283", "linkage": "0.283"}
    assert means["strings"] == {"sets": 1, "auto": "2.000", "linkage": "-"}
    assert means["synthetic"]["linkage"] == "0.200"


def test_auto_is_set_against_each_over_the_sets_both_played(grids):
    against = grids[1]["linkage"]
    assert against["synthetic"] == "0.50 [0.50, 0.50], 1"
    assert against["strings"] == "-"
    assert against["all real"].startswith("1.00 [")
    assert against["all real"].endswith("], 3")


def test_sets_worse_than_chance_are_told_with_how_sure_that_is(grids):
    worse = grids[2]
    assert worse["splice"] == {
        "times random": "2.00", "± two standard errors": "0.20", "beyond 1.3": "yes",
    }  # fmt: skip
    assert worse["MUTAG"]["beyond 1.3"] == "no"
    assert set(worse) == {"splice", "MUTAG"}


def test_the_interval_is_that_of_sets_drawn_anew():
    rng = np.random.default_rng(1)
    logs = rng.normal(size=40)
    low, high = np.log(interval(logs))
    error = logs.std() / np.sqrt(len(logs))
    assert low == pytest.approx(logs.mean() - 1.645 * error, abs=0.05)
    assert high == pytest.approx(logs.mean() + 1.645 * error, abs=0.05)
