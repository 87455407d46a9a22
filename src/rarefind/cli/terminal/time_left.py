"""How much longer work will take, beside its bar."""

from __future__ import annotations

import time

from rich.progress import ProgressColumn, Task
from rich.text import Text

from rarefind.core.progress import Step

_TELLING = 0.5
"""Seconds of work before an estimate is told: after less it is a guess."""


class TimeLeft(ProgressColumn):
    """Counts down the time that the work going on will take, or up while nobody can tell.

    Reports may be a minute apart, and work made of several kinds tells of each in turn, so the
    estimate is that of the last report.
    """

    max_refresh = 0.5

    def __init__(self) -> None:
        super().__init__()
        self._since = time.monotonic()
        self._task = ""
        self._ends: float | None = None

    def hear(self, step: Step) -> None:
        """Take note of a report."""
        now = time.monotonic()
        if step.task != self._task:
            self._task, self._since = step.task, now - step.elapsed
        open_end = step.remaining is None or step.done >= step.total or step.elapsed < _TELLING
        self._ends = None if open_end else now + (step.remaining or 0.0)

    def render(self, task: Task) -> Text:
        """Say how long it will take, or how long it has taken."""
        now = time.monotonic()
        if self._ends is None:
            return Text(f"for {spoken(now - self._since)}", style="progress.elapsed")
        left = max(1.0, self._ends - now)  # it is not over before it says so
        return Text(f"about {spoken(left)} left", style="progress.remaining")


def spoken(seconds: float) -> str:
    """Write a time as people say it.

    >>> spoken(8.2), spoken(75), spoken(3 * 3600 + 60), spoken(100 * 3600)
    ('8 s', '1 min 15 s', '3 h 1 min', '4 days 4 h')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    hours = whole // 3600
    if hours < 48:
        return f"{hours} h {whole // 60 % 60} min"
    return f"{hours // 24} days {hours % 24} h"
