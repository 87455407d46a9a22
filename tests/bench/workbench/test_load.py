"""The benchmarks of the workbench, short; what the server must hold is tested in tests/web."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from rarefind.core.errors import NotAvailableError, StateError, UnknownNameError
from rarefind_bench.plan import Plan
from rarefind_bench.workbench.load import web
from rarefind_bench.workbench.page import workbench
from rarefind_bench.workbench.people import Seen, milliseconds, missing_or_doubled
from rarefind_bench.workbench.server import Served
from rarefind_bench.workbench.siege import siege
from rarefind_bench.workbench.soak import soak


def finished(work, plan):
    """Run in a thread of its own: the browser's driver keeps a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work, plan).result()


def test_people_wait_for_questions_and_answers_and_nothing_is_lost(monkeypatch):
    for name, short in (("WARM_UP", 1.0), ("BURST", (50, 2.0)), ("SETTLE", 0.5)):
        monkeypatch.setattr(f"rarefind_bench.workbench.load.{name}", short)
    for name, size in (("RECORDS", 1000), ("TURNS", 1), ("ANSWERS", 200)):
        monkeypatch.setattr(f"rarefind_bench.workbench.ways.{name}", size)
    found = finished(web, Plan(budget=3))
    assert found.data["exit code"] == 0
    assert found.data["lost"] == found.data["stored twice"] == found.data["told by two"] == 0
    assert found.data["errors"] == 0
    assert found.data["labels a second"] > 0
    assert [row[0] for row in found.grids[0].rows][:2] == ["a question", "an answer"]
    ways = found.grids[-1].rows
    assert [row[0] for row in ways][:2] == ["through the framework", "the short way"]
    assert {row[1] for row in ways} == {200}
    assert json.dumps(found.data)


def test_answers_are_timed_beside_strangers_and_listeners(monkeypatch):
    for name, size in (("STRANGERS", 30), ("SLOW", 10), ("LISTENERS", 10), ("HUNTS", 120)):
        monkeypatch.setattr(f"rarefind_bench.workbench.siege.{name}", size)
    monkeypatch.setattr("rarefind_bench.workbench.siege.RECORDS", 200)
    found = finished(siege, Plan(budget=5))
    assert found.data["exit code"] == 0
    beside, among = found.grids
    assert len(beside.rows) == 5
    assert all(0 < row[1] <= row[2] for row in beside.rows)
    assert among.rows[0][0] == "a page of hunts"
    assert json.dumps(found.data)


def test_keys_and_maps_are_timed_in_a_real_browser(monkeypatch):
    monkeypatch.setattr("rarefind_bench.workbench.page.POINTS", 500)
    found = finished(workbench, Plan(budget=3))
    (grid,) = found.grids
    assert [(row[0], row[1]) for row in grid.rows] == [
        ("from key to next question", 3),
        ("first paint of 500 points", 1),
        ("a move of the map of 500 points", 12),
    ]
    assert all(0 <= row[2] <= row[4] for row in grid.rows)


def test_a_long_day_is_counted_on_the_server_and_on_the_page(monkeypatch):
    monkeypatch.setattr("rarefind_bench.workbench.soak.SETTLE", 0.5)
    found = finished(soak, Plan(budget=20))
    assert found.data["exit code of the people"] == found.data["exit code of the page"] == 0
    assert found.data["lost"] == found.data["stored twice"] == found.data["refused"] == 0, (
        found.notes
    )
    people, page = found.grids
    assert people.rows[-1][0] >= 20
    assert [row[0] for row in page.rows] == list(range(1, 21))
    assert json.dumps(found.data)


def test_what_is_missing_or_wrong_is_said_before_a_server_starts(monkeypatch):
    with pytest.raises(UnknownNameError, match="There is no model 'laggo'"):
        web(Plan(strategies=("laggo",)))
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(NotAvailableError, match=r"pip install 'rarefind-bench\[browser\]'"):
        workbench(Plan())


def test_a_server_that_does_not_start_says_why(tmp_path):
    with pytest.raises(StateError, match=r"did not start: .*nowhere\.csv"):
        Served(tmp_path, tmp_path / "nowhere.csv")


def test_answers_lost_doubled_and_shared_are_counted():
    crowd = Seen(kept={"a": 1, "b": 2, "c": 2})
    burst = Seen(kept={"d": 3})
    events = [{"id": id} for id in ("a", "b", "b", "d")]
    assert missing_or_doubled([crowd, burst], events) == (1, 1, 1)
    assert milliseconds([0.1, 0.2, 0.3], 0.5) == 200.0
