"""Many people on one workbench: they ask, look and answer, or answer as fast as they can."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rarefind_bench.workbench.server import Served

PEOPLE = 50
"""The team that the workbench is promised to carry."""

PAUSE = 2.0
"""Seconds from one answer of a person to the next."""


class Connection:
    """One kept connection that speaks just enough HTTP, so that clients cost little themselves."""

    def __init__(self, server: Served, name: str) -> None:
        self._port = server.port
        self._head = (
            f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
            f"X-Annotator: {name}\r\n"
        )
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Send a request; return the status and what was answered."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        sent = b"" if body is None else json.dumps(body).encode()
        extra = f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n" if sent else ""
        writer.write(f"{method} {path} HTTP/1.1\r\n{self._head}{extra}\r\n".encode() + sent)
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        answer = await reader.readexactly(int(length[1]) if length else 0)
        return int(head[9:12]), json.loads(answer)

    async def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            await self._streams[1].wait_closed()


@dataclass
class Seen:
    """What the people saw.

    Attributes
    ----------
    asks, tells
        Seconds until a question came, and until an answer was acknowledged.
    kept
        What was acknowledged: the row by the id of the event.
    errors
        What was refused.
    rankings
        How many rankings were finished meanwhile.
    seconds
        How long it lasted.
    """

    asks: list[float] = field(default_factory=list)
    tells: list[float] = field(default_factory=list)
    kept: dict[str, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    rankings: int = 0
    seconds: float = 0.0


async def crowd(
    server: Served,
    hunt: str,
    people: int,
    seconds: float,
    *,
    pause: float = PAUSE,
    model: str = "lago",
    most: int = sys.maxsize,
) -> Seen:
    """Let people ask and give at most so many answers while a model ranks all the time."""
    seen = Seen()
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds

    def at_work() -> bool:
        return loop.time() < until and len(seen.kept) < most

    lines = [Connection(server, f"person{place}") for place in range(people)]
    machine = Connection(server, "machine")
    began = time.monotonic()
    await asyncio.gather(
        _keep_ranking(machine, hunt, at_work, seen, model),
        # Nobody starts in step with anybody else.
        *(
            _annotate(line, hunt, at_work, seen, pause, pause * place / people)
            for place, line in enumerate(lines)
        ),
    )
    seen.seconds = time.monotonic() - began
    for line in (*lines, machine):
        await line.close()
    return seen


async def burst(
    server: Served, hunt: str, people: int, seconds: float, first: int, last: int
) -> Seen:
    """Answer as fast as possible, each a row of its own, from the first to before the last."""
    seen = Seen()
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds

    async def hurry(place: int) -> None:
        line = Connection(server, f"person{place}")
        for row in range(first + place, last, people):
            if loop.time() >= until:
                break
            await _tell(line, hunt, row, seen)
        await line.close()

    began = time.monotonic()
    await asyncio.gather(*(hurry(place) for place in range(people)))
    seen.seconds = time.monotonic() - began
    return seen


def missing_or_doubled(
    seen: Sequence[Seen], events: Sequence[Mapping[str, Any]]
) -> tuple[int, int, int]:
    """Count answers lost, events stored twice, and rows that two of the first crowd were asked."""
    stored = [event["id"] for event in events]
    acknowledged = {id for each in seen for id in each.kept}
    rows = list(seen[0].kept.values())
    lost = len(acknowledged - set(stored))
    return lost, len(stored) - len(set(stored)), len(rows) - len(set(rows))


def milliseconds(times: Sequence[float], quantile: float) -> float:
    """Return a quantile of seconds in milliseconds, to a tenth."""
    return round(1000 * float(np.quantile(times, quantile)), 1) if times else float("nan")


async def _annotate(
    line: Connection,
    hunt: str,
    at_work: Callable[[], bool],
    seen: Seen,
    pause: float,
    late: float,
) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(late)
    while at_work():
        began = loop.time()
        status, answer = await line.call("POST", f"/api/hunts/{hunt}/ask", {"count": 1})
        seen.asks.append(loop.time() - began)
        if status != 200:
            seen.errors.append(f"ask {status} {answer}")
            await asyncio.sleep(pause)
            continue
        await asyncio.sleep(pause / 2)
        await _tell(line, hunt, answer["questions"][0]["row"], seen)
        await asyncio.sleep(max(0.0, pause - (loop.time() - began)))


async def _tell(line: Connection, hunt: str, row: int, seen: Seen) -> None:
    loop = asyncio.get_running_loop()
    id = str(uuid.uuid4())
    label = {"id": id, "row": row, "label": "abc"[row % 3], "asked": True}
    began = loop.time()
    status, answer = await line.call("POST", f"/api/hunts/{hunt}/labels", label)
    seen.tells.append(loop.time() - began)
    if status == 200:
        seen.kept[id] = row
    else:
        seen.errors.append(f"label {status} {answer}")


async def _keep_ranking(
    line: Connection, hunt: str, at_work: Callable[[], bool], seen: Seen, model: str
) -> None:
    """Let the server rank all the time."""
    while at_work():
        body = {"target": "a", "model": model}
        status, answer = await line.call("POST", f"/api/hunts/{hunt}/rankings", body)
        if status != 202:
            seen.errors.append(f"rank {status} {answer}")
            return
        while True:  # also after the people have left
            await asyncio.sleep(0.1)
            _, job = await line.call("GET", f"/api/hunts/{hunt}/jobs/{answer['job']}")
            if job["state"] == "done":
                seen.rankings += 1
                break
            if job["state"] == "failed":
                seen.errors.append(f"rank {job['error']}")
                return
