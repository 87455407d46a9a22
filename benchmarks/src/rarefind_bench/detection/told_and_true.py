"""What is told about a ranking against what is true, and ``calibration.json`` worked out again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import betaln

from rarefind.detection.auto.quality import COVERED, calibrated, told_and_sure
from rarefind.evaluation.plots import ACCENT, FAINT
from rarefind_bench.detection.few_labels import measured, told_grid
from rarefind_bench.detection.told_of_noise import noise_grid, told_of_noise
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Chart, Findings, Grid

_NAMES = ("centre", "examples", "spread", "growth")
"""What the correction is made of, in the order of its numbers."""

_BINS = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Chances that are said are compared with what is true between these."""

_BEGIN = (-0.2, float(np.log(10.0)), 0.0, 0.5)
"""Where the search for the likeliest numbers begins: examples and spread as logarithms."""

_PARTS = np.linspace(1.0, 0.3, 15)
"""Parts of the sureness tried, down to intervals that say hardly anything."""

_FAR = 20.0
"""Logarithms that the search strays beyond say nothing more, and their powers would overflow."""

Row = Mapping[str, Any]


def quality(plan: Plan) -> Findings:
    """Measure problems with few labels, fit what quality.py reads to them, and try it on noise.

    Every figure shown is told with what was learnt from the other sets.
    """
    rows = measured(replace(plan, peers=False))
    noise = told_of_noise(plan)
    learnt = learn(rows)
    told = left_out_in_turn(rows)
    found = Findings(
        "What is told about a ranking, and what is true",
        "Each set is judged by what was learnt from the others. "
        "For src/rarefind/detection/auto/calibration.json: "
        + json.dumps({name: round(value, 3) for name, value in learnt.items()}),
    )
    found.grids += [told_grid(told), difference_grid(told), chances_grid(rows), noise_grid(noise)]
    found.charts.append(Chart("Average precision told and true", partial(draw_told, told)))
    found.data |= {"calibration": learnt, "told": told, "noise": noise}
    return found


def learn(rows: Sequence[Row]) -> dict[str, float]:
    """Fit the middle, how many examples weigh as much as it, and how certain figures are.

    Only problems where something is told count, and every set alike. The likelihood is that of a
    beta distribution of true figures around the one told. Sets not learnt from lie further off than
    it says, so intervals are as wide as it takes to hold nine of ten figures of sets left out.
    """
    used = [row for row in rows if row["told"] is not None]
    learnt = _likeliest(used, _BEGIN)
    return {**learnt, "spread": learnt["spread"] * _as_sure_as_it_holds(used, learnt)}


def _likeliest(used: Sequence[Row], begin: Sequence[float]) -> dict[str, float]:
    weights = _each_set_alike(used)
    held_out, examples, true = (
        np.array([row[key] for row in used], dtype=float)
        for key in ("held_out", "examples", "true")
    )
    true = np.clip(true, 0.005, 0.995)

    def unlikeliness(values: Sequence[float]) -> float:
        told, sureness = told_and_sure(held_out, examples, _named(values))
        of, against = told * sureness, (1.0 - told) * sureness
        terms = (of - 1.0) * np.log(true) + (against - 1.0) * np.log1p(-true) - betaln(of, against)
        return -float(np.sum(weights * terms))

    best = minimize(unlikeliness, begin, method="Nelder-Mead", options={"maxiter": 4000}).x
    return _named(best)


def _as_sure_as_it_holds(used: Sequence[Row], learnt: Mapping[str, float]) -> float:
    """Return the part of the sureness that is left when intervals hold in sets left out."""
    begin = (learnt["centre"], *np.log([learnt["examples"], learnt["spread"]]), learnt["growth"])
    names = _sets(used)
    from_others = {
        name: _likeliest([row for row in used if row["set"] != name], begin)
        for name in (names if len(names) > 1 else ())
    }
    for part in _PARTS if from_others else ():
        held = []
        for row in used:
            numbers = from_others[row["set"]]
            numbers = {**numbers, "spread": part * numbers["spread"]}
            _, low, high = calibrated(row["held_out"], row["examples"], numbers)
            held.append(low <= row["true"] <= high)
        if np.average(held, weights=_each_set_alike(used)) >= COVERED:
            return float(part)
    return 1.0


