"""``rarefind bench web``: fifty people on one workbench while rankings are computed.

Each answers every two seconds; then all answer as fast as they can. In the end every acknowledged
answer must be in the store, once. Where other work slows the machine, the people are slowed too.
Then answers by the short way are compared with those through the framework. With ``--large`` there
are more records, people answer for five minutes, and a hundred of them as fast as they can for one.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from rarefind.core.progress import announce
from rarefind.detection.models import registry
from rarefind_bench.measuring.busy import slowdown
from rarefind_bench.measuring.turns import verdict
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid
from rarefind_bench.workbench.people import (
    PAUSE,
    PEOPLE,
    Seen,
    burst,
    crowd,
    milliseconds,
    missing_or_doubled,
)
from rarefind_bench.workbench.server import Served, write_records
from rarefind_bench.workbench.ways import add_ways

RECORDS, _MANY_RECORDS = 6_000, 100_000
"""Set up in seconds, and enough that ranking keeps a processor busy; and in a large run. Chosen."""

WARM_UP = 3.0
"""Seconds before those that are measured, which count for nothing."""

_SECONDS, _LARGE_SECONDS = 60.0, 300.0
"""Seconds measured."""

BURST, _LARGE_BURST = (PEOPLE, 5.0), (100, 60.0)
"""People at full speed, and for how many seconds."""

SETTLE = 7.0
"""Seconds after which idle threads have ended and connections are closed."""

_SLOWEST, _RATE = 100.0, 500
"""Goals: milliseconds for 95 of 100 requests, and durable labels a second in a burst."""


def web(plan: Plan) -> Findings:
    """Measure waiting times and the most labels a second, and count what was lost."""
    model = plan.strategies[0] if plan.strategies else "lago"
    registry.get(model)  # a wrong name is said before any work
    records = _MANY_RECORDS if plan.large else RECORDS
    seconds = float(plan.budget or (_LARGE_SECONDS if plan.large else _SECONDS))
    hasty = _LARGE_BURST if plan.large else BURST
    found = Findings(
        "Fifty people on one workbench",
        f"{PEOPLE} people, an answer every {PAUSE:g} s each, in a hunt of {records:,} x 9 while "
        f"{model} ranks all the time; then {hasty[0]} as fast as they can for {hasty[1]:g} s.",
    )
    with tempfile.TemporaryDirectory() as folder:
        server = Served(Path(folder), write_records(Path(folder) / "records.csv", records))
        try:
            _measure(server, records, seconds, hasty, model, found)
        finally:
            began = time.monotonic()
            found.data["exit code"] = server.close()
            found.notes.append(f"the server stopped in {time.monotonic() - began:.1f} s")
    announce("the short way and through the framework", 4, 5)
    add_ways(found)
    return found


def _measure(
    server: Served,
    records: int,
    seconds: float,
    hasty: tuple[int, float],
    model: str,
    found: Findings,
) -> None:
    announce("setting the hunt up", 0, 5)
    began = time.monotonic()
    hunt = server.open_hunt()
    ready, busy = time.monotonic() - began, slowdown()
    pause = PAUSE * busy
    asyncio.run(crowd(server, hunt, PEOPLE, WARM_UP, pause=pause, model=model))
    before, used = server.usage(), server.cpu_seconds()
    announce("people who ask and answer", 1, 5)
    seen = asyncio.run(crowd(server, hunt, PEOPLE, seconds, pause=pause, model=model))
    share = (server.cpu_seconds() - used) / seen.seconds
    time.sleep(SETTLE)
    between = server.usage()
    announce("all as fast as they can", 2, 5)
    rapid = asyncio.run(burst(server, hunt, *hasty, records // 2, records))
    announce("counting what was kept", 3, 5)
    time.sleep(SETTLE)
    after, events = server.usage(), server.events(hunt)
    _add_waiting(found, seen, rapid, busy)
    _add_server(found, {"before": before, "after the people": between, "after the burst": after})
    lost, doubled, shared = missing_or_doubled([seen, rapid], events)
    found.data |= {
        "set-up": ready,
        "slowdown": busy,
        "rankings": seen.rankings,
        "processors": share,
        "lost": lost,
        "stored twice": doubled,
        "told by two": shared,
    }
    found.notes += [
        f"set-up of the hunt took {ready:.1f} s; requests meanwhile at most "
        f"{milliseconds(server.looks, 1.0):.0f} ms",
        f"this machine was {busy:.1f} times slower than an idle core, and so were the people",
        f"{seen.rankings} rankings meanwhile, {share:.2f} processors used",
        f"of {len(events):,} answers {lost} were lost, {doubled} stored twice, and {shared} rows "
        "told by two",
        *[error[:160] for error in (*seen.errors, *rapid.errors)[:5]],
    ]


def _add_waiting(found: Findings, seen: Seen, rapid: Seen, busy: float) -> None:
    rows = []
    rate = len(rapid.kept) / rapid.seconds
    for name, times, goal in (
        ("a question", seen.asks, _SLOWEST * busy),
        ("an answer", seen.tells, _SLOWEST * busy),
        (f"an answer of {rate:,.0f} a second", rapid.tells, None),
    ):
        p50, p95, p99 = (milliseconds(times, quantile) for quantile in (0.5, 0.95, 0.99))
        rows.append((name, len(times), p50, p95, p99, verdict(p95, goal)))
    goals = f"goals: p95 {_SLOWEST * busy:.0f} ms, {_RATE / busy:,.0f} durable labels a second"
    header = ("waiting for", "times", "p50 ms", "p95 ms", "p99 ms", "goal")
    met = verdict(rate, _RATE / busy, at_most=False)
    found.grids.append(Grid(f"Waiting ({goals}: {met})", header, rows))
    found.data |= {
        "waiting": [dict(zip(header, row, strict=True)) for row in rows],
        "labels a second": rate,
        "errors": len(seen.errors) + len(rapid.errors),
    }


def _add_server(found: Findings, held: dict[str, tuple[int, int, float]]) -> None:
    header = ("the server", "threads", "files", "MB")
    rows = [
        (name, threads, files, round(memory)) for name, (threads, files, memory) in held.items()
    ]
    found.grids.append(Grid("What the server holds", header, rows))
    found.data["server"] = [dict(zip(header, row, strict=True)) for row in rows]
