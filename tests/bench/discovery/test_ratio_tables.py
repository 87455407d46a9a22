from __future__ import annotations

import numpy as np
import pytest

from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.discovery.ratio_tables import add_ratio_tables, best_single, geometric_mean
from rarefind_bench.tables_and_charts import Findings

RATIOS = {
    "set 1": {"auto": np.array([0.1, 0.1]), "malice": np.array([0.2, 0.2])},
    "glass": {"auto": np.array([0.4, 0.4]), "malice": np.array([0.1, 0.3])},
    "ecoli": {"auto": np.array([0.2, 0.2]), "malice": np.array([0.4, 0.4])},
    "splice": {"auto": np.array([0.5, 0.5])},
}


@pytest.fixture
def grids():
    drawn = LabelledSet("drawn", np.zeros((40, 1)), ("crowd",) * 39 + ("odd",))
    found = Findings("title", "lead")
    add_ratio_tables(found, dict.fromkeys(RATIOS, drawn), RATIOS, ["auto", "malice"])
    assert found.data["glass"]["malice"] == [0.1, 0.3]
    return {grid.title.partition(",")[0].partition(" over ")[0]: grid for grid in found.grids}


def rows(grid):
    assert all(len(row) == len(grid.header) for row in grid.rows)
    return {row[0]: row[1:] for row in grid.rows}


def test_every_set_is_told_with_the_best_single_strategy(grids):
    by_set = rows(grids["By set"])
    assert by_set["set 1"] == ("0.10", "0.20", "malice 0.20", "0.50")
    assert by_set["glass"] == ("0.40", "0.20", "malice 0.20", "2.00")
    assert by_set["splice"] == ("0.50", "-", "-", "-")
    assert rows(grids["The sets"])["glass"] == (40, "1")


def test_means_are_told_where_every_set_was_played():
    assert geometric_mean(RATIOS, ["glass", "ecoli"], "auto") == pytest.approx(0.08**0.5)
    assert geometric_mean(RATIOS, ["glass", "splice"], "malice") is None
    assert geometric_mean(RATIOS, [], "auto") is None


def test_where_auto_falls_short_is_told_draw_by_draw(grids):
    (row,) = grids["Where auto needs"].rows
    assert row == ("glass", "0.40, 0.40", "malice", "0.10, 0.30", "2.0", "0.20 ± 0.10")


def test_random_sampling_is_no_rival():
    row = {"auto": np.array([0.5]), "random": np.array([0.1])}
    assert best_single(row) is None
    assert best_single({**row, "linkage": np.array([0.7])}) == "linkage"
    assert best_single({"linkage": np.array([0.7])}) is None
    several = {**row, "auto, ask(2)": np.array([0.2]), "auto-1": np.array([0.4])}
    assert best_single(several) == "auto-1"
