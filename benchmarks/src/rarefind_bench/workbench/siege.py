"""``rarefind bench siege``: what strangers, listeners and many hunts cost those who label.

The same answers are given on a quiet server, beside idle and slow connections of strangers, beside
browsers that listen, and in a store of very many hunts. Times are compared within one run.
"""

from __future__ import annotations

import resource
import socket
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.progress import announce
from rarefind.store.contract import DataSet, HuntEntry
from rarefind.store.opening import open_store
from rarefind_bench.measuring.turns import verdict
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid
from rarefind_bench.workbench.server import Served, write_records

_ANSWERS = 200
"""Answers in each situation: a processor's clock ticks a hundred times a second."""

STRANGERS, SLOW, LISTENERS, HUNTS = 2000, 200, 500, 10_000
"""The sizes that the goals name."""

RECORDS = 3000
"""Records of the hunt: a small one, so that waiting is the server's. A choice."""

_MOST = {"2,000 idle strangers": 2.0, "200 slow strangers": 2.0, "500 listeners": 1.5}
"""Goals: times of the usual, for the middle of waiting or for the processor."""

_TICK = 0.01
"""Milliseconds an answer costs at least: few of them may fall between two ticks of the clock."""

_HUNT_MILLISECONDS = 50.0
"""Goal: processor time of a request among ten thousand hunts."""


def siege(plan: Plan) -> Findings:
    """Measure answers in every situation, and requests among very many hunts."""
    answers = plan.budget or _ANSWERS
    found = Findings(
        "Under siege",
        f"{answers} answers one after the other, each durable, in a hunt of {RECORDS:,} x 9.",
    )
    with tempfile.TemporaryDirectory() as folder, _many_files():
        home = Path(folder)
        _fill(home / "hunts.db")
        server = Served(home, write_records(home / "records.csv", RECORDS))
        try:
            _add_answers(found, server, answers)
            _add_hunts(found, server, max(20, answers // 4))
        finally:
            found.data["exit code"] = server.close()
    return found


def _add_answers(found: Findings, server: Served, answers: int) -> None:
    hunt = server.call("POST", "/api/hunts", {"dataset": server.dataset, "name": "ours"})["id"]
    rows = iter(range(RECORDS))
    situations: list[tuple[str, Callable[[], Any]]] = [
        ("quiet", ExitStack),
        ("2,000 idle strangers", lambda: _connections(server, STRANGERS, b"")),
        ("200 slow strangers", lambda: _connections(server, SLOW, b"GET /api/me HTTP/1.1\r\n")),
        ("500 listeners", lambda: _connections(server, LISTENERS, _listening(server, hunt))),
        ("quiet again", ExitStack),
    ]
    measured = {}
    _answer(server, hunt, rows, 20)  # what is only done once is done
    for place, (name, situation) in enumerate(situations):
        announce(name, place, len(situations) + 1)
        with situation():
            measured[name] = _answer(server, hunt, rows, answers)
    usual = [(measured["quiet"][kind] + measured["quiet again"][kind]) / 2 for kind in range(3)]
    table = []
    for name, (middle, slow, cpu) in measured.items():
        ratios = round(middle / usual[0], 2), round(cpu / max(usual[2], _TICK), 2)
        goal = _MOST.get(name)
        worst = ratios[1] if name == "500 listeners" else ratios[0]
        table.append((name, middle, slow, cpu, *ratios, verdict(worst, goal)))
    header = ("beside", "p50 ms", "p95 ms", "CPU ms", "p50 / usual", "CPU / usual", "goal")
    found.grids.append(Grid("An answer", header, table))
    found.data["answers"] = [dict(zip(header, row, strict=True)) for row in table]


def _add_hunts(found: Findings, server: Served, times: int) -> None:
    announce("ten thousand hunts", 5, 6)
    rows = iter(range(RECORDS))
    requests: list[tuple[str, Callable[[int], Any]]] = [
        ("a page of hunts", lambda number: server.call("GET", "/api/hunts")),
        (
            "an earlier page",
            lambda n: server.call("GET", f"/api/hunts?before=id{HUNTS - 1 - n:05}"),
        ),
        ("one hunt", lambda number: server.call("GET", f"/api/hunts/id{number:05}")),
        ("an answer", lambda number: _tell(server, f"id{number:05}", next(rows))),
    ]
    table = []
    for name, request in requests:
        used = server.cpu_seconds()
        for number in range(times):
            request(number)
        cpu = round(1000 * (server.cpu_seconds() - used) / times, 1)
        table.append((name, times, cpu, verdict(cpu, _HUNT_MILLISECONDS)))
    header = ("request", "times", "CPU ms", "goal")
    found.grids.append(Grid(f"Among {HUNTS:,} hunts", header, table))
    found.data["hunts"] = [dict(zip(header, row, strict=True)) for row in table]


def _answer(
    server: Served, hunt: str, rows: Iterator[int], count: int
) -> tuple[float, float, float]:
    """Return the middle and the slow waiting time, and the processor time of an answer, in ms."""
    waited, used = [], server.cpu_seconds()
    for _ in range(count):
        began = time.perf_counter()
        _tell(server, hunt, next(rows))
        waited.append(1000 * (time.perf_counter() - began))
    cpu = 1000 * (server.cpu_seconds() - used) / count
    middle, slow = np.quantile(waited, [0.5, 0.95])
    return round(float(middle), 2), round(float(slow), 2), round(cpu, 2)


def _tell(server: Served, hunt: str, row: int) -> None:
    body = {"id": str(uuid.uuid4()), "row": row, "label": "ordinary", "asked": False}
    server.call("POST", f"/api/hunts/{hunt}/labels", body)


@contextmanager
def _connections(server: Served, count: int, sent: bytes) -> Iterator[None]:
    """Hold connections on which so much was sent and no more."""
    with ExitStack() as opened:
        for _ in range(count):
            line = socket.create_connection(("127.0.0.1", server.port), 60)
            opened.enter_context(line)
            with suppress(OSError):  # turned away already
                line.sendall(sent)
        time.sleep(1.0)  # the last of them are let in
        yield


def _listening(server: Served, hunt: str) -> bytes:
    return (
        f"GET /api/hunts/{hunt}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.token}\r\n\r\n"
    ).encode()


def _fill(path: Path) -> None:
    """Make a store of very many hunts."""
    with open_store(path) as store:
        store.put_dataset(DataSet("data", "t.csv", str(path), "00", RECORDS, {}, 1.0))
        for number in range(HUNTS):
            store.create_hunt(
                HuntEntry(f"id{number:05}", f"hunt {number}", "data", {}, 10.0 + number)
            )


@contextmanager
def _many_files() -> Iterator[None]:
    """Allow this process as many connections as are opened."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4 * STRANGERS), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
