"""Ranking from a handful of labels: ``auto`` beside single models and installed peers."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from rarefind.core.arrays import take
from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
from rarefind.detection import make
from rarefind.hunting.forecast import foresee
from rarefind_bench.detection.few_label_cells import (
    JUDGED,
    OTHER_REGIMES,
    OTHERS,
    REGIMES,
    TABLES,
    Cell,
    cells,
)
from rarefind_bench.detection.few_label_peers import peers_for
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Grid

_LEAST = 1e-3
"""Average precisions below count as this much in geometric means."""

_DRAWS = 5
"""Draws of each problem, unless the plan says otherwise."""

_FIRST = 10
"""Records of each ranking whose chances are kept, with whether they are of the class: a round."""


def measured(plan: Plan, *, tables: bool = True) -> list[dict[str, Any]]:
    """Measure problems: average precision of every model, and what ``auto`` told.

    Where the plan wants no peers, ``auto`` is measured alone, and where it tells something.
    With a budget, what is not measured within so many seconds is left out: the same command with
    the same journal goes on from there.
    """
    names, usual = (TABLES, REGIMES) if tables else (OTHERS, OTHER_REGIMES)
    regimes = dict.fromkeys(usual, 1) if plan.peers else JUDGED
    end = np.inf if plan.budget is None else time.monotonic() + plan.budget
    rows: list[dict[str, Any]] = []
    for seed in range(plan.seeds or _DRAWS):
        for place, name in enumerate(names):
            announce(f"few labels, draw {seed}, {name}", place, len(names))
            rows += _of_set(name, seed, regimes, plan, end)
    return rows


def _of_set(
    name: str, seed: int, regimes: Mapping[str, int], plan: Plan, end: float
) -> Iterator[dict[str, Any]]:
    part = "from few labels" if plan.peers else "auto from few labels"

    def known(regime: str) -> list[Any]:
        return ["detection", part, name, seed, regime]

    wanted = {name: n for name, n in regimes.items() if known(name) not in plan.journal}
    drawn = {}
    if wanted and time.monotonic() < end:
        drawn = {cell.regime: cell for cell in cells(name, seed, wanted, plan)}
    for regime in regimes:
        if regime not in wanted:
            yield plan.journal.result(known(regime), dict)
        elif regime in drawn and time.monotonic() < end:
            yield plan.journal.result(
                known(regime), partial(_measure, drawn[regime], peers=plan.peers)
            )


def grids(rows: list[dict[str, Any]]) -> list[Grid]:
    """Show geometric means for each kind of record, seconds, and what was told."""
    found = []
    for group in dict.fromkeys(row["group"] for row in rows):
        some = [row for row in rows if row["group"] == group]
        regimes = [name for name in REGIMES if any(row["regime"] == name for row in some)]
        title = f"Few labels, {group}: geometric mean of average precision"
        found.append(_means(title, some, regimes))
        longest = max((r for r in regimes if r.startswith("random")), default=None, key=_labels)
        if longest is not None:
            timed = [row["seconds"] for row in some if row["regime"] == longest]
            lines = [
                (model, f"{np.mean([each[model] for each in timed]):.2f}") for model in timed[0]
            ]
            found.append(Grid(f"Processor seconds, {group}, {longest}", ("model", "s"), lines))
    return [*found, told_grid(rows)]


def _labels(regime: str) -> int:
    return int(regime.split()[1])


def _means(title: str, rows: list[dict[str, Any]], regimes: list[str]) -> Grid:
    lines = []
    for model in rows[0]["reached"]:
        by_regime = [
            [row["reached"][model] for row in rows if row["regime"] == regime] for regime in regimes
        ]
        lines.append((model, *(_geometric(values) for values in by_regime)))
    sizes = [str(sum(row["regime"] == regime for row in rows)) for regime in regimes]
    return Grid(title, ("model", *regimes), [*lines, ("problems", *sizes)])


def told_grid(rows: list[dict[str, Any]]) -> Grid:
    """Show what ``auto`` told against what was true, where it told anything."""
    lines = []
    told = [row for row in rows if row["told"] is not None]
    for regime in [*REGIMES, "all"]:
        some = [row for row in told if regime in (row["regime"], "all")]
        if some:
            said, true = ([row[key] for row in some] for key in ("told", "true"))
            inside = np.mean([row["low"] <= row["true"] <= row["high"] for row in some])
            figures = (np.mean(said), np.mean(true), np.mean(np.abs(np.subtract(said, true))))
            lines.append((regime, str(len(some)), *(f"{v:.3f}" for v in figures), f"{inside:.2f}"))
    header = ("labels", "told", "mean told", "mean true", "mean distance", "in interval")
    return Grid("Told by auto and true, where anything was told", header, lines)


def _measure(cell: Cell, *, peers: bool) -> dict[str, Any]:
    wanted, rest = cell.wanted, cell.rest
    sample, others = take(cell.X, cell.rows), take(cell.X, rest)
    reached, seconds = {}, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begun = time.process_time()
        auto = make("auto", target=cell.target, **({"kernel": cell.kernel} if cell.kernel else {}))
        auto.fit(sample, np.array(cell.labels)[cell.rows])
        ranked = auto.decision_function(others)
        reached["auto"] = average_precision(wanted[rest], ranked)
        seconds["auto"] = time.process_time() - begun
        for name, maker in peers_for(cell.group).items() if peers else ():
            begun = time.process_time()
            model = maker().fit(sample, wanted[cell.rows])
            decide = getattr(model, "decision_function", None)
            scores = decide(others) if decide else model.predict_proba(others)[:, 1]
            reached[name] = average_precision(wanted[rest], scores)
            seconds[name] = time.process_time() - begun
    quality = auto.quality_[0]
    first = rest[np.argsort(-ranked, kind="stable")[:_FIRST]]
    chances = foresee((), quality, len(rest), len(cell.rows)).chances[:_FIRST]
    return {
        "set": cell.name,
        "group": cell.group,
        "regime": cell.regime,
        "reached": reached,
        "seconds": seconds,
        "examples": quality.examples,
        "held_out": quality.held_out,
        "told": quality.average_precision,
        "low": quality.low,
        "high": quality.high,
        "true": reached["auto"],
        "chances": chances.tolist(),
        "hits": wanted[first].tolist(),
    }


def _geometric(values: list[float]) -> str:
    return f"{np.exp(np.mean(np.log(np.maximum(values, _LEAST)))):.3f}" if values else ""
