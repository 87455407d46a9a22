"""What an answer costs by the short way and through the framework, in the same run.

Servers take turns: the same number of people answer as fast as they can on one, then on the next.
Where uvloop is installed, a third one does without it. The hunt is not set up, so that no strategy
learns meanwhile.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from rarefind_bench.measuring.turns import verdict
from rarefind_bench.tables_and_charts import Findings, Grid
from rarefind_bench.workbench.people import PEOPLE, burst
from rarefind_bench.workbench.server import Served, write_records

RECORDS = 20_000
"""Records of the hunt: more than are answered in all turns."""

TURNS, ANSWERS, _SECONDS = 4, 1500, 60.0
"""Turns on each server, answers in a turn, and the most seconds that one may take."""

_GOAL = 1.5
"""Durable labels for the same processor time, in times of those through the framework."""


@dataclass
class _Way:
    server: Served
    hunt: str
    labels: int = 0
    cpu: float = 0.0
    seconds: float = 0.0
    errors: list[str] = field(default_factory=list)


def add_ways(found: Findings) -> None:
    """Let people answer on all servers by turns, and compare what that cost."""
    modules = {
        "through the framework": "rarefind_bench.workbench.whole_way",
        "the short way": "rarefind",
    }
    if find_spec("uvloop"):
        modules["the short way without uvloop"] = "rarefind_bench.workbench.plain_loop"
    with ExitStack() as opened:
        ways = {}
        for name, module in modules.items():
            folder = opened.enter_context(tempfile.TemporaryDirectory())
            ways[name] = _opened(Path(folder), module)
            opened.callback(ways[name].server.close)
        for turn in range(-1, TURNS):  # the first counts for nothing
            for way in ways.values():
                _take_turn(way, turn)
    rows = [
        (
            name,
            way.labels,
            round(way.labels / way.seconds),
            round(1000 * way.cpu / way.labels, 2),
        )
        for name, way in ways.items()
    ]
    dear, cheap = (row[3] for row in rows[:2])
    ratio = round(dear / cheap, 2)
    header = ("an answer", "times", "a second", "CPU ms")
    title = f"Durable labels: {ratio} times as many for a processor (goal {_GOAL:g}: "
    found.grids.append(Grid(f"{title}{verdict(ratio, _GOAL, at_most=False)})", header, rows))
    found.notes.append(f"the framework's share of an answer was {1 - cheap / dear:.0%}")
    found.notes += [error[:160] for way in ways.values() for error in way.errors[:3]]
    found.data["ways"] = [dict(zip(header, row, strict=True)) for row in rows]


def _opened(folder: Path, module: str) -> _Way:
    server = Served(folder, write_records(folder / "records.csv", RECORDS), module=module)
    hunt = server.call("POST", "/api/hunts", {"dataset": server.dataset})["id"]
    return _Way(server, str(hunt))


def _take_turn(way: _Way, turn: int) -> None:
    first = (turn + 1) * ANSWERS
    used = way.server.cpu_seconds()
    seen = asyncio.run(burst(way.server, way.hunt, PEOPLE, _SECONDS, first, first + ANSWERS))
    way.errors += seen.errors
    if turn >= 0:
        way.cpu += way.server.cpu_seconds() - used
        way.labels += len(seen.kept)
        way.seconds += seen.seconds
