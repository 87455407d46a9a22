"""``rarefind bench soak``: an hour of fifty people, and eight hours of one page, without pauses.

People who answer every two seconds give so many answers in that time; here they ask, answer and ask
again at once, while rankings are computed. What the server and the page hold is measured on the
way: it must not grow.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

from rarefind.core.progress import announce
from rarefind_bench.measuring.turns import verdict
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid
from rarefind_bench.workbench.page import in_browser, show, signed_in
from rarefind_bench.workbench.people import PAUSE, PEOPLE, Seen, crowd, missing_or_doubled
from rarefind_bench.workbench.server import Served, write_records

_RECORDS = 12_000
_HOUR, _EIGHT_HOURS = int(PEOPLE * 3600 / PAUSE), int(8 * 3600 / PAUSE)
"""Answers of all people, and of one page."""

_STINT = 20.0
"""Seconds that people work without a look at what the server holds."""

_FULL = 0.75
"""Share of a hunt's records after which the people begin another."""

_SETTLE = 7.0
"""Seconds after which idle threads have ended and connections are closed."""

_MEMORY, _HEAP = 1.1, 20.0
"""Goals: the server's memory in times of that at the tenth part, megabytes more in the page."""

_ANSWER = """async ({ times, patience }) => {
  const shown = () => document.querySelector("#question[data-row]")?.dataset.row;
  for (let time = 0; time < times; time++) {
    const row = shown();
    const began = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
    while (shown() === row || shown() === undefined) {
      if (performance.now() - began > patience) throw new Error(`no question after ${row}`);
      await new Promise((done) => setTimeout(done, 1));
    }
  }
}"""
"""Run in the page: presses the key of the first class as soon as another question is shown."""


def soak(plan: Plan) -> Findings:
    """Let people and a page answer as often as in a long day; tell what grew meanwhile."""
    found = Findings(
        "A long day",
        f"An hour of {PEOPLE} people and eight hours of one page, an answer every {PAUSE:g} s "
        f"each, without the pauses; hunts of {_RECORDS:,} x 9.",
    )
    settings = {"strategy": plan.strategies[0]} if plan.strategies else {}
    parts = plan.sets or ("people", "page")
    with tempfile.TemporaryDirectory() as folder:
        server = Served(Path(folder), write_records(Path(folder) / "records.csv", _RECORDS))
        try:
            if "people" in parts:
                _people(server, plan.budget or _HOUR, settings, found)
            if "page" in parts:
                _page(server, plan.budget or _EIGHT_HOURS, settings, found)
        finally:
            found.data["exit code"] = server.close()
    return found


def _people(server: Served, wanted: int, settings: dict[str, Any], found: Findings) -> None:
    told, lost, doubled = 0, 0, 0
    errors: list[str] = []
    rows: list[tuple[Any, ...]] = []
    hunt = ""
    here: list[Seen] = []
    while told < wanted:
        announce(f"{told:,} answers", told, wanted)
        left = int(_FULL * _RECORDS) - sum(len(seen.kept) for seen in here)
        if not hunt or left <= 0:
            hunt, here = server.open_hunt(name=f"after {told}", **settings), []
            left = int(_FULL * _RECORDS)
        here.append(asyncio.run(crowd(server, hunt, PEOPLE, _STINT, pause=0.0, most=left)))
        told += len(here[-1].kept)
        errors += here[-1].errors
        if told >= wanted * (len(rows) + 1) / 10:
            time.sleep(_SETTLE)
            threads, files, memory = server.usage()
            rows.append((told, threads, files, round(memory)))
            missing, twice, _ = missing_or_doubled(here, server.events(hunt))
            lost, doubled = lost + missing, doubled + twice
    header = ("answers", "threads", "files", "MB")
    growth = rows[-1][3] / rows[0][3]
    title = f"The server: {growth:.2f} times its memory (goal {_MEMORY:g}: "
    found.grids.append(Grid(f"{title}{verdict(growth, _MEMORY)})", header, rows))
    found.notes.append(f"lost {lost}, stored twice {doubled}, refused {len(errors)}")
    found.notes += [error[:160] for error in errors[:3]]
    found.data["people"] = [dict(zip(header, row, strict=True)) for row in rows]
    found.data |= {"lost": lost, "stored twice": doubled, "refused": len(errors)}


def _page(server: Served, wanted: int, settings: dict[str, Any], found: Findings) -> None:
    rows: list[tuple[Any, ...]] = []
    with in_browser() as browser:
        page = signed_in(browser, server)
        devtools = page.context.new_cdp_session(page)
        told, hunts = 0, 0
        while told < wanted:
            announce(f"{told:,} answers on the page", told, wanted)
            if told >= _FULL * _RECORDS * hunts:
                hunt = server.open_hunt(name=f"page {hunts}", **settings)
                server.call(
                    "POST",
                    f"/api/hunts/{hunt}/labels",
                    {"id": str(uuid.uuid4()), "row": 0, "label": "ordinary", "asked": False},
                )
                show(page, server, hunt)
                page.locator(".answer").first.wait_for()
                hunts += 1
            more = max(1, wanted // 20)
            page.evaluate(_ANSWER, {"times": more, "patience": 120_000})
            told += more
            devtools.send("HeapProfiler.collectGarbage")
            heap = page.evaluate("() => performance.memory.usedJSHeapSize")
            rows.append((told, round(heap / 1e6, 1)))
    growth = rows[-1][1] - rows[0][1]
    title = f"The page: {growth:.1f} MB more (goal {_HEAP:g}: {verdict(growth, _HEAP)})"
    found.grids.append(Grid(title, ("answers", "heap MB"), rows))
    found.data["page"] = [{"answers": told, "heap MB": heap} for told, heap in rows]
