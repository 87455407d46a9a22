from __future__ import annotations

import pytest

from rarefind.discovery.outlook import outlook
from rarefind_bench.discovery.outlook_check import add_outlook_check, moments
from rarefind_bench.tables_and_charts import Findings

SIZES = {"crowd": 90, "odd": 8, "rare": 2}
TOLD = ["crowd", "crowd", "odd", "crowd", "rare", "crowd"]


def test_every_moment_is_judged_by_what_came_and_what_was_unseen():
    judged = moments(TOLD, SIZES)
    assert [moment.new for moment in judged] == [0, 1, 0, 1, 0]
    assert [moment.unseen for moment in judged] == pytest.approx([0.1, 0.1, 0.02, 0.02, 0.0])
    for number, moment in enumerate(judged, start=1):
        look = outlook(TOLD[:number])
        assert moment.chance == look.chance_of_new
        assert moment.bound == look.largest_unseen_share


def test_moments_are_grouped_by_the_chance_stated_and_none_is_lost():
    found = Findings("title", "lead")
    add_outlook_check(found, "auto", [(TOLD, SIZES)] * 3)
    (grid,) = found.grids
    assert sum(row[1] for row in grid.rows) == 15
    assert sum(row[1] * float(row[3]) for row in grid.rows) == pytest.approx(6, abs=0.02)
    assert "in 0 of 3 hunts, at 0 of 15 moments" in grid.title
    assert len(found.data["outlook"]["auto"]) == len(grid.rows)


def test_without_hunts_nothing_is_told():
    found = Findings("title", "lead")
    add_outlook_check(found, "auto", [])
    assert found.grids == []


def test_a_bound_that_fails_is_counted_once_a_hunt_and_at_each_moment():
    found = Findings("title", "lead")
    add_outlook_check(found, "auto", [(["crowd"] * 60, {"crowd": 50, "odd": 50})])
    first = next(q for q in range(1, 60) if outlook(["crowd"] * q).largest_unseen_share < 0.5)
    assert f"in 1 of 1 hunts, at {60 - first} of 59 moments" in found.grids[0].title
