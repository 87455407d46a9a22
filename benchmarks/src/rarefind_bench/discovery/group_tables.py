"""Labels over those of random sampling by kind of data, and how sure a difference is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind_bench.datasets.catalogue import group_of
from rarefind_bench.datasets.families import MADE
from rarefind_bench.discovery.ratio_tables import OURS, Ratios, geometric_mean
from rarefind_bench.tables_and_charts import Findings, Grid

_REDRAWN = 4000
"""How often sets are drawn anew for an interval: its ends move by less than a hundredth."""

_LOW, _HIGH = 0.05, 0.95
"""An interval of 90 %."""

_MUCH_WORSE = 1.3
"""No set may need so many times the labels of random sampling, beyond two standard errors."""


def groups_of(names: Sequence[str]) -> dict[str, list[str]]:
    """Sort sets by what their records are; some groups are parts of others.

    >>> groups_of(["glass", "splice", "set 1"])["all real"]
    ['glass', 'splice']
    """
    kinds = {name: "synthetic" if name in MADE else group_of(name) for name in names}
    parts = {
        "tables": {"tables"},
        "texts": {"texts"},
        "strings": {"strings"},
        "graphs": {"graphs"},
        "texts, strings, graphs": {"texts", "strings", "graphs"},
        "embeddings": {"embeddings"},
        "all real": {"tables", "texts", "strings", "graphs", "embeddings"},
        "synthetic": {"synthetic"},
    }
    found = {
        title: [name for name in names if kinds[name] in members]
        for title, members in parts.items()
    }
    return {title: members for title, members in found.items() if members}


def interval(logs: FloatArray) -> tuple[float, float]:
    """Return between which ratios the geometric mean lies in 90 % when sets are drawn anew.

    >>> low, high = interval(np.log([0.5, 0.5, 0.5]))
    >>> round(low, 9), round(high, 9)
    (0.5, 0.5)
    """
    rng = np.random.default_rng(0)
    means = rng.choice(logs, size=(_REDRAWN, len(logs))).mean(axis=1)
    low, high = np.exp(np.quantile(means, [_LOW, _HIGH]))
    return float(low), float(high)


def add_group_tables(found: Findings, ratios: Ratios, shown: Sequence[str]) -> None:
    """Add what each player needed by group, auto against each of them, and where it loses."""
    groups = groups_of(list(ratios))
    rows = []
    for title, members in groups.items():
        means = [geometric_mean(ratios, members, player) for player in shown]
        cells = ("-" if mean is None else f"{mean:.3f}" for mean in means)
        rows.append((title, len(members), *cells))
    found.grids.append(Grid("By group, geometric means", ("group", "sets", *shown), rows))
    against = {player: _against(ratios, groups, player) for player in shown if player != OURS}
    title = (
        f"{OURS} ÷ each, over the sets both played: the geometric mean of the ratio of their "
        "labels, and its 90 % interval when the sets are drawn anew"
    )
    compared = [
        (player, *(_cell(row.get(group)) for group in groups)) for player, row in against.items()
    ]
    if compared:
        found.grids.append(Grid(title, ("against", *groups), compared))
    worse = _worse_than_random(ratios)
    if worse:
        title = f"Where {OURS} needs more labels than random sampling"
        header = ("set", "times random", "± two standard errors", f"beyond {_MUCH_WORSE:g}")
        found.grids.append(Grid(title, header, worse))
    found.data["groups"] = {"means": rows, "against": against}


def _against(
    ratios: Ratios, groups: dict[str, list[str]], player: str
) -> dict[str, tuple[float, float, float, int]]:
    """Return ratio, interval and number of sets by group."""
    compared = {}
    for group, members in groups.items():
        both = [ratios[name] for name in members if {OURS, player} <= ratios[name].keys()]
        if both:
            logs = np.array([np.log(row[OURS].mean() / row[player].mean()) for row in both])
            compared[group] = (float(np.exp(logs.mean())), *interval(logs), len(both))
    return compared


def _cell(compared: tuple[float, float, float, int] | None) -> str:
    if compared is None:
        return "-"
    ratio, low, high, sets = compared
    return f"{ratio:.2f} [{low:.2f}, {high:.2f}], {sets}"


def _worse_than_random(ratios: Ratios) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, row in ratios.items():
        if OURS not in row or row[OURS].mean() <= 1.0:
            continue
        mean, draws = row[OURS].mean(), len(row[OURS])
        errors = 2 * row[OURS].std(ddof=1) / np.sqrt(draws) if draws > 1 else np.nan
        beyond = "yes" if mean - errors > _MUCH_WORSE else "no"
        rows.append((name, f"{mean:.2f}", f"{errors:.2f}", beyond))
    return rows
