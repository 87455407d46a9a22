"""Labels over those of random sampling: by set, on average, and where auto falls short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.evaluation.plots import ACCENT, FAINT
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.tables_and_charts import Chart, Findings, Grid

Ratios = dict[str, dict[str, FloatArray]]
"""For every set and strategy, the ratio to random sampling on each draw."""

OURS = "auto"
"""The strategy compared with every other."""

_SHORT = 1.5
"""Auto falls short where it needs more than so many times the labels of the best single one."""


def add_ratio_tables(
    found: Findings, drawn: Mapping[str, LabelledSet], ratios: Ratios, shown: Sequence[str]
) -> None:
    """Add the tables, a chart of the means, and the ratios for machines."""
    sets = [(name, len(one.labels), _sizes(one)) for name, one in drawn.items()]
    found.grids.append(Grid("The sets", ("set", "records", "sizes of the rare classes"), sets))
    rows = [
        (name, *(_cell(row, strategy) for strategy in shown), *_best(row))
        for name, row in ratios.items()
    ]
    header = ("set", *shown, "best single", f"{OURS} ÷ best")
    found.grids.append(Grid("By set", header, rows))
    short = _where_short(ratios)
    if short.rows:
        found.grids.append(short)
    found.charts.append(Chart("Geometric mean over the sets played", partial(_draw, ratios)))
    found.data |= {
        name: {strategy: values.tolist() for strategy, values in row.items()}
        for name, row in ratios.items()
    }


def geometric_mean(ratios: Ratios, members: Sequence[str], strategy: str) -> float | None:
    """Return the geometric mean over these sets; None if one of them was not played."""
    if not members or any(strategy not in ratios[name] for name in members):
        return None
    return float(np.exp(np.mean([np.log(ratios[name][strategy].mean()) for name in members])))


def best_single(row: Mapping[str, FloatArray]) -> str | None:
    """Name the strategy besides auto that needed fewest; None if there is no such comparison."""
    aside = (OURS, "random")
    singles = {
        name: float(values.mean())
        for name, values in row.items()
        if name not in aside and not name.startswith(f"{OURS},")
    }
    return min(singles, key=lambda name: singles[name]) if singles and OURS in row else None


def _sizes(drawn: LabelledSet) -> str:
    return ", ".join(str(drawn.sizes[name]) for name in drawn.sought)


def _cell(row: Mapping[str, FloatArray], strategy: str) -> str:
    return f"{row[strategy].mean():.2f}" if strategy in row else "-"


def _best(row: Mapping[str, FloatArray]) -> tuple[str, str]:
    best = best_single(row)
    if best is None:
        return "-", "-"
    return f"{best} {row[best].mean():.2f}", f"{row[OURS].mean() / row[best].mean():.2f}"


def _where_short(ratios: Ratios) -> Grid:
    rows = []
    for name, row in ratios.items():
        best = best_single(row)
        if best is None or row[OURS].mean() <= _SHORT * row[best].mean():
            continue
        apart = row[OURS] - row[best]
        error = apart.std(ddof=1) / np.sqrt(len(apart)) if len(apart) > 1 else np.nan
        times = f"{row[OURS].mean() / row[best].mean():.1f}"
        difference = f"{apart.mean():.2f} ± {error:.2f}"
        rows.append((name, _draws(row[OURS]), best, _draws(row[best]), times, difference))
    title = f"Where {OURS} needs over {_SHORT:g} times the labels of the best single strategy"
    header = ("set", f"{OURS}, by draw", "best", "best, by draw", "times", "difference ± error")
    return Grid(title, header, rows)


def _draws(values: FloatArray) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def _draw(ratios: Ratios, axes: Any) -> None:
    strategies = list(dict.fromkeys(name for row in ratios.values() for name in row))
    means = {name: geometric_mean(ratios, list(ratios), name) for name in strategies}
    shown = sorted((mean, name) for name, mean in means.items() if mean is not None)
    colours = [ACCENT if name == OURS else FAINT for _, name in shown]
    axes.barh([name for _, name in shown], [mean for mean, _ in shown], color=colours)
    axes.invert_yaxis()
    axes.set(xlabel="labels, as a share of what random sampling needs")
