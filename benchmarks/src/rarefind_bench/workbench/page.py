"""``rarefind bench workbench``: the page in a real browser, from key to next question, and the map.

The browser draws without a graphics card; measure on a machine that does nothing else.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rarefind.core.errors import NotAvailableError
from rarefind.core.progress import announce
from rarefind.records.examples import rare_digits
from rarefind.records.formats.by_ending import write_table
from rarefind.records.table import Table
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid
from rarefind_bench.workbench.people import milliseconds
from rarefind_bench.workbench.server import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_LABELS, POINTS, _MORE_POINTS = 200, 100_000, 1_000_000
"""Answers by keyboard, and points of the two maps."""

_QUICK_PERSON = 0.15
"""Seconds that a quick person takes to look at a record."""

_PATIENCE = 120_000
"""Milliseconds to wait for the page at most."""

_KEYS = (
    "() => Object.fromEntries([...document.querySelectorAll('.answer')].map("
    "button => [button.dataset.name, button.querySelector('kbd')?.textContent]))"
)
"""Run in the page: the key of every class on its button."""


def workbench(plan: Plan) -> Findings:
    """Time the answers of a quick person, and a map of many points."""
    found = Findings(
        "The page in a browser",
        "Milliseconds as the page measures them: from the key of an answer to the next question "
        "drawn, from the request for the map to its first paint, and for every move of it.",
    )
    rows: list[tuple[object, ...]] = []
    sizes = (POINTS, *([_MORE_POINTS] if plan.large else []))
    with tempfile.TemporaryDirectory() as folder, in_browser() as browser:
        server = Served(Path(folder))
        try:
            announce("answers by keyboard", 0, 1 + len(sizes))
            page = signed_in(browser, server)
            times = _answer_times(page, server, plan.budget or _LABELS)
            rows.append(_row("from key to next question", times))
            for place, points in enumerate(sizes):
                announce(f"a map of {points:,} points", 1 + place, 1 + len(sizes))
                file = _write_points(Path(folder) / f"points{points}.parquet", points)
                first, moves = _map_times(page, server, file)
                rows.append(_row(f"first paint of {points:,} points", [first]))
                rows.append(_row(f"a move of the map of {points:,} points", moves))
        finally:
            server.close()
    header = ("what", "times", "median ms", "p95 ms", "most ms")
    found.grids.append(Grid("The page", header, rows))
    found.data = {str(row[0]): dict(zip(header[1:], row[1:], strict=True)) for row in rows}
    return found


@contextmanager
def in_browser() -> Iterator[Browser]:
    """Lend a browser without a window."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise NotAvailableError(
            "Timing the page needs playwright. Install it with: pip install "
            "'rarefind-bench[browser]'"
        ) from None
    with sync_playwright() as play:
        try:
            browser = play.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
        except Error:
            raise NotAvailableError(
                "Timing the page needs Chromium. Install it with: playwright install chromium"
            ) from None
        try:
            yield browser
        finally:
            browser.close()


def signed_in(browser: Browser, server: Served) -> Page:
    """Open the page with the token of its server."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(_PATIENCE)
    page.context.request.post(f"{server.address}/api/join", data={"secret": server.token})
    page.goto(f"{server.address}/")
    return page


def show(page: Page, server: Served, hunt: str) -> None:
    """Go to where a hunt asks, and wait for a question."""
    page.goto(f"{server.address}/#/hunt/{hunt}/label")
    page.locator("#question[data-row]").wait_for()


def _answer_times(page: Page, server: Served, labels: int) -> list[float]:
    """Answer truly, at the pace of a quick person; return the seconds the page took each time."""
    dataset = server.call("POST", "/api/examples/digits", {})
    hunt = server.open_hunt(
        dataset=dataset["id"],
        label_column=dataset["label_guesses"][0],
        background=dataset["background"],
    )
    truth = rare_digits().labels
    show(page, server, hunt)
    card = page.locator("#question[data-row]")
    times = []
    for _ in range(labels):
        row = str(card.get_attribute("data-row"))
        _press(page, str(truth[int(row)]))
        page.locator(f"#question[data-row]:not([data-row='{row}'])").wait_for()
        times.append(float(card.get_attribute("data-took") or "nan") / 1000)
        time.sleep(_QUICK_PERSON)
    return times


def _press(page: Page, label: str) -> None:
    """Press the key of a class, or make it a new one by its name."""
    key = page.evaluate(_KEYS).get(label)
    if key:
        page.keyboard.press(key)
        return
    page.keyboard.press("n")
    page.keyboard.type(label)
    page.keyboard.press("Enter")


def _map_times(page: Page, server: Served, file: Path) -> tuple[float, list[float]]:
    """Return the seconds of the first paint, and of each of twelve moves."""
    dataset = server.call("PUT", f"/api/datasets/{file.name}", file.read_bytes())
    hunt = server.open_hunt(dataset=dataset["id"], strategy="random")
    server.fetch("GET", f"/api/hunts/{hunt}/map")  # computed once: the page alone is timed
    show(page, server, hunt)
    shown = page.locator(".map[data-first-paint]")
    shown.wait_for()
    first = float(shown.get_attribute("data-first-paint") or "nan") / 1000
    page.locator(".map-over").focus()
    moves = []
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown") * 3:
        page.keyboard.press(key)
        page.wait_for_timeout(250)
        moves.append(float(shown.get_attribute("data-drawn") or "nan") / 1000)
    return first, moves


def _write_points(path: Path, points: int) -> Path:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(points, 2)) * np.where(rng.random((points, 1)) < 0.3, 0.2, 1.0)
    write_table(Table({"x": X[:, 0], "y": X[:, 1]}, path.name), path)
    return path


def _row(what: str, times: list[float]) -> tuple[Any, ...]:
    median = round(1000 * statistics.median(times), 1)
    return what, len(times), median, milliseconds(times, 0.95), round(1000 * max(times), 1)
