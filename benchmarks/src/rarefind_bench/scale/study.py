"""The scaling study: every axis with everybody who takes part."""

from __future__ import annotations

from functools import partial

from rarefind.core.progress import announce
from rarefind_bench.measuring.tasks import is_ours, missing
from rarefind_bench.measuring.worker import Measured, Worker, why_not
from rarefind_bench.plan import Plan
from rarefind_bench.scale.axes import AXES, MEASURES, Axis
from rarefind_bench.scale.growth import Series, as_data, growth_chart, growth_grid
from rarefind_bench.tables_and_charts import Findings

_SECONDS, _SECONDS_LARGE = 20, 900
"""Seconds for each point, usually and when the largest sizes are wanted."""


def add_study(found: Findings, part: str, plan: Plan) -> None:
    """Measure the axes of a part, and add their tables, charts and numbers."""
    with Worker() as worker:
        for axis in AXES[part]:
            tasks = _taking_part(found, axis, plan)
            measured = _measure(axis, tasks, plan, worker)
            for measure, named in axis.shown.items():
                series = [
                    series_of(task, measure, measured[task]) for task in named if task in measured
                ]
                title = f"{MEASURES[measure]}, against {axis.title}"
                title = title[0].upper() + title[1:]
                found.grids.append(growth_grid(f"{title} (seconds)", axis.name, series))
                found.charts.append(growth_chart(title, axis.title, series))
                found.data[f"{axis.name}: {measure}"] = as_data(series)


def series_of(task: str, measure: str, points: dict[int, Measured]) -> Series:
    """Take one measure out of what was measured at every size."""
    series = Series(task)
    for size, point in points.items():
        if measure in point:
            series.seconds[size] = float(point[measure]["processors"])
        else:
            series.words[size] = why_not(point)
    return series


def _taking_part(found: Findings, axis: Axis, plan: Plan) -> list[str]:
    wanted = [task for task in axis.tasks if plan.peers or is_ours(task)]
    notes = {task: missing(task) for task in wanted}
    found.notes += [note for note in notes.values() if note and note not in found.notes]
    return [task for task in wanted if notes[task] is None]


def _measure(
    axis: Axis, tasks: list[str], plan: Plan, worker: Worker
) -> dict[str, dict[int, Measured]]:
    sizes = axis.sizes + (axis.more if plan.large else ())
    limit = float(plan.budget or (_SECONDS_LARGE if plan.large else _SECONDS))
    measured: dict[str, dict[int, Measured]] = {}
    for place, task in enumerate(tasks):
        measured[task] = {}
        for number, size in enumerate(sizes):
            announce(
                f"{axis.name}, {task} at {size:,}",
                place * len(sizes) + number,
                len(tasks) * len(sizes),
            )
            what = {**axis.fixed, axis.name: size}
            key = ["scale", task, what, limit]
            point = plan.journal.result(key, partial(worker.measure, task, what, limit))
            measured[task][size] = point
            if "stopped" in point or "failed" in point:
                break  # larger sizes would last longer still
    return measured
