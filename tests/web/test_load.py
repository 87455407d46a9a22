"""Fifty people on one server while a ranking is computed.

Ten seconds by default, RAREFIND_LOAD_SECONDS for longer; ``rarefind bench web`` prints the figures.
Where other work slows the machine down, people are slowed down and times may grow as much.
"""

from __future__ import annotations

import asyncio
import os
import time

import pytest

from rarefind_bench.measuring.busy import slowdown
from rarefind_bench.workbench.load import RECORDS
from rarefind_bench.workbench.people import PAUSE, PEOPLE, burst, crowd, missing_or_doubled
from rarefind_bench.workbench.server import Served, write_records
from tests.web.running import finished

SECONDS = float(os.environ.get("RAREFIND_LOAD_SECONDS", "10"))


@pytest.fixture
def server(tmp_path):
    server = Served(tmp_path, write_records(tmp_path / "records.csv", RECORDS))
    yield server
    assert server.close() == 0, "".join(server.said)
    assert "Traceback" not in "".join(server.said)


def test_fifty_annotators_lose_nothing_and_hardly_wait(server):
    finished(_story(server))


async def _story(server: Served) -> None:
    hunt = server.open_hunt()
    busy = max(slowdown(), slowdown())
    # Everything that is made once is made now.
    await crowd(server, hunt, PEOPLE, 3, pause=PAUSE)
    await _quiet(server)
    threads, files, memory = server.usage()

    seen = await crowd(server, hunt, PEOPLE, SECONDS, pause=PAUSE * busy)
    middle = 2 * RECORDS // 3
    bursts = [
        await burst(server, hunt, PEOPLE, 1.5, RECORDS // 3, middle),
        await burst(server, hunt, PEOPLE, 1.5, middle, RECORDS),
    ]
    # Work that comes and goes between two looks shows in the load of the last minute.
    busy = max(busy, slowdown(), os.getloadavg()[0] / (os.cpu_count() or 1))

    assert seen.errors == []
    assert [error for each in bursts for error in each.errors] == []
    assert seen.rankings >= 1 or busy > 3
    events = server.events(hunt)
    assert missing_or_doubled([seen, *bursts], events) == (0, 0, 0)
    times = sorted(seen.asks + seen.tells)
    p95 = times[int(0.95 * len(times))]
    assert p95 <= 0.1 * busy, f"p95 {p95:.3f} s on a machine {busy:.1f} x slower than an idle one"
    rate = max(len(each.kept) / each.seconds for each in bursts)
    assert rate >= 500 / busy, f"{rate:.0f}/s on a machine {busy:.1f} x slower than an idle one"

    await _quiet(server)
    after = server.usage()
    assert after[0] <= threads + 2
    assert after[1] <= files + 2
    # Every label stays known: ten kilobytes for each are no leak.
    assert after[2] <= memory + 50 + 0.01 * len(events)


async def _quiet(server: Served) -> None:
    """Wait until idle threads have ended and connections are closed."""
    last, seen = time.monotonic() + 12, None
    while time.monotonic() < last:
        await asyncio.sleep(1.0)
        now = server.usage()[:2]
        if now == seen and now[0] < 30:
            return
        seen = now
