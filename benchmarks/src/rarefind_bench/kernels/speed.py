"""How fast the kernels are, beside the nearest thing one can install, in one run."""

from __future__ import annotations

from typing import Any

from rarefind.core.names import unknown_name
from rarefind_bench.kernels.graphs import graph_times
from rarefind_bench.kernels.hunts import hunt_times
from rarefind_bench.kernels.strings import gram_times, whole_sets
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings

_PARTS = ("strings", "graphs", "hunts", "whole sets")
"""What ``--set`` takes."""


def kernel_speed(plan: Plan) -> Findings:
    """Time string kernels beside n-gram counting, graph kernels beside GraKeL, and hunts."""
    found = Findings(
        "Speed of the kernels",
        "Least processor time of several turns, in one thread, as a ratio to the reference in the "
        "same run.",
    )
    parts: dict[str, Any] = {}
    for name in plan.sets:
        if name not in _PARTS:
            raise unknown_name("part of this benchmark", name, _PARTS)
    wanted = plan.sets or ("strings", "graphs", "hunts", *(["whole sets"] if plan.large else []))
    if "strings" in wanted:
        parts["strings"] = gram_times()
    if "graphs" in wanted:
        parts["graphs"], found.notes = graph_times()
    if "hunts" in wanted:
        parts["hunts"] = hunt_times()
    if "whole sets" in wanted:
        parts["whole sets"] = whole_sets()
    for name, grid in parts.items():
        found.grids.append(grid)
        found.data[name] = [dict(zip(grid.header, row, strict=True)) for row in grid.rows]
    return found
