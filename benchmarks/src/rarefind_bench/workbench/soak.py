"""``rarefind bench soak``: an hour of fifty people, and eight hours of one page.

So many answers are given as in that time, one every two seconds each. The people give them four
times as fast while a model ranks all the time, and the page as fast as it shows questions. What the
server and the page hold is measured on the way: it must not grow.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rarefind.core.progress import announce
from rarefind_bench.measuring.turns import verdict
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid
from rarefind_bench.workbench.page import in_browser, show, signed_in
from rarefind_bench.workbench.people import (
    PAUSE,
    PEOPLE,
    Seen,
    crowd,
    milliseconds,
    missing_or_doubled,
)
from rarefind_bench.workbench.server import Served, write_records

_HOUR, _EIGHT_HOURS = int(PEOPLE * 3600 / PAUSE), int(8 * 3600 / PAUSE)
"""Answers of all people, and of one page."""

_FULL = 0.75
"""Share of a hunt's records that is answered in the end: some are always held by somebody."""

_HASTE, _PARTS = 4, 10
"""The people are so many times as fast; what the server holds is measured after so many parts."""

_MODEL = "logistic"
"""Ranks in seconds, however many answers there are: so it ranks often."""

_TOLD = 12
"""Records told before anybody is asked."""

SETTLE = 7.0
"""Seconds after which idle threads have ended and connections are closed."""

_MEMORY, _HEAP, _WAITS = 1.1, 20.0, (50.0, 250.0)
"""Goals: the server's memory in times of that at the tenth part, megabytes more in the page,
and milliseconds until 95 and 99 of 100 answers are acknowledged."""

_ANSWER = """async ({ times, patience }) => {
  const key = document.querySelector(".answer kbd").textContent;
  const shown = () => document.querySelector("#question[data-row]")?.dataset.row;
  for (let time = 0; time < times; time++) {
    const row = shown();
    const began = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
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
        f"As many answers as in an hour of {PEOPLE} people and in eight hours of one page, an "
        f"answer every {PAUSE:g} s each; the people {_HASTE} times as fast.",
    )
    settings = {"strategy": plan.strategies[0]} if plan.strategies else {}
    for part, measure, answers in (("people", _people, _HOUR), ("page", _page, _EIGHT_HOURS)):
        if part not in (plan.sets or ("people", "page")):
            continue
        wanted = plan.budget or answers
        with tempfile.TemporaryDirectory() as folder:
            records = write_records(Path(folder) / "records.csv", int(wanted / _FULL) + 2 * PEOPLE)
            server = Served(Path(folder), records)
            try:
                measure(server, _begun(server, settings), wanted, found)
            finally:
                found.data[f"exit code of the {part}"] = server.close()
    return found


def _begun(server: Served, settings: Mapping[str, Any]) -> str:
    """Open a hunt in which every class was told, so that it can be ranked and keys answer."""
    hunt = server.open_hunt(**settings)
    for row in range(_TOLD):
        label = {"id": str(uuid.uuid4()), "row": row, "label": "abc"[row % 3], "asked": False}
        server.call("POST", f"/api/hunts/{hunt}/labels", label)
    return hunt


def _people(server: Served, hunt: str, wanted: int, found: Findings) -> None:
    parts: list[Seen] = []
    rows: list[tuple[Any, ...]] = []
    told = 0
    used, (ran, waited) = server.cpu_seconds(), server.turns()
    while told < wanted:
        announce(f"{told:,} answers", told, wanted)
        most = wanted * (len(rows) + 1) // _PARTS - told
        pace = PAUSE / _HASTE
        seen = asyncio.run(
            crowd(server, hunt, PEOPLE, sys.maxsize, pause=pace, model=_MODEL, most=max(1, most))
        )
        parts.append(seen)
        told += len(seen.kept)
        if seen.errors:
            break
        time.sleep(SETTLE)
        threads, files, memory = server.usage()
        waits = [milliseconds(seen.tells, quantile) for quantile in (0.5, 0.95, 0.99)]
        rows.append((told, threads, files, round(memory), *waits, seen.rankings))
    used, turns = server.cpu_seconds() - used, server.turns()
    ran, waited = turns[0] - ran, turns[1] - waited
    lost, doubled, _ = missing_or_doubled(parts, server.events(hunt))
    errors = [error for seen in parts for error in seen.errors]
    header = ("answers", "threads", "files", "MB", "p50 ms", "p95 ms", "p99 ms", "rankings")
    growth = rows[-1][3] / rows[0][3] if rows else float("nan")
    title = f"The server: {growth:.2f} times its memory (goal {_MEMORY:g}: "
    found.grids.append(Grid(f"{title}{verdict(growth, _MEMORY)})", header, rows))
    tells = [seconds for seen in parts for seconds in seen.tells]
    seconds = sum(seen.seconds for seen in parts)
    found.notes += [
        f"{told / seconds:.0f} answers a second for {seconds / 60:.0f} minutes, "
        f"{1000 * used / told:.1f} ms of a processor each",
        f"the thread that answers waited for a processor {waited / ran:.1f} times as long as it "
        "had one",
        *(
            f"{share:.0%} of answers within {(ms := milliseconds(tells, share)):g} ms "
            f"(goal {goal:g}: {verdict(ms, goal)})"
            for share, goal in zip((0.95, 0.99), _WAITS, strict=True)
        ),
        f"lost {lost}, stored twice {doubled}, refused {len(errors)}",
        *[error[:160] for error in errors[:3]],
    ]
    found.data["people"] = [dict(zip(header, row, strict=True)) for row in rows]
    found.data |= {"lost": lost, "stored twice": doubled, "refused": len(errors)}


def _page(server: Served, hunt: str, wanted: int, found: Findings) -> None:
    rows: list[tuple[Any, ...]] = []
    with in_browser() as browser:
        page = signed_in(browser, server)
        devtools = page.context.new_cdp_session(page)
        show(page, server, hunt)
        page.locator(".answer").first.wait_for()
        told, more = 0, max(1, wanted // (2 * _PARTS))
        while told < wanted:
            announce(f"{told:,} answers on the page", told, wanted)
            page.evaluate(_ANSWER, {"times": more, "patience": 120_000})
            told += more
            devtools.send("HeapProfiler.collectGarbage")
            heap = page.evaluate("() => performance.memory.usedJSHeapSize")
            rows.append((told, round(heap / 1e6, 1)))
    growth = rows[-1][1] - rows[0][1]
    title = f"The page: {growth:.1f} MB more (goal {_HEAP:g}: {verdict(growth, _HEAP)})"
    found.grids.append(Grid(title, ("answers", "heap MB"), rows))
    found.data["page"] = [{"answers": told, "heap MB": heap} for told, heap in rows]
