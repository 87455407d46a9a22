"""Every strategy on every labelled set, against random sampling.

Which class is ordinary is told to nobody: as in a hunt, the class told most often is taken for it.
Strategies that cannot work without the sizes of the classes are given the true ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from rarefind.core.errors import NotAvailableError
from rarefind.core.progress import announce
from rarefind.discovery import make_strategy, registry
from rarefind_bench.datasets.catalogue import open_set, set_names
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.datasets.synthetic import SYNTHETIC, draw_synthetic
from rarefind_bench.discovery.labels_needed import hunt_once
from rarefind_bench.discovery.outlook_check import add_outlook_check
from rarefind_bench.discovery.random_sampling import ratio_to_random
from rarefind_bench.discovery.ratio_tables import Ratios, add_ratio_tables
from rarefind_bench.discovery.shared_spaces import Spaces
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings

ROWS = 1200
"""Rows of each set at most."""

TO_THE_END = ("auto", "random")
"""These play to the end of the budget, so that what they say about the unseen can be judged."""

_BUDGET, _DRAWS = 250, 3
"""Labels at most and draws of each set: hours for all sets together. A choice."""

_PATIENCE = 60.0
"""A strategy that took more seconds for one hunt is not played on other draws of that set."""

Played = dict[str, Any]
"""One hunt as JSON holds it; or ``cannot`` (why not), with ``failed`` if that was an error."""


def discovery(plan: Plan) -> Findings:
    """Play every strategy on every set."""
    names = plan.sets or (*SYNTHETIC, *set_names())
    strategies = plan.strategies or tuple(registry.names())
    for strategy in strategies:
        make_strategy(strategy)  # a wrong name is said before hours of work
    budget, draws = plan.budget or _BUDGET, plan.seeds or _DRAWS
    found = Findings(
        "Labels needed, as a share of what random sampling needs",
        f"At most {ROWS} rows of each set, {draws} draws, {budget} labels for each hunt. Labels at "
        "first sight over those of random sampling, the mean over rare classes (below 5 %) and "
        "draws: below 1 is better than chance. A dash: the strategy needs features, or took too "
        "long.",
    )
    drawn: dict[str, LabelledSet] = {}
    hunts: dict[str, dict[str, list[Played]]] = {}
    for place, name in enumerate(names):
        announce(f"discovery, {name}", place, len(names))
        drawn[name], hunts[name] = _play_set(name, strategies, budget, draws, plan)
    ratios = _ratios(drawn, hunts, budget)
    shown = [name for name in strategies if name != "random"] or ["random"]
    add_ratio_tables(found, drawn, ratios, shown)
    for strategy in TO_THE_END:
        told = [
            (hunt["told"], drawn[name].sizes)
            for name in names
            for hunt in hunts[name].get(strategy, [])
            if "told" in hunt
        ]
        add_outlook_check(found, strategy, told)
    found.notes += _failures(hunts)
    return found


def play(
    drawn: LabelledSet, spaces: Spaces, strategy: str, seed: int, budget: int
) -> dict[str, Any]:
    """Hunt once; what JSON can hold of it, or why the strategy cannot."""
    try:
        played = hunt_once(
            drawn,
            spaces,
            strategy,
            seed,
            budget,
            tell_background=False,
            spend_all=strategy in TO_THE_END,
        )
    except NotAvailableError as problem:
        return {"cannot": str(problem)}
    answer: Played = {
        "seen": dict(played.seen[0]),
        "seconds": round(played.seconds[0], 3),
    }
    if strategy in TO_THE_END:
        answer["told"] = [drawn.labels[row] for row in played.rows[0]]
    return answer


def _play_set(
    name: str, strategies: Sequence[str], budget: int, draws: int, plan: Plan
) -> tuple[LabelledSet, dict[str, list[Played]]]:
    """Play all draws of a set; return the last of them, which has the sizes of all."""
    source = None if name in SYNTHETIC else open_set(name)
    hunts: dict[str, list[Played]] = {strategy: [] for strategy in strategies}
    for seed in range(draws):
        drawn = draw_synthetic(name, seed) if source is None else source.draw(seed, ROWS)
        spaces = Spaces(drawn)
        for strategy, played in hunts.items():
            if played and played[-1].get("seconds", 0.0) > _PATIENCE:
                played.append({"cannot": f"over {_PATIENCE:g} seconds for one hunt"})
                continue
            key = ["discovery", name, strategy, seed, ROWS, budget]
            work = partial(play, drawn, spaces, strategy, seed, budget)
            try:
                played.append(plan.journal.result(key, work))
            except Exception as problem:  # listed in the end: what took hours must not be lost
                played.append({"cannot": str(problem), "failed": type(problem).__name__})
    return drawn, hunts


def _ratios(
    drawn: dict[str, LabelledSet], hunts: dict[str, dict[str, list[Played]]], budget: int
) -> Ratios:
    """Compare with random sampling; a strategy counts only where it played every draw."""
    return {
        name: {
            strategy: np.array(
                [
                    ratio_to_random(hunt["seen"], drawn[name].sizes, drawn[name].rare, budget)
                    for hunt in played
                ]
            )
            for strategy, played in row.items()
            if all("seen" in hunt for hunt in played)
        }
        for name, row in hunts.items()
    }


def _failures(hunts: dict[str, dict[str, list[Played]]]) -> list[str]:
    return [
        f"{name}, draw {seed}, {strategy} failed with {hunt['failed']}: {hunt['cannot']}"
        for name, row in hunts.items()
        for strategy, played in row.items()
        for seed, hunt in enumerate(played)
        if "failed" in hunt
    ]
