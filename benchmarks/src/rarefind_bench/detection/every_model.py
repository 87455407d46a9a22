"""Average precision and seconds of every detector, on rare classes of real and made-up data.

Each split halves the records at random, stratified; shown are mean and spread over splits of the
average precision on the half not seen, and processor seconds for fitting and scoring.
"""

from __future__ import annotations

import time
import warnings
from functools import partial
from typing import Any

import numpy as np

from rarefind.core.names import unknown_name
from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
from rarefind.evaluation.plots import ACCENT, FAINT
from rarefind_bench.detection.cost_of_auto import cost_of_auto
from rarefind_bench.detection.few_labels import grids, measured
from rarefind_bench.detection.problems import PROBLEMS, RankingProblem
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Chart, Findings, Grid

_QUICK, _LARGE = 2_000, 100_000
"""Training records at most, without and with ``--large``."""
_COST = "cost"
"""What fitting ``auto`` takes beside its slowest member."""
_FEW = {"few-labels": True, "few-labels-other-records": False}
"""Problems with few labels, and whether their records are tables."""


def detection(plan: Plan) -> Findings:
    """Compare all models on every problem."""
    known = (*PROBLEMS, *_FEW, _COST)
    for name in plan.sets:
        if name not in known:
            raise unknown_name("problem", name, known)
    largest = _LARGE if plan.large else _QUICK
    found = Findings(
        "Ranking for a rare class",
        "Average precision on the half not seen, mean ± spread over splits, and processor seconds. "
        f"At most {largest:,} records to learn from"
        + ("." if plan.large else "; --large takes half of each set."),
    )
    names = plan.sets or known
    for place, name in enumerate(names):
        announce(f"detection, {name}", place, len(names))
        if name == _COST:
            cost = cost_of_auto(plan)
            found.grids += cost.grids
            found.data |= cost.data
        elif name in _FEW:
            rows = measured(plan, tables=_FEW[name])
            found.grids += grids(rows) if rows else []
            found.data[name] = rows
        else:
            _compare(PROBLEMS[name](), name, plan, largest, found)
    return found


def _compare(problem: RankingProblem, name: str, plan: Plan, largest: int, found: Findings) -> None:
    played: dict[str, Any] = {}
    for model in plan.strategies or problem.models:
        if model not in problem.models:
            raise unknown_name(f"model for {name}", model, problem.models)
        splits = [
            plan.journal.result(
                ["detection", name, model, seed, largest],
                partial(_one_split, problem, model, seed, largest),
            )
            for seed in range(plan.seeds or 3)
        ]
        precision, fit, score = np.array(splits).T
        played[model] = {
            "average_precision": [float(value) for value in precision],
            "fit_seconds": float(fit.mean()),
            "score_seconds": float(score.mean()),
        }
    rows = [
        (
            model,
            f"{np.mean(row['average_precision']):.3f} ± {np.std(row['average_precision']):.3f}",
            f"{row['fit_seconds']:.2f}",
            f"{row['score_seconds']:.2f}",
        )
        for model, row in played.items()
    ]
    wanted, n = int(problem.wanted.sum()), len(problem.wanted)
    title = f"{problem.name}: {wanted:,} wanted among {n:,}{_against_best(played)}"
    found.grids.append(Grid(title, ("model", "average precision", "fit, s", "score, s"), rows))
    found.charts.append(Chart(problem.name, partial(_draw, played)))
    found.data[name] = played


def _one_split(problem: RankingProblem, name: str, seed: int, largest: int) -> list[float]:
    from sklearn.model_selection import StratifiedShuffleSplit

    rows = np.arange(len(problem.wanted))
    splitter = StratifiedShuffleSplit(
        1,
        train_size=min(len(rows) // 2, largest),
        test_size=min(len(rows) // 2, 2 * largest),
        random_state=seed,
    )
    train, test = next(splitter.split(rows, problem.wanted))
    model = problem.models[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begun = time.process_time()
        model.fit(problem.X[train], problem.wanted[train])
        fitted = time.process_time()
        scores = model.decision_function(problem.X[test])
        scored = time.process_time()
    precision = average_precision(problem.wanted[test], scores)
    return [precision, fitted - begun, scored - fitted]


def _against_best(played: dict[str, Any]) -> str:
    means = {model: float(np.mean(row["average_precision"])) for model, row in played.items()}
    singles = {model: mean for model, mean in means.items() if model != "auto"}
    if "auto" not in means or not singles:
        return ""
    best = max(singles, key=lambda model: singles[model])
    return f"; auto minus the best single model ({best}): {means['auto'] - singles[best]:+.3f}"


def _draw(played: dict[str, Any], axes: Any) -> None:
    means = [np.mean(row["average_precision"]) for row in played.values()]
    spread = [np.std(row["average_precision"]) for row in played.values()]
    colours = [ACCENT if model == "auto" else FAINT for model in played]
    axes.barh(list(played), means, xerr=spread, color=colours)
    axes.invert_yaxis()
    axes.set(xlabel="average precision", xlim=(0, 1))
