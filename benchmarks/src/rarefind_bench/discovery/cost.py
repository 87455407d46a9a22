"""Seconds and memory of discovery on real records at size.

Set-up and 100 questions of a strategy, each in a process of its own, in times of one
``cKDTree(X).query(X, k=10)`` of the same standardised records in the same process.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.core.progress import announce
from rarefind.discovery import Hunt, make_strategy
from rarefind_bench.datasets.catalogue import is_kernel_set, open_set, set_names
from rarefind_bench.discovery.labels_needed import TOLD_SIZES
from rarefind_bench.measuring.clocks import Spent
from rarefind_bench.measuring.turns import verdict
from rarefind_bench.measuring.worker import Measured, Worker, why_not
from rarefind_bench.plan import Plan
from rarefind_bench.scale.work.hunting import QUESTIONS, made, query, questions
from rarefind_bench.tables_and_charts import Findings, Grid

_LIMIT = 3600.0
"""Seconds for each strategy on each set."""

_TIMES = {"shuttle": 5.0}
"""Goals: set-up and questions in times of the query, by set."""

_HEADER = (
    "strategy",
    "set-up, s",
    f"{QUESTIONS} questions, s",
    "times the query",
    "times, processors",
    "peak GB",
    "set-up again, s",
    "classes found",
)
"""Columns of the table."""


def discovery_cost(plan: Plan) -> Findings:
    """Measure MALICE (told the true shares) and auto on all records of Shuttle."""
    names = plan.sets or ("shuttle", *(["kdd99_10"] if plan.large else []))
    strategies = plan.strategies or ("malice", "auto")
    for strategy in strategies:
        make_strategy(strategy)  # a wrong name is said before any work
    for name in names:
        if name in set_names() and is_kernel_set(name):
            raise DataError(f"{name} has no features to be measured beside a query of neighbours.")
        open_set(name)  # fetched, or said to be missing, before a process is asked for it
    limit = float(plan.budget or _LIMIT)
    found = Findings(
        "The cost of discovery",
        f"Set-up and {QUESTIONS} questions, answers included, on all records of a set, beside one "
        "query of ten neighbours of all records in the same process.",
    )
    for place, name in enumerate(names):
        points: dict[str, Measured] = {}
        for number, strategy in enumerate(strategies):
            whole = len(names) * len(strategies)
            announce(f"{name}, {strategy}", place * len(strategies) + number, whole)
            work = partial(measured_alone, {"set": name, "strategy": strategy}, limit)
            points[strategy] = plan.journal.result(["cost", name, strategy, limit], work)
        rows = [(strategy, *_cells(point, _TIMES.get(name))) for strategy, point in points.items()]
        size = next((point["size"] for point in points.values() if "size" in point), "")
        found.grids.append(Grid(f"{name} {size}".rstrip(), _HEADER, rows))
        found.data[name] = {strategy: dict(point) for strategy, point in points.items()}
        found.notes += [
            f"{name}, {strategy}: {str(point['failed']).rstrip('.')}"
            for strategy, point in points.items()
            if "failed" in point
        ]
    return found


def hunt_in_set(what: Mapping[str, Any]) -> dict[str, Any]:
    """Set up a strategy on all records of a set, twice, ask and tell, and query the neighbours."""
    whole = open_set(what["set"]).whole(what.get("rows"))
    X, strategy = np.asarray(whole.records, dtype=np.float64), what["strategy"]
    reference = query(X)
    priors = whole.priors if strategy in TOLD_SIZES else None
    with TemporaryDirectory() as folder:
        make = partial(
            Hunt,
            X,
            strategy,
            priors=priors,
            background=whole.background,
            scale=whole.scale,
            keep=folder,
        )
        hunt, setup = made(make)
        again = made(make)[1]
    turns = questions(hunt, lambda row, number: whole.labels[row])
    asked = Spent(
        sum(turn.clock for part in turns for turn in part),
        sum(turn.processors for part in turns for turn in part),
    )
    return {
        "size": f"{len(X):,} x {X.shape[1]}",
        "query": reference.as_dict(),
        "set-up": setup.as_dict(),
        "again": again.as_dict(),
        "questions": asked.as_dict(),
        "found": f"{len(hunt.found)} of {len(whole.sizes) - 1}",
    }


def measured_alone(what: Mapping[str, Any], limit: float) -> Measured:
    """Measure one hunt in a process of its own."""
    with Worker() as worker:
        return worker.measure("hunt in a data set", what, limit)


def _cells(point: Measured, goal: float | None) -> tuple[object, ...]:
    if "set-up" not in point:
        return (why_not(point), *[""] * (len(_HEADER) - 2))
    setup, asked, reference = (point[part] for part in ("set-up", "questions", "query"))
    times = {unit: (setup[unit] + asked[unit]) / reference[unit] for unit in reference}
    return (
        float(setup["clock"]),
        float(asked["clock"]),
        _times(times["clock"], goal),
        _times(times["processors"], goal),
        "" if point["gigabytes"] is None else f"{point['gigabytes']:.2f}",
        float(point["again"]["clock"]),
        point["found"],
    )


def _times(times: float, goal: float | None) -> str:
    return f"{times:.1f}" + (f" ({verdict(times, goal)}: goal {goal:g})" if goal else "")
