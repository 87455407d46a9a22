"""Seconds and memory of discovery at size.

    python benchmarks/discovery_cost.py                 Shuttle's 43,500 training records
    python benchmarks/discovery_cost.py --set kdd99_10  494,021 records with categories

Shuttle: set-up and 100 questions of MALICE (true shares) and of auto, as a ratio to one
``cKDTree(X).query(X, k=10, workers=2)`` on the same standardised records in the same run, in
seconds on the clock and of processors (which others on the machine disturb less). The goal is 5.
kdd99_10: set-up and 100 questions of auto with the peak of memory; the goal is 600 seconds and
8 GB. Data are read from the folder in RAREFIND_DATA (default: ../shared/datasets).
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

from scipy.spatial import cKDTree

from rarefind.bench.data import open_set
from rarefind.bench.labelled import LabelledSet, cut_rows
from rarefind.core.errors import DataError
from rarefind.core.progress import Step, listen
from rarefind.discovery import Hunt
from rarefind.features.scaling import standardized

QUESTIONS = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", dest="name", default="shuttle", help="shuttle or kdd99_10")
    parser.add_argument("--rows", type=int, help="a sample of so many rows")
    parser.add_argument("--strategies", help="names with commas")
    options = parser.parse_args()
    try:
        whole = everything(options.name, options.rows)
    except DataError as problem:
        sys.exit(str(problem))
    print(f"{options.name}: {whole.records.shape[0]} x {whole.records.shape[1]}", flush=True)
    names = options.strategies.split(",") if options.strategies else None
    query = None
    if options.name == "shuttle":
        names = names or ["malice", "auto"]
        X = standardized(whole.records)
        query = timed(lambda: cKDTree(X).query(X, k=10, workers=2))
        print(
            f"one query of 10 neighbours of all: {query[0]:.2f} s, {query[1]:.2f} of processors",
            flush=True,
        )
    for strategy in names or ["auto"]:
        cost(whole, strategy, query)


def everything(name: str, rows: int | None) -> LabelledSet:
    """Return all records of a set, in random order, or a sample of them."""
    source = open_set(name)
    order = cut_rows(source.read.labels, rows, seed=0)
    labels = tuple(source.read.labels[row] for row in order)
    scale = "none" if source.read.scaled else "auto"
    return LabelledSet(name, source.read.records[order], labels, None, scale)


def cost(whole: LabelledSet, strategy: str, query: tuple[float, float] | None) -> None:
    last: list[tuple[str, float]] = []

    def follow(step: Step) -> None:
        if not last or last[-1][0] != step.task:
            last.append((step.task, time.perf_counter()))
            print(f"  {last[-1][1] - begun:7.1f} s  {step.task}", flush=True)

    begun, used = time.perf_counter(), time.process_time()
    with listen(follow):
        priors = whole.priors if strategy in ("alice", "malice") else None
        hunt = Hunt(
            whole.records, strategy, priors=priors, background=whole.background, scale=whole.scale
        )
    ready = time.perf_counter() - begun
    print(f"{strategy}: set-up {ready:.2f} s", flush=True)
    for _ in range(QUESTIONS):
        row = hunt.ask().row
        hunt.tell(row, whole.labels[row])
    total, used = time.perf_counter() - begun, time.process_time() - used
    ratio = ""
    if query is not None:
        ratio = f", {total / query[0]:.1f} times the query ({used / query[1]:.1f} of processors)"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{strategy}: set-up {ready:.2f} s, {QUESTIONS} questions {total - ready:.2f} s{ratio}; "
        f"peak memory of the process {peak:.2f} GiB; {len(hunt.found)} of "
        f"{len(whole.sizes) - 1} classes found",
        flush=True,
    )


def timed(work) -> tuple[float, float]:
    """Seconds on the clock and of processors, the better of two runs."""
    return min(timed_once(work) for _ in range(2))


def timed_once(work) -> tuple[float, float]:
    begun, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begun, time.process_time() - used


if __name__ == "__main__":
    main()
