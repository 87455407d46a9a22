"""How long ``auto`` takes beside its slowest member and a forest, on 300 labels, in one run."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier
from threadpoolctl import threadpool_limits

from rarefind.core.progress import announce
from rarefind.detection.auto.committee import fit_committee
from rarefind.detection.auto.member import Member
from rarefind.detection.auto.members import members_for
from rarefind.features.unit_spread import UnitSpread
from rarefind_bench.datasets.catalogue import open_set
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid

TABLES = ("page_blocks", "letter", "satellite", "covertype")
"""Tables of 7 to 54 columns. A choice."""
_ROWS, _LABELS = 2_000, 300
"""Rows drawn of a table, and how many of them have a label, as the aim is stated."""
_EXAMPLES = 10
"""Examples among the labels: as a hunt of so many questions finds of a rare class."""
_TREES = 100
"""Trees of the forest beside it: scikit-learn's own choice."""
_TURNS = 3
"""Times that everything is measured, unless the plan says otherwise: the least counts."""
_LONG = 1e6
"""Seconds that no fit takes, so that nothing is left out."""


def cost_of_auto(plan: Plan) -> Findings:
    """Measure processor seconds of fitting all members together, each alone, and a forest."""
    rows = []
    for place, name in enumerate(TABLES):
        announce(f"cost of auto, {name}", place, len(TABLES))
        work = partial(_measured, name, plan.seeds or _TURNS)
        rows.append(plan.journal.result(["detection", "cost", name], work))
    found = Findings(
        "What auto costs",
        f"Processor seconds of fitting {_LABELS} labels, one thread, least of several runs; "
        f"ExtraTrees has {_TREES} trees.",
    )
    found.grids += [cost_grid(rows, title) for title in rows[0]["averages"]]
    found.data["cost"] = rows
    return found


def cost_grid(rows: list[dict[str, Any]], title: str) -> Grid:
    """Show how many times as long all members take as the slowest and a forest together."""
    lines = []
    for row in rows:
        together = row["averages"][title]
        alone = {name: row["members"][name] for name in together["names"]}
        slowest = max(alone, key=lambda name: alone[name])
        ratio = together["seconds"] / (alone[slowest] + row["forest"])
        seconds = (together["seconds"], alone[slowest], row["forest"])
        lines.append((row["set"], *(f"{s:.2f}" for s in seconds), slowest, f"{ratio:.2f}"))
    header = (
        "table",
        "auto",
        "slowest member",
        "ExtraTrees",
        "which",
        "auto ÷ (member + ExtraTrees)",
    )
    return Grid(f"Cost of auto {title}", header, lines)


def _measured(name: str, turns: int) -> dict[str, Any]:
    drawn = open_set(name).draw(0, _ROWS)
    target = drawn.sought[0]
    wanted = np.array(drawn.labels) == target
    examples, others = (np.flatnonzero(kind) for kind in (wanted, ~wanted))
    rows = np.sort(np.concatenate([examples[:_EXAMPLES], others[: _LABELS - _EXAMPLES]]))
    X, labels = np.asarray(drawn.records, dtype=np.float64)[rows], np.array(drawn.labels)[rows]
    members = members_for(None, None, X, len(set(labels)))
    averages = {"without CatBoost": {n: m for n, m in members.items() if n != "catboost"}}
    if "catboost" in members:
        averages = {"with CatBoost": members, **averages}

    def fit(some: Mapping[str, Member]) -> None:
        scaled = UnitSpread().fit_transform(X)
        fit_committee(
            some, scaled, labels, target, time_limit=_LONG, random_state=0, by_kernel=False
        )

    def grow() -> None:
        ExtraTreesClassifier(_TREES, class_weight="balanced", random_state=0).fit(
            X, labels == target
        )

    with warnings.catch_warnings(), threadpool_limits(limits=1):
        warnings.simplefilter("ignore")
        return {
            "set": name,
            "forest": _least(grow, turns),
            "members": {n: _least(partial(fit, {n: m}), turns) for n, m in members.items()},
            "averages": {
                title: {"names": list(some), "seconds": _least(partial(fit, some), turns)}
                for title, some in averages.items()
            },
        }


def _least(work: Callable[[], None], turns: int) -> float:
    seconds = []
    for _ in range(turns):
        begun = time.process_time()
        work()
        seconds.append(time.process_time() - begun)
    return min(seconds)
