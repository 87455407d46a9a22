"""Durable labels per second: one writer with group commit, beside a connection for everybody.

Both keep every label on the disk before it is acknowledged (write-ahead log, synchronous=FULL), in
the same folder and in the same run. Run it in the folder whose disk is to be measured.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import threading
import time
import uuid
from pathlib import Path

import numpy as np

from rarefind.store import DataSet, Event, HuntEntry, open_store


def measure(writers, seconds, keep_one):
    """Let all writers work; labels per second and the seconds each label took."""
    times = [[] for _ in range(writers)]
    start = time.perf_counter()
    until = start + seconds

    def work(writer):
        keep = keep_one(writer)
        number = 0
        while (before := time.perf_counter()) < until:
            keep(number)
            times[writer].append(time.perf_counter() - before)
            number += 1

    threads = [threading.Thread(target=work, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    every = np.concatenate([np.array(mine) for mine in times])
    return len(every) / (time.perf_counter() - start), every


def group_commit(address):
    """Our store; every call returns after the commit."""
    store = open_store(address)
    data = DataSet("data", "data", "data.csv", "00", 1, {}, 0.0)
    store.put_dataset(data)
    store.create_hunt(HuntEntry("hunt", "hunt", "data", {}, 0.0))

    def keep_one(writer):
        def keep(number):
            id = str(uuid.uuid4())
            store.keep(Event(id, "hunt", "label", number, "fraud", f"a{writer}", at=0.0))

        return keep

    return store, keep_one


def own_connections(path):
    """The usual way: everybody has a connection and commits alone."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(
            "CREATE TABLE labels (id TEXT PRIMARY KEY, row INT, value TEXT, who TEXT)"
        )

    def keep_one(writer):
        mine = sqlite3.connect(path, timeout=30, isolation_level=None)
        mine.execute("PRAGMA synchronous = FULL")

        def keep(number):
            mine.execute("BEGIN IMMEDIATE")
            values = (str(uuid.uuid4()), number, "fraud", f"a{writer}")
            mine.execute("INSERT INTO labels VALUES (?, ?, ?, ?)", values)
            mine.execute("COMMIT")

        return keep

    return keep_one


def show(name, rate, times):
    p50, p99 = np.percentile(times, [50, 99]) * 1000
    print(f"{name:<44}{rate:>10,.0f}{p50:>10.1f}{p99:>10.1f}{times.max() * 1000:>10.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--postgres", help="also measure a store at this address")
    options = parser.parse_args()
    print(f"{options.writers} writers{'':<34}labels/s    p50 ms    p99 ms    max ms")
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        store, keep_one = group_commit(Path(folder) / "rarefind.db")
        show("rarefind store, SQLite", *measure(options.writers, options.seconds, keep_one))
        start = time.perf_counter()
        report = store.check()
        words = "whole" if report.ok else "; ".join(report.faults)
        print(f"  check of {report.events:,} events: {words}, {time.perf_counter() - start:.1f} s")
        store.close()
        keep_one = own_connections(Path(folder) / "plain.db")
        rate_and_times = measure(options.writers, options.seconds, keep_one)
        show("SQLite, own connections, BEGIN IMMEDIATE", *rate_and_times)
    if options.postgres:
        store, keep_one = group_commit(options.postgres)
        show("rarefind store, PostgreSQL", *measure(options.writers, options.seconds, keep_one))
        store.close()


if __name__ == "__main__":
    main()
