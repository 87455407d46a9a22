from __future__ import annotations

from time import process_time

import pytest

from rarefind_bench.measuring.clocks import least_spent, mean_spent, peak_gigabytes, spent
from rarefind_bench.measuring.tasks import TASKS, is_ours, missing

OF_FILES = ("accept stream", "hunt in a data set")
HERE = [name for name in TASKS if missing(name) is None and name not in OF_FILES]
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


def test_clocks_count_what_work_takes():
    before = process_time()
    took = spent(lambda: sum(range(200_000)))
    assert 0 < took.processors <= process_time() - before
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