def left_out_in_turn(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Tell every figure again, for each set with what was learnt from the others."""
    told = [row for row in rows if row["told"] is not None]
    found = []
    for name in dict.fromkeys(row["set"] for row in told):
        learnt = learn([row for row in told if row["set"] != name])
        for row in told:
            if row["set"] == name:
                figures = calibrated(row["held_out"], row["examples"], learnt)
                found.append({**row, **dict(zip(("told", "low", "high"), figures, strict=True))})
    return found


def difference_grid(told: Sequence[Row]) -> Grid:
    """Show told minus true and how often intervals hold, problems and sets counting alike."""
    apart = np.array([row["told"] - row["true"] for row in told])
    inside = np.array([row["low"] <= row["true"] <= row["high"] for row in told])
    counted = {"every problem alike": np.ones(len(told)), "every set alike": _each_set_alike(told)}
    lines = []
    for name, weights in counted.items() if told else ():
        mean, held = (np.average(values, weights=weights) for values in (apart, inside))
        sets = [np.mean(apart[[row["set"] == each for row in told]]) for each in _sets(told)]
        error = np.std(sets) / np.sqrt(max(len(sets) - 1, 1))
        lines.append((name, f"{mean:+.3f}", f"{error:.3f}", f"{held:.2f}"))
    return Grid(
        "Told minus true, and the share of intervals that hold the truth",
        ("counted", "told minus true", "standard error over sets", "in interval"),
        lines,
    )


def chances_grid(rows: Sequence[Row], regime: str = "hunt 100") -> Grid:
    """Show the chances said of the first ten records after hunts, and how many were right."""
    some = [row for row in rows if row["regime"] == regime]
    said = np.array([chance for row in some for chance in row["chances"]])
    true = np.array([hit for row in some for hit in row["hits"]], dtype=float)
    lines, error = [], 0.0
    for low, high in pairwise(_BINS):
        here = (said >= low) & ((said < high) | (high == _BINS[-1]))
        if here.any():
            means = said[here].mean(), true[here].mean()
            error += abs(means[0] - means[1]) * here.mean()
            lines.append((f"{low:g} to {high:g}", str(here.sum()), *(f"{v:.2f}" for v in means)))
    title = f"Chances of the first ten, {regime} labels: expected calibration error {error:.3f}"
    return Grid(title, ("said", "records", "mean said", "true"), lines)


def draw_told(told: Sequence[Row], axes: Any) -> None:
    """Draw every figure told with its interval, over the true one."""
    true, middle, low, high = (
        np.array([row[key] for row in told]) for key in ("true", "told", "low", "high")
    )
    axes.plot([0, 1], [0, 1], color=FAINT, linewidth=1)
    axes.errorbar(
        true, middle, np.array([middle - low, high - middle]),
        fmt="o", color=ACCENT, ecolor=FAINT, elinewidth=0.8, markersize=4,
    )  # fmt: skip
    axes.set(
        xlim=(0, 1), ylim=(0, 1), xlabel="true average precision", ylabel="told, 90 % interval"
    )


def _sets(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row["set"] for row in rows))


def _each_set_alike(rows: Sequence[Row]) -> Any:
    sets = [row["set"] for row in rows]
    return np.array([1.0 / sets.count(name) for name in sets])


def _named(values: Sequence[float]) -> dict[str, float]:
    centre, examples, spread, growth = values
    examples, spread = np.exp(np.clip((examples, spread), -_FAR, _FAR))
    numbers = (centre, examples, spread, growth)
    return {name: float(value) for name, value in zip(_NAMES, numbers, strict=True)}
