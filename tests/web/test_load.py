"""Fifty people on one server while a ranking is computed: nothing is lost, nothing stays behind.

Ten seconds by default, RAREFIND_LOAD_SECONDS for longer. How long people wait is measured by
``rarefind bench web``.
"""

from __future__ import annotations

import os
import time

import pytest

from rarefind_bench.workbench.load import RECORDS
from rarefind_bench.workbench.people import PAUSE, PEOPLE, burst, crowd, missing_or_doubled
from rarefind_bench.workbench.server import Served, write_records
from tests.waiting import wait_until
from tests.web.running import finished

SECONDS = float(os.environ.get("RAREFIND_LOAD_SECONDS", "10"))


@pytest.fixture
def server(tmp_path):
    server = Served(tmp_path, write_records(tmp_path / "records.csv", RECORDS))
    yield server
    assert server.close() == 0, "".join(server.said)
    assert "Traceback" not in "".join(server.said)


def test_fifty_annotators_lose_nothing_and_leave_nothing_behind(server):
    hunt = server.open_hunt()
    # Everything that is made once is made now.
    finished(crowd(server, hunt, PEOPLE, 3, pause=PAUSE))
    threads, files, memory = settled(server)

    seen = finished(crowd(server, hunt, PEOPLE, SECONDS, pause=PAUSE))
    middle = 2 * RECORDS // 3
    bursts = [
        finished(burst(server, hunt, PEOPLE, 1.5, RECORDS // 3, middle)),
        finished(burst(server, hunt, PEOPLE, 1.5, middle, RECORDS)),
    ]
    assert seen.errors == []
    assert [error for each in bursts for error in each.errors] == []
    assert seen.rankings >= 1
    events = server.events(hunt)
    assert missing_or_doubled([seen, *bursts], events) == (0, 0, 0)

    wait_until(lambda: server.usage()[0] <= threads + 2 and server.usage()[1] <= files + 2)
    # Every label stays known: ten kilobytes for each are no leak.
    assert server.usage()[2] <= memory + 50 + 0.01 * len(events)


def settled(server: Served) -> tuple[int, int, float]:
    """Wait until idle threads have ended and connections are closed; what the server uses then."""

    def unchanged() -> bool:
        before = server.usage()[:2]
        time.sleep(1.0)
        return server.usage()[:2] == before and before[0] < PEOPLE // 2

    wait_until(unchanged)
    return server.usage()
