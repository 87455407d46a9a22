"""Learning how far a held-out figure can be trusted, across sets: ``calibration.json`` again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.stats import beta

from rarefind.detection.auto.quality import calibrated
from rarefind_bench.detection.few_labels import grids, measured
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings

_NAMES = ("centre", "examples", "spread", "growth")


def quality(plan: Plan) -> Findings:
    """Measure problems with few labels, and fit what quality.py reads to them."""
    rows = measured(plan)
    learnt = learn(rows)
    found = Findings(
        "What is told about a ranking, and what is true",
        "For src/rarefind/detection/auto/calibration.json: "
        + json.dumps({name: round(value, 3) for name, value in learnt.items()}),
    )
    found.grids += grids(rows)[1:]
    found.data["calibration"] = learnt
    return found


def learn(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Fit the middle, how many examples weigh as much as it, and how certain figures are.

    Only problems where something is told count, and every set alike. The likelihood is that of a
    beta distribution of true figures around the one told.
    """
    used = [row for row in rows if row["told"] is not None]
    sets = [row["set"] for row in used]
    weights = np.array([1.0 / sets.count(name) for name in sets])
    true = np.clip([row["true"] for row in used], 0.005, 0.995)

    def unlikeliness(values: Sequence[float]) -> float:
        told, sureness = _said(used, values)
        terms = beta.logpdf(true, told * sureness, (1.0 - told) * sureness)
        return -float(np.sum(weights * terms))

    begin = (-0.2, np.log(10.0), 0.0, 0.5)
    best = minimize(unlikeliness, begin, method="Nelder-Mead", options={"maxiter": 4000}).x
    return _named(best)


def _named(values: Sequence[float]) -> dict[str, float]:
    centre, examples, spread, growth = values
    numbers = (centre, np.exp(examples), np.exp(spread), growth)
    return {name: float(value) for name, value in zip(_NAMES, numbers, strict=True)}


def _said(rows: Sequence[Mapping[str, Any]], values: Sequence[float]) -> tuple[Any, Any]:
    learnt = _named(values)
    examples = np.array([row["examples"] for row in rows], dtype=np.float64)
    told = [calibrated(row["held_out"], row["examples"], learnt)[0] for row in rows]
    return np.array(told), learnt["spread"] * examples ** learnt["growth"]
