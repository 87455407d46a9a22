"""What a benchmark found: tables and charts, printed, written as a page, or told to machines."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rarefind.evaluation.page import Page, check_page
from rarefind.evaluation.plots import as_svg, figure
from rarefind_bench.markdown_page import check_markdown, markdown_table, write_markdown


@dataclass(frozen=True)
class Grid:
    """A table: what it shows, its columns and its rows."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[object]]


@dataclass(frozen=True)
class Chart:
    """A chart, drawn when it is wanted on the axes it gets."""

    caption: str
    draw: Callable[[Any], None]
    height: float = 4.4


@dataclass
class Findings:
    """All that one benchmark found.

    Attributes
    ----------
    title, lead
        What was measured, and how to read it.
    grids, charts
        What is shown.
    data
        The same for machines.
    notes
        What was left out, and why.
    """

    title: str
    lead: str
    grids: list[Grid] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Write a page with date and versions: tables in Markdown (.md), charts too in HTML."""
        if is_markdown(path):
            write_markdown(path, self._markdown())
        else:
            self._write_html(path)

    def _markdown(self) -> str:
        parts = [f"## {self.title}", self.lead]
        for grid in self.grids:
            parts += [f"### {grid.title}", markdown_table(grid.header, grid.rows)]
        return "\n\n".join([*parts, "; ".join([*self.notes, _measured()])])

    def _write_html(self, path: Path) -> None:
        report = Page(self.title, self.lead)
        for grid in self.grids:
            report.section(grid.title)
            report.table(grid.header, grid.rows)
        drawn = []
        for chart in self.charts:
            with figure(6.4, chart.height) as (canvas, axes):
                chart.draw(axes)
                drawn.append((as_svg(canvas, chart.caption), chart.caption))
        if drawn:
            report.section("Charts")
            report.charts(drawn)
        report.section("Measured with", "; ".join([*self.notes, _measured()]))
        report.write(path)


def is_markdown(path: Path) -> bool:
    """Whether a page is to be written in Markdown."""
    return path.suffix.lower() == ".md"


def check_out(path: Path) -> None:
    """Refuse a path that no page can be written to, before work is spent on the page."""
    check = check_markdown if is_markdown(path) else check_page
    check(path)


def versions() -> Mapping[str, str]:
    """Name the versions that figures depend on.

    >>> sorted(versions())[:2]
    ['numpy', 'python']
    """
    packages = ("rarefind", "numpy", "scipy", "scikit-learn")
    return {"python": platform.python_version()} | {
        name: number for name in packages if (number := _version(name))
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _measured() -> str:
    today = datetime.now(UTC).date().isoformat()
    return f"{today}, " + ", ".join(f"{name} {number}" for name, number in versions().items())
