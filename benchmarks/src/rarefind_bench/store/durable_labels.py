"""Durable labels per second: one writer with group commit, beside a connection for everybody.

Both keep every label on the disk before it is acknowledged (write-ahead log, synchronous=FULL), in
the same folder and in the same run.
"""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.progress import announce
from rarefind.store import DataSet, Event, HuntEntry, Store, open_store
from rarefind_bench.measuring.turns import verdict
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid

WRITERS = 32
"""People at once; with one the disk alone would be measured."""

_RATE, _SLOWEST = 2_000, 50.0
"""Goals: labels a second, and milliseconds that 99 of 100 labels take at most."""

Keeper = Callable[[int], Callable[[int], None]]
"""For a writer, the function that keeps its label of some number."""


def store_speed(plan: Plan) -> Findings:
    """Measure both ways, one after the other, in the present folder."""
    seconds = float(plan.budget or 10)
    rows = []
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        announce("rarefind's store", 0, 2)
        store = open_store(Path(folder) / "rarefind.db")
        rows.append(_row("rarefind's store, group commit", *_measure(seconds, _grouped(store))))
        whole = store.check()
        store.close()
        announce("a connection for everybody", 1, 2)
        alone = _alone(Path(folder) / "plain.db")
        rows.append(_row("own connections, BEGIN IMMEDIATE", *_measure(seconds, alone)))
    rate, slowest = float(rows[0][1]), float(rows[0][3])
    goal = (
        f"at least {_RATE:,} labels/s: {verdict(rate, _RATE, at_most=False)}; "
        f"99 of 100 within {_SLOWEST:g} ms: {verdict(slowest, _SLOWEST)}"
    )
    header = ("way", "labels/s", "p50 ms", "p99 ms", "max ms")
    return Findings(
        "Durable labels a second, SQLite",
        f"{WRITERS} writers for {seconds:g} s each, every label on the disk before it is "
        f"acknowledged. Goals: {goal}.",
        [Grid(f"{WRITERS} writers", header, rows)],
        data={row[0]: dict(zip(header[1:], row[1:], strict=True)) for row in rows},
        notes=[f"check of {whole.events:,} events: {'whole' if whole.ok else whole.faults[0]}"],
    )


def _row(name: str, rate: float, times: FloatArray) -> tuple[str, float, float, float, float]:
    p50, p99 = np.percentile(times, [50, 99]) * 1000
    return name, round(rate), round(p50, 1), round(p99, 1), round(float(times.max()) * 1000)


def _measure(seconds: float, keeper: Keeper) -> tuple[float, FloatArray]:
    """Let all writers work; labels per second and the seconds each label took."""
    times: list[list[float]] = [[] for _ in range(WRITERS)]
    begun = time.perf_counter()

    def work(writer: int) -> None:
        keep = keeper(writer)
        number = 0
        while (before := time.perf_counter()) < begun + seconds:
            keep(number)
            times[writer].append(time.perf_counter() - before)
            number += 1

    threads = [threading.Thread(target=work, args=(writer,)) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    every = np.concatenate([np.array(mine) for mine in times])
    return len(every) / (time.perf_counter() - begun), every


def _grouped(store: Store) -> Keeper:
    store.put_dataset(DataSet("data", "data", "data.csv", "00", 1, {}, 0.0))
    store.create_hunt(HuntEntry("hunt", "hunt", "data", {}, 0.0))

    def keeper(writer: int) -> Callable[[int], None]:
        def keep(number: int) -> None:
            label = Event(str(uuid.uuid4()), "hunt", "label", number, "fraud", f"a{writer}", 0.0)
            store.keep(label)

        return keep

    return keeper


def _alone(path: Path) -> Keeper:
    """Return the usual way: everybody has a connection and commits alone."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(
            "CREATE TABLE labels (id TEXT PRIMARY KEY, row INT, value TEXT, who TEXT)"
        )

    def keeper(writer: int) -> Callable[[int], None]:
        mine = sqlite3.connect(path, timeout=30, isolation_level=None)
        mine.execute("PRAGMA synchronous = FULL")

        def keep(number: int) -> None:
            mine.execute("BEGIN IMMEDIATE")
            values = (str(uuid.uuid4()), number, "fraud", f"a{writer}")
            mine.execute("INSERT INTO labels VALUES (?, ?, ?, ?)", values)
            mine.execute("COMMIT")

        return keep

    return keeper
