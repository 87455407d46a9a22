"""Every strategy on every labelled set, against random sampling.

Which class is ordinary is told to nobody: as in a hunt, the class told most often is taken for it.
Strategies that cannot work without the sizes of the classes are given the true ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from rarefind.bench.contest import TOLD_SIZES, Spaces
from rarefind.bench.data import is_kernel_set, open_set, set_names
from rarefind.bench.findings import Chart, Findings, Grid
from rarefind.bench.labelled import LabelledSet
from rarefind.bench.plan import Plan
from rarefind.bench.synthetic import SYNTHETIC, draw_synthetic
from rarefind.core.arrays import FloatArray
from rarefind.core.errors import NotAvailableError
from rarefind.core.progress import report
from rarefind.discovery import make_strategy, registry
from rarefind.evaluation.plots import ACCENT, FAINT
from rarefind.evaluation.simulation import simulate

ROWS = 1200
"""Rows of each set at most."""

TO_THE_END = ("auto", "random")
"""These play to the end of the budget, so that what they say about the unseen can be judged."""

_BUDGET, _DRAWS = 250, 3

Ratios = dict[str, dict[str, FloatArray]]
"""For every set and strategy, the ratio to random sampling on each draw."""


def discovery(plan: Plan) -> Findings:
    """Play every strategy on every set."""
    names = plan.sets or (*SYNTHETIC, *set_names())
    strategies = plan.strategies or tuple(name for name in registry.names() if name != "random")
    budget, draws = plan.budget or _BUDGET, plan.seeds or _DRAWS
    ratios: Ratios = {}
    for place, name in enumerate(names):
        report(f"discovery, {name}", place, len(names))
        ratios[name] = _play_set(name, strategies, budget, draws, plan)
    found = Findings(
        "Labels needed, as a share of what random sampling needs",
        f"At most {ROWS} rows of each set, {draws} draws, {budget} labels for each hunt. Labels at "
        "first sight over those of random sampling, the mean over rare classes and draws: below 1 "
        "is better than chance. A dash: the strategy needs features.",
    )
    rows = [(name, *(_cell(ratios[name], strategy) for strategy in strategies)) for name in names]
    rows += _means(ratios, names, strategies)
    found.grids.append(Grid("By set", ("set", *strategies), rows))
    found.charts.append(Chart("Geometric mean over the sets played", partial(_draw, ratios)))
    found.data = {
        name: {strategy: values.tolist() for strategy, values in row.items()}
        for name, row in ratios.items()
    }
    return found


def play(
    drawn: LabelledSet, spaces: Spaces, strategy: str, seed: int, budget: int
) -> dict[str, Any]:
    """Hunt once; what JSON can hold of it, or why the strategy cannot."""
    try:
        played = simulate(
            spaces.scaled(make_strategy(strategy).scale),
            drawn.labels,
            strategy,
            [seed],
            budget=budget,
            priors=drawn.priors if strategy in TOLD_SIZES else None,
            tell_background=False,
            spend_all=strategy in TO_THE_END,
        )
    except NotAvailableError as problem:
        return {"cannot": str(problem)}
    answer: dict[str, Any] = {
        "seen": dict(played.seen[0]),
        "seconds": round(played.seconds[0], 3),
    }
    if strategy in TO_THE_END:
        answer["told"] = [drawn.labels[row] for row in played.rows[0]]
    return answer


def ratio(
    seen: Mapping[str, int], drawn: Mapping[str, int], rare: Sequence[str], budget: int
) -> float:
    """Mean over rare classes of labels at first sight over what random sampling needs.

    A class not seen within the budget counts as the budget and what random sampling would need
    from there on.

    >>> ratio({"odd": 2}, {"even": 4, "odd": 1}, ["odd"], budget=5)
    0.6666666666666666
    """
    n = sum(drawn.values())
    allowed = min(budget, n)
    ratios = []
    for name in rare:
        size = drawn[name]
        beyond = allowed + (n - allowed + 1) / (size + 1)
        ratios.append(seen.get(name, beyond) * (size + 1) / (n + 1))
    return float(np.mean(ratios))


def _play_set(
    name: str, strategies: Sequence[str], budget: int, draws: int, plan: Plan
) -> dict[str, FloatArray]:
    source = None if name in SYNTHETIC else open_set(name)
    needed: dict[str, list[float]] = {strategy: [] for strategy in strategies}
    for seed in range(draws):
        drawn = draw_synthetic(name, seed) if source is None else source.draw(seed, ROWS)
        spaces = Spaces(drawn)
        for strategy in strategies:
            key = ["discovery", name, strategy, seed, ROWS, budget]
            played = plan.journal.result(key, partial(play, drawn, spaces, strategy, seed, budget))
            if "cannot" not in played:
                needed[strategy].append(ratio(played["seen"], drawn.sizes, drawn.rare, budget))
    # A strategy counts only where it played every draw.
    return {
        strategy: np.array(values) for strategy, values in needed.items() if len(values) == draws
    }


def _cell(row: Mapping[str, FloatArray], strategy: str) -> str:
    return f"{row[strategy].mean():.2f}" if strategy in row else "-"


def _mean(ratios: Ratios, members: Sequence[str], strategy: str) -> float | None:
    if not members or any(strategy not in ratios[name] for name in members):
        return None
    return float(np.exp(np.mean([np.log(ratios[name][strategy].mean()) for name in members])))


def _means(
    ratios: Ratios, names: Sequence[str], strategies: Sequence[str]
) -> list[tuple[str, ...]]:
    folder = [name for name in names if name not in SYNTHETIC]
    groups = {
        "vectors": [name for name in folder if not is_kernel_set(name)],
        "kernels": [name for name in folder if is_kernel_set(name)],
        "the folder": folder,
    }
    rows = []
    for title, members in groups.items():
        means = [_mean(ratios, members, strategy) for strategy in strategies]
        if any(mean is not None for mean in means):
            cells = ["-" if mean is None else f"{mean:.3f}" for mean in means]
            rows.append((f"geometric mean, {title}", *cells))
    return rows


def _draw(ratios: Ratios, axes: Any) -> None:
    strategies = list(dict.fromkeys(name for row in ratios.values() for name in row))
    means = {name: _mean(ratios, list(ratios), name) for name in strategies}
    shown = sorted((mean, name) for name, mean in means.items() if mean is not None)
    colours = [ACCENT if name == "auto" else FAINT for _, name in shown]
    axes.barh([name for _, name in shown], [mean for mean, _ in shown], color=colours)
    axes.invert_yaxis()
    axes.set(xlabel="labels, as a share of what random sampling needs")
