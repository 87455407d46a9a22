from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rarefind.core.errors import UnknownNameError
from rarefind_bench.command import bench
from rarefind_bench.journal import Journal
from rarefind_bench.measuring.tasks import TASKS
from rarefind_bench.measuring.worker import Worker
from rarefind_bench.plan import Plan
from rarefind_bench.scale import axes, goals, study
from rarefind_bench.scale.axes import AXES, Axis
from rarefind_bench.scale.goals import Size, add_goals
from rarefind_bench.scale.study import add_study, series_of
from rarefind_bench.tables_and_charts import Findings


def run(*arguments):
    done = CliRunner().invoke(bench, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(goals, "SIZES", {"hunt": [Size(300, 2), Size(600, 2)]})
    tasks = ("rarefind Spectrum(4)", "scikit-learn CountVectorizer", "GraKeL Weisfeiler-Lehman")
    monkeypatch.setitem(TASKS, tasks[2], TASKS[tasks[2]]._replace(package="not_a_package"))
    axis = Axis(
        "strings", "strings of 9 letters", (10, 20), (40,), {"length": 9}, {"kernel": tasks}
    )
    monkeypatch.setitem(AXES, "kernels", (axis,))


@pytest.mark.usefixtures("small")
def test_goals_are_printed_with_their_verdicts_and_the_growth(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ("--set", "hunt", "--journal", "parts.jsonl")
    printed = run("scale", *options, "--out", "page.html")
    for words in ("times (goal 10)", "next question p95, s (goal 0.3)", "peak GB (goal 4)"):
        assert words in printed
    assert "crowds, 300 to 600 x 2" in printed
    assert "--large measures at the sizes of the goals" in printed
    told = json.loads(run("scale", *options, "--json"))
    assert set(told) == {"hunt", "growth"}
    hunt = told["hunt"]["crowds, 600 x 2"]
    assert hunt["set-up"]["clock"] > 0
    assert f"{hunt['next']:.3f} (" in printed  # what the journal knows is not measured again
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "How set-up grows" in page


@pytest.mark.usefixtures("small")
def test_the_study_puts_peers_on_the_same_axes_and_names_those_left_out(tmp_path):
    page = tmp_path / "page.html"
    options = ("--set", "kernels", "--large", "--journal", tmp_path / "parts.jsonl")
    printed = run("scale", *options, "--out", page)
    header = next(line for line in printed.splitlines() if line.startswith("strings "))
    assert header.split() == ["strings", "10", "20", "40", "grows", "like"]
    assert "scikit-learn CountVectorizer" in printed
    assert "GraKeL Weisfeiler-Lehman is left out: it is not installed" in printed
    assert page.read_text(encoding="utf-8").count("<svg") == 1
    told = json.loads(run("scale", *options, "--no-peers", "--json"))
    assert list(told["strings: kernel"]) == ["rarefind Spectrum(4)"]
    assert set(told["strings: kernel"]["rarefind Spectrum(4)"]["seconds"]) == {"10", "20", "40"}


class Slow(Worker):
    """Takes as many seconds as there are strings, and breaks at lengths of more than nine."""

    def measure(self, task, what, limit):
        if what["length"] > 9:
            return {"failed": "MemoryError: too much"}
        seconds = float(what["strings"])
        if seconds > limit:
            return {"stopped": limit}
        return {"kernel": {"clock": seconds, "processors": seconds}, "gigabytes": 0.1}


def test_a_tool_that_exceeds_its_time_is_not_tried_on_larger_sizes(monkeypatch):
    monkeypatch.setattr(study, "Worker", Slow)
    shown = {"kernel": ("rarefind Spectrum(4)",)}
    two = (
        Axis("strings", "strings", (10, 20, 40, 80), (), {"length": 9}, shown),
        Axis("length", "letters", (9, 10), (), {"strings": 5}, shown),
    )
    monkeypatch.setitem(AXES, "kernels", two)
    found, journal = Findings("title", "lead"), Journal()
    add_study(found, "kernels", Plan(budget=25, journal=journal))
    assert found.grids[0].header[1:] == ("10", "20", "40", "grows like")
    assert found.grids[0].rows[0][1:] == ("10", "20", "> 25 s", "n^1.00")
    assert found.grids[1].rows[0][1:] == ("5.0", "fails: MemoryError", "")
    assert len(journal) == 5
    assert len(found.charts) == 2


def test_a_point_that_was_stopped_or_broke_is_told_in_the_table_of_goals(monkeypatch):
    answers = {300: {"stopped": 2.0}, 600: {"failed": "MemoryError: too much"}}
    monkeypatch.setattr(goals, "SIZES", {"hunt": [Size(300), Size(600)]})
    monkeypatch.setattr(goals, "measured_alone", lambda part, size, limit: answers[size.rows])
    found = Findings("title", "lead")
    add_goals(found, "hunt", Plan())
    (grid,) = found.grids
    assert [row[1] for row in grid.rows] == ["> 2 s", "fails: MemoryError"]
    assert found.notes == ["crowds, 600 x 9: MemoryError: too much"]
    assert all(len(row) == len(grid.header) for row in grid.rows)


def test_goals_missed_are_said_to_be_missed():
    hunt = {
        "set-up": {"clock": 20.0, "processors": 5.0},
        "query": {"clock": 1.0, "processors": 1.0},
        "next": 0.5,
        "gigabytes": 4.5,
    }
    assert goals.hunt_row(hunt)[2:] == (
        "20.0 (missed)", "5.0 (met)", "0.500 (missed)", "4.50 (missed)"
    )  # fmt: skip
    ways = ("scores only", "all columns", "prepared")
    stream = {way: {"clock": 2.0, "processors": 1.0} for way in ways}
    stream |= {"distances": {"clock": 1.0, "processors": 0.7}, "gigabytes": None, "file": 0.5}
    assert goals.stream_row(stream) == (
        "0.50 GB",
        "50% (missed)",
        "70% (met)",
        "50%",
        "70%",
        "50%",
        "70%",
        "",
    )


def test_a_ranking_is_set_against_the_bare_distances():
    rank = {name: {"clock": 2.0, "processors": 3.0} for name in ("fit", "score")}
    rank |= {"distances": {"clock": 1.0, "processors": 2.0}, "examples": 7, "gigabytes": 1.0}
    assert goals.rank_row(rank) == (7, 2.0, 3.0, 2.0, 3.0, 1.5, "1.00 (met)")


def test_everybody_on_an_axis_is_a_task_and_every_measure_has_words():
    for every in axes.AXES.values():
        for axis in every:
            assert set(axis.tasks) <= set(TASKS)
            assert set(axis.shown) <= set(axes.MEASURES)
            assert list(axis.sizes + axis.more) == sorted(axis.sizes + axis.more)


def test_a_measure_is_taken_out_of_all_points():
    points = {1: {"question": {"clock": 2.0, "processors": 3.0}}, 2: {"stopped": 7.0}}
    series = series_of("a tool", "question", points)
    assert series.seconds == {1: 3.0}
    assert series.words == {2: "> 7 s"}


def test_a_part_that_does_not_exist_is_answered_with_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean 'stream'"):
        run("scale", "--set", "streem")
