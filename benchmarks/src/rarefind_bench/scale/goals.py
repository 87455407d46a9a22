"""The goals of size: a hunt, a ranking and a stream, each beside a plain reference in its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from rarefind.core.progress import announce
from rarefind_bench.measuring.turns import verdict
from rarefind_bench.measuring.worker import Measured, Worker, why_not
from rarefind_bench.plan import Plan
from rarefind_bench.scale.growth import power
from rarefind_bench.tables_and_charts import Findings, Grid

_LIMIT, _LIMIT_LARGE = 600.0, 7200.0
"""Seconds for each point, usually and at the sizes of the goals."""

SETUP_TIMES, NEXT_SECONDS, HUNT_GIGABYTES, EXPONENT = 10.0, 0.3, 4.0, 1.2
"""What is promised for a hunt: times of the plain query, seconds, gigabytes, growth with rows."""

SPEED, STREAM_GIGABYTES = 0.6, 1.0
"""What is promised for a stream: share of the bare distances' speed, gigabytes."""

_BY_DATA = {"crowds": "crowds", "shuttle": "Shuttle, jittered"}
"""What the tables call the data."""


class Size(NamedTuple):
    """Rows, dimensions and kind of data of one point."""

    rows: int
    dimensions: int = 9
    data: str = "crowds"

    def __str__(self) -> str:
        return f"{_BY_DATA[self.data]}, {self.rows:,} x {self.dimensions}"


SIZES: dict[str, list[Size]] = {
    "hunt": [Size(10_000), Size(30_000), Size(100_000), Size(10_000, 100)],
    "rank": [Size(100_000)],
    "stream": [Size(1_000_000)],
}
"""Sizes that take minutes."""

_LARGE: dict[str, list[Size]] = {
    "hunt": [
        *(Size(rows) for rows in (100_000, 300_000, 1_000_000)),
        *(Size(rows, data="shuttle") for rows in (100_000, 300_000, 1_000_000)),
        Size(200_000, 100),
    ],
    "rank": [Size(100_000), Size(1_000_000), Size(200_000, 100)],
    "stream": [Size(10_000_000)],
}
"""Sizes of the promises, which take an hour or more."""


def add_goals(found: Findings, part: str, plan: Plan) -> None:
    """Measure a part, each size in a process of its own, and add table, numbers and verdicts."""
    measured: dict[Size, Measured] = {}
    sizes = (_LARGE if plan.large else SIZES)[part]
    limit = float(plan.budget or (_LIMIT_LARGE if plan.large else _LIMIT))
    for place, size in enumerate(sizes):
        announce(f"{part}, {size}", place, len(sizes))
        key = ["scale", part, *size, limit]
        measured[size] = plan.journal.result(key, partial(measured_alone, part, size, limit))
    header, row = _TABLES[part]
    rows = [
        (str(size), *(row(point) if "gigabytes" in point else _why_not(point, len(header) - 1)))
        for size, point in measured.items()
    ]
    found.grids.append(Grid(_TITLES[part], header, rows))
    found.data[part] = {str(size): dict(point) for size, point in measured.items()}
    found.notes += [
        f"{size}: {str(point['failed']).rstrip('.')}"
        for size, point in measured.items()
        if "failed" in point
    ]
    if part == "hunt":
        _add_growth(found, measured)


def measured_alone(part: str, size: Size, limit: float) -> Measured:
    """Measure one part at one size in a process of its own."""
    with Worker() as worker:
        return worker.measure(f"accept {part}", size._asdict(), limit)


def _why_not(point: Measured, cells: int) -> list[str]:
    return [why_not(point), *[""] * (cells - 1)]


def hunt_row(point: Measured) -> tuple[object, ...]:
    """Lay out a hunt: set-up against the query, the next question, memory."""
    clock = point["set-up"]["clock"] / point["query"]["clock"]
    used = point["set-up"]["processors"] / point["query"]["processors"]
    return (
        float(point["set-up"]["clock"]),
        float(point["set-up"]["processors"]),
        f"{clock:.1f} ({verdict(clock, SETUP_TIMES)})",
        f"{used:.1f} ({verdict(used, SETUP_TIMES)})",
        f"{point['next']:.3f} ({verdict(point['next'], NEXT_SECONDS)})",
        _memory(point, HUNT_GIGABYTES),
    )


