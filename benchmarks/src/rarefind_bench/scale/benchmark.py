"""``rarefind bench scale``: the goals of size, and how cost grows."""

from __future__ import annotations

from rarefind.core.names import unknown_name
from rarefind_bench.plan import Plan
from rarefind_bench.scale.axes import AXES
from rarefind_bench.scale.goals import add_goals
from rarefind_bench.scale.study import add_study
from rarefind_bench.tables_and_charts import Findings

GOALS = ("hunt", "rank", "stream")
"""The figures promised for size."""

PARTS = (*GOALS, *AXES)
"""What ``--set`` takes."""


def scale(plan: Plan) -> Findings:
    """Measure the parts that are wanted."""
    for name in plan.sets:
        if name not in PARTS:
            raise unknown_name("part of this benchmark", name, PARTS)
    found = Findings(
        "Cost against size",
        "Seconds of processors are what all threads used together: others on the machine disturb "
        "them less than the clock. A tool that exceeds the time for a point is not tried on larger "
        "ones. Exponents are fitted to the three largest sizes.",
    )
    wanted = plan.sets or PARTS
    if not plan.large and set(wanted) & set(GOALS):
        found.notes.append(
            "Goals are set for 1,000,000 records of a hunt and 10,000,000 rows of a stream: "
            "--large measures at the sizes of the goals"
        )
    for name in wanted:
        if name in GOALS:
            add_goals(found, name, plan)
        else:
            add_study(found, name, plan)
    return found
