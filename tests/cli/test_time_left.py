from __future__ import annotations

import io

import pytest
from rich.console import Console

from rarefind.cli.terminal import output, time_left
from rarefind.cli.terminal.time_left import TimeLeft
from rarefind.core import progress
from rarefind.core.progress import Step, announce


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""

    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(time_left, "time", clock)
    monkeypatch.setattr(output, "time", clock)
    monkeypatch.setattr(progress, "monotonic", clock.monotonic)
    return clock


def test_an_estimate_counts_down_between_reports_that_are_far_apart(clock):
    left = TimeLeft()
    left.hear(Step("scoring", 1, 4, elapsed=60.0))
    assert left.render(None).plain == "about 3 min 0 s left"
    clock.now += 45.0
    assert left.render(None).plain == "about 2 min 15 s left"
    clock.now += 1000.0
    assert left.render(None).plain == "about 1 s left"
    left.hear(Step("scoring", 4, 4, elapsed=1105.0))
    assert left.render(None).plain == "for 18 min 25 s"


def test_what_cannot_be_told_counts_up(clock):
    left = TimeLeft()
    left.hear(Step("learning", 0, 1, elapsed=0.0))
    clock.now += 12.0
    assert left.render(None).plain == "for 12 s"
    left.hear(Step("scoring", 1, 1000, elapsed=0.1))
    assert left.render(None).plain == "for 0 s"


def test_the_bar_tells_work_and_time_left(clock, monkeypatch):
    shown = io.StringIO()
    terminal = Console(file=shown, force_terminal=True, width=100, _environ={"TERM": "xterm"})
    monkeypatch.setattr(output, "messages", terminal)
    with output.progress_bar():
        announce("finding neighbours", 0, 10)
        clock.now += 5.0
        announce("finding neighbours", 2, 10)
        clock.now += 5.0
    assert "finding neighbours" in shown.getvalue()
    assert "about 15 s left" in shown.getvalue()