def rank_row(point: Measured) -> tuple[object, ...]:
    """Lay out a ranking: fitting, scoring, the distances alone."""
    return (
        int(point["examples"]),
        float(point["fit"]["clock"]),
        float(point["fit"]["processors"]),
        float(point["score"]["clock"]),
        float(point["score"]["processors"]),
        float(point["score"]["processors"] / point["distances"]["processors"]),
        _memory(point, HUNT_GIGABYTES),
    )


def stream_row(point: Measured) -> tuple[object, ...]:
    """Lay out a stream: its speed against that of the distances, by clock and core for core."""
    cells: list[object] = []
    for way in ("scores only", "all columns", "prepared"):
        for unit in ("clock", "processors"):
            share = point["distances"][unit] / point[way][unit]
            said = verdict(share, SPEED, at_most=False) if way == "scores only" else ""
            cells.append(f"{share:.0%}" + (f" ({said})" if said else ""))
    return (f"{point['file']:.2f} GB", *cells, _memory(point, STREAM_GIGABYTES))


def _memory(point: Measured, goal: float) -> str:
    held = point["gigabytes"]
    return "" if held is None else f"{held:.2f} ({verdict(held, goal)})"


def _add_growth(found: Findings, measured: Mapping[Size, Measured]) -> None:
    """Say how set-up and the reference grow with the rows, for data of the same kind."""
    groups: dict[tuple[str, int], list[tuple[int, Measured]]] = {}
    for size, point in measured.items():
        if "set-up" in point:
            groups.setdefault((size.data, size.dimensions), []).append((size.rows, point))
    rows = []
    for (data, dimensions), points in groups.items():
        if len(points) < 2:
            continue
        ours = power([(rows, point["set-up"]["processors"]) for rows, point in points])
        theirs = power([(rows, point["query"]["processors"]) for rows, point in points])
        sizes = f"{points[0][0]:,} to {points[-1][0]:,} x {dimensions}"
        rows.append(
            (
                f"{_BY_DATA[data]}, {sizes}",
                f"n^{ours:.2f} ({verdict(ours, EXPONENT)})",
                f"n^{theirs:.2f}",
            )
        )
        found.data.setdefault("growth", {})[f"{data}, {sizes}"] = {"set-up": ours, "query": theirs}
    if rows:
        header = ("records", f"set-up (goal n^{EXPONENT:g})", "the query")
        found.grids.append(Grid("How set-up grows, in seconds of processors", header, rows))


_TITLES = {
    "hunt": "Set-up of a hunt, in times of one cKDTree(X).query(X, k=10) of the same records",
    "rank": "LAGO, fitted with tuning and scored on all records",
    "stream": "Scored from Parquet to Parquet: speed, where the bare distances in one thread are "
    "100 %, by the clock and core for core",
}
"""What each table is called."""

_TABLES: dict[str, tuple[Sequence[str], Any]] = {
    "hunt": (
        (
            "records",
            "set-up, s",
            "of processors",
            f"times (goal {SETUP_TIMES:g})",
            "times, processors",
            f"next question p95, s (goal {NEXT_SECONDS:g})",
            f"peak GB (goal {HUNT_GIGABYTES:g})",
        ),
        hunt_row,
    ),
    "rank": (
        (
            "records",
            "examples",
            "fit, s",
            "of processors",
            "score, s",
            "of processors",
            "score / distances",
            f"peak GB (goal {HUNT_GIGABYTES:g})",
        ),
        rank_row,
    ),
    "stream": (
        (
            "records",
            "file",
            f"scores only (goal {SPEED:.0%})",
            "core for core",
            "all columns",
            "core for core",
            "prepared",
            "core for core",
            f"peak GB (goal {STREAM_GIGABYTES:g})",
        ),
        stream_row,
    ),
}
"""The columns of each table, and how a row of it is made."""
