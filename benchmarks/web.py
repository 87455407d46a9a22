"""Many annotators on one workbench while a ranking is computed.

    python benchmarks/web.py [SECONDS] [PAUSE]

Starts a real server with a hunt in 6,000 records. Fifty people ask and answer, one answer every
PAUSE (2) seconds each, while rankings are computed all the time, by the model that
RAREFIND_LOAD_MODEL names (lago; auto compares eight). Then they answer as fast as they can. In
the end every acknowledged answer must be in the store, once.

Where other work slows the machine down, the people are slowed down as much.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

PEOPLE = 50
PAUSE = 2.0
RECORDS = 6_000
IDLE_SECONDS = 0.1
MODEL = os.environ.get("RAREFIND_LOAD_MODEL", "lago")


class Connection:
    """One kept connection that speaks just enough HTTP, so that clients cost little themselves."""

    def __init__(self, port: int, token: str, name: str):
        self._port = port
        self._head = (
            f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\nX-Annotator: {name}\r\n"
        )
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, method: str, path: str, body: object = None) -> tuple[int, object]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        sent = b"" if body is None else json.dumps(body).encode()
        extra = f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n" if sent else ""
        writer.write(f"{method} {path} HTTP/1.1\r\n{self._head}{extra}\r\n".encode() + sent)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head)[1])
        answer = await reader.readexactly(length)
        return int(head[9:12]), json.loads(answer)

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            await self._streams[1].wait_closed()


@dataclass
class Outcome:
    """What the people saw."""

    asks: list[float] = field(default_factory=list)
    tells: list[float] = field(default_factory=list)
    kept: dict[str, tuple[int, str]] = field(default_factory=dict)  # event id: row, annotator
    errors: list[str] = field(default_factory=list)
    rankings: int = 0
    slowdown: float = 1.0
    seconds: float = 0.0

    def p95(self, times: list[float]) -> float:
        return float(np.percentile(times, 95)) if times else 0.0


async def annotate(
    connection: Connection, name: str, hunt: str, until: float, seen: Outcome, pause: float
) -> None:
    """Ask, look, answer, until time is over."""
    loop = asyncio.get_running_loop()
    # Nobody starts in step with anybody else.
    await asyncio.sleep(pause * int(name.removeprefix("person")) / PEOPLE)
    while (began := loop.time()) < until:
        status, answer = await connection.call("POST", f"/api/hunts/{hunt}/ask", {"count": 1})
        seen.asks.append(loop.time() - began)
        if status != 200:
            seen.errors.append(f"ask {status} {answer}")
            await asyncio.sleep(pause)
            continue
        await asyncio.sleep(pause / 2)
        await tell(connection, name, hunt, answer["questions"][0]["row"], seen)
        await asyncio.sleep(max(0.0, pause - (loop.time() - began)))


async def tell(connection: Connection, name: str, hunt: str, row: int, seen: Outcome) -> None:
    loop = asyncio.get_running_loop()
    label = {"id": str(uuid.uuid4()), "row": row, "label": "abc"[row % 3], "asked": True}
    began = loop.time()
    status, answer = await connection.call("POST", f"/api/hunts/{hunt}/labels", label)
    seen.tells.append(loop.time() - began)
    if status == 200:
        seen.kept[label["id"]] = (row, name)
    else:
        seen.errors.append(f"label {status} {answer}")


async def keep_ranking(connection: Connection, hunt: str, until: float, seen: Outcome) -> None:
    """Let the server rank all the time."""
    loop = asyncio.get_running_loop()
    while loop.time() < until:
        body = {"target": "a", "model": MODEL}
        status, answer = await connection.call("POST", f"/api/hunts/{hunt}/rankings", body)
        if status != 202:
            seen.errors.append(f"rank {status} {answer}")
            return
        while True:  # also after the people have left
            await asyncio.sleep(0.1)
            _, job = await connection.call("GET", f"/api/hunts/{hunt}/jobs/{answer['job']}")
            if job["state"] == "done":
                seen.rankings += 1
                break
            if job["state"] == "failed":
                seen.errors.append(f"rank {job['error']}")
                return


async def crowd(
    server: Served, hunt: str, people: int, seconds: float, *, pause: float = PAUSE
) -> Outcome:
    """People who ask and answer while rankings are computed."""
    seen = Outcome()
    until = asyncio.get_running_loop().time() + seconds
    lines = {f"person{n}": server.connect(f"person{n}") for n in range(people)}
    machine = server.connect("machine")
    began = time.monotonic()
    await asyncio.gather(
        keep_ranking(machine, hunt, until, seen),
        *(annotate(line, name, hunt, until, seen, pause) for name, line in lines.items()),
    )
    seen.seconds = time.monotonic() - began
    for line in (*lines.values(), machine):
        await line.close()
    return seen


async def burst(
    server: Served, hunt: str, people: int, seconds: float, first: int, last: int = RECORDS
) -> Outcome:
    """Answers as fast as they can be given, each for a row of its own."""
    seen = Outcome()
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds

    async def hurry(place: int) -> None:
        name = f"person{place}"
        line = server.connect(name)
        row = first + place
        while loop.time() < until and row < last:
            await tell(line, name, hunt, row, seen)
            row += people
        await line.close()

    began = time.monotonic()
    await asyncio.gather(*(hurry(place) for place in range(people)))
    seen.seconds = time.monotonic() - began
    return seen


class Served:
    """A server process with a hunt that is ready."""

    def __init__(self, folder: Path, records: int = RECORDS):
        file = folder / "records.csv"
        rng = np.random.default_rng(0)
        X = rng.normal(size=(records, 9))
        head = ",".join(f"x{n}" for n in range(9))
        np.savetxt(file, X, "%.4f", ",", header=head, comments="")
        source = Path(__file__).parents[1] / "src"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rarefind", "serve", str(file), "--no-browser", "--port", "0",
             "--store", str(folder / "hunts.db"), "--home", str(folder / "files")],
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(source)},
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )  # fmt: skip
        self.said: list[str] = []
        self.looks: list[float] = []  # how long it took to be told how far a set-up is
        link = None
        while link is None:
            line = self.process.stdout.readline()
            self.said.append(line)
            link = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\S+?&go=/new/(\w+)", line)
            if not line:
                raise RuntimeError("".join(self.said))
        threading.Thread(target=self._listen, daemon=True).start()
        self.port, self.dataset = int(link[1]), link[2]
        self.token = (folder / "files" / "token").read_text().strip()

    def _listen(self) -> None:
        self.said.extend(self.process.stdout)

    def connect(self, name: str) -> Connection:
        return Connection(self.port, self.token, name)

    async def open_hunt(self, **settings: object) -> str:
        line = self.connect("machine")
        body = {"dataset": self.dataset, **settings}
        status, view = await line.call("POST", "/api/hunts", body)
        assert status == 201, view
        while view["state"] != "ready":
            assert view["state"] == "preparing", view
            await asyncio.sleep(0.05)
            began = time.perf_counter()
            _, view = await line.call("GET", f"/api/hunts/{view['id']}")
            self.looks.append(time.perf_counter() - began)
        await line.close()
        return view["id"]

    async def kept(self, hunt: str) -> list[dict]:
        """Everything the server says was told."""
        line = self.connect("machine")
        events, before = [], ""
        while True:
            address = f"/api/hunts/{hunt}/history?limit=1000{before}"
            _, page = await line.call("GET", address)
            events += page
            if len(page) < 1000:
                await line.close()
                return events
            before = f"&before={page[-1]['seq']}"

    def usage(self) -> tuple[int, int, float]:
        """Count threads and open files, and measure the memory in megabytes."""
        here = Path(f"/proc/{self.process.pid}")
        status = (here / "status").read_text()
        threads = int(re.search(r"Threads:\s+(\d+)", status)[1])
        memory = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
        return threads, len(list((here / "fd").iterdir())), memory

    def cpu_seconds(self) -> float:
        parts = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> int:
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


def slowdown() -> float:
    """How much slower this machine is now than an idle core: by its make, and by others' work.

    A loop that takes an idle core a tenth of a second is timed on the clock.
    """
    began = time.perf_counter()
    total = 0
    for number in range(2_000_000):
        total += number
    return max(1.0, (time.perf_counter() - began) / IDLE_SECONDS)


def missing_or_doubled(outcomes: list[Outcome], events: list[dict]) -> tuple[int, int, int]:
    """Count answers lost, events stored twice, and rows that two of the crowd were asked."""
    stored = [event["id"] for event in events]
    acknowledged = {id for outcome in outcomes for id in outcome.kept}
    rows = [row for row, _ in outcomes[0].kept.values()]
    lost = len(acknowledged - set(stored))
    return lost, len(stored) - len(set(stored)), len(rows) - len(set(rows))


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    pause = float(sys.argv[2]) if len(sys.argv) > 2 else PAUSE
    with tempfile.TemporaryDirectory() as folder:
        server = Served(Path(folder))
        try:
            asyncio.run(report(server, seconds, pause))
        finally:
            print("server stopped with", server.close())


async def report(server: Served, seconds: float, pause: float) -> None:
    began = time.monotonic()
    hunt = await server.open_hunt()
    print(
        f"set-up of {RECORDS:,} x 9: {time.monotonic() - began:.1f} s; answers meanwhile: median "
        f"{1000 * np.median(server.looks):.0f} ms, most {1000 * max(server.looks):.0f} ms"
    )
    busy = slowdown()
    await crowd(server, hunt, PEOPLE, 3, pause=pause * busy)
    before = server.usage()
    used = server.cpu_seconds()
    seen = await crowd(server, hunt, PEOPLE, seconds, pause=pause * busy)
    share = (server.cpu_seconds() - used) / seen.seconds
    rapid = await burst(server, hunt, PEOPLE, 5, RECORDS // 2)
    await asyncio.sleep(7)
    after = server.usage()
    events = await server.kept(hunt)
    lost, doubled, shared = missing_or_doubled([seen, rapid], events)
    print(f"this machine is now {busy:.1f} x slower than an idle core; people too")
    print(
        f"{PEOPLE} people, {seen.seconds:.0f} s, {seen.rankings} rankings meanwhile: "
        f"{len(seen.kept):,} answers, {len(seen.errors)} errors, {share:.2f} processors"
    )
    for name, times in [("ask", seen.asks), ("label", seen.tells)]:
        p50, p95, p99 = np.percentile(times, [50, 95, 99]) * 1000
        print(f"  {name:5} p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  p99 {p99:6.1f} ms")
    print(
        f"burst: {len(rapid.kept) / rapid.seconds:,.0f} durable labels/s, p95 "
        f"{1000 * rapid.p95(rapid.tells):.0f} ms, {len(rapid.errors)} errors"
    )
    print(f"lost {lost}, stored twice {doubled}, rows told by two {shared}, of {len(events):,}")
    print("before: {} threads, {} files, {:.0f} MB".format(*before))
    print("after:  {} threads, {} files, {:.0f} MB".format(*after))
    for error in [*seen.errors, *rapid.errors][:5]:
        print("error:", error)


if __name__ == "__main__":
    main()
