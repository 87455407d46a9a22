"""Ranking from a handful of labels: ``auto`` beside single models and installed peers."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
from rarefind.detection import make
from rarefind_bench.detection.few_label_cells import REGIMES, SETS, Cell, cells
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Grid

_LEAST = 1e-3
"""Average precisions below count as this much in geometric means."""


def measured(plan: Plan) -> list[dict[str, Any]]:
    """Measure every cell: average precision of every model, and what ``auto`` told."""
    rows = []
    for place, name in enumerate(SETS):
        announce(f"few labels, {name}", place, len(SETS))
        for seed in range(plan.seeds or 2):
            for cell in cells(name, seed, REGIMES, plan):
                key = ["detection", "few labels", name, seed, cell.regime, sorted(_models())]
                rows.append(plan.journal.result(key, partial(_measure, cell)))
    return rows


def grids(rows: list[dict[str, Any]]) -> list[Grid]:
    """Show geometric means, and what was told against what was true."""
    models = sorted({model for row in rows for model in row["reached"]})
    means = []
    for model in models:
        by_regime = [
            [row["reached"][model] for row in rows if row["regime"] == regime] for regime in REGIMES
        ]
        means.append((model, *(_geometric(values) for values in by_regime)))
    sizes = [str(sum(row["regime"] == regime for row in rows)) for regime in REGIMES]
    means.append(("problems", *sizes))
    told = [row for row in rows if row["told"] is not None]
    lines = []
    for regime in REGIMES[:4]:
        some = [row for row in told if row["regime"] == regime]
        if some:
            said, true = ([row[key] for row in some] for key in ("told", "true"))
            inside = np.mean([row["low"] <= row["true"] <= row["high"] for row in some])
            figures = (np.mean(said), np.mean(true), np.mean(np.abs(np.subtract(said, true))))
            lines.append((regime, str(len(some)), *(f"{v:.3f}" for v in figures), f"{inside:.2f}"))
    return [
        Grid("Few labels: geometric mean of average precision", ("model", *REGIMES), means),
        Grid(
            "Told by auto and true, where anything was told",
            ("labels", "told", "mean told", "mean true", "mean distance", "in interval"),
            lines,
        ),
    ]


def _measure(cell: Cell) -> dict[str, Any]:
    wanted, rest = cell.wanted, cell.rest
    found: dict[str, Any] = {"set": cell.name, "regime": cell.regime, "reached": {}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        auto = make("auto", target=cell.target)
        auto.fit(cell.X[cell.rows], np.array(cell.labels)[cell.rows])
        scores = {"auto": auto.decision_function(cell.X[rest])}
        for name, maker in _models().items():
            model = maker().fit(cell.X[cell.rows], wanted[cell.rows])
            decide = getattr(model, "decision_function", None)
            scores[name] = (
                decide(cell.X[rest]) if decide else model.predict_proba(cell.X[rest])[:, 1]
            )
    for name, values in scores.items():
        found["reached"][name] = average_precision(wanted[rest], values)
    quality = auto.quality_[0]
    return {
        **found,
        "examples": quality.examples,
        "held_out": quality.held_out,
        "told": quality.average_precision,
        "low": quality.low,
        "high": quality.high,
        "true": found["reached"]["auto"],
    }


def _models() -> dict[str, Callable[[], Any]]:
    """List single models, and other people's where they are installed."""
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

    found: dict[str, Callable[[], Any]] = {
        "ExtraTrees": partial(ExtraTreesClassifier, 300, class_weight="balanced", random_state=0),
        "RandomForest": partial(
            RandomForestClassifier, 300, class_weight="balanced", random_state=0
        ),
        **{name: partial(make, name, target=True) for name in ("svm", "logistic", "lago-density")},
    }
    if find_spec("catboost"):
        from catboost import CatBoostClassifier

        quiet = {"verbose": 0, "thread_count": 1, "allow_writing_files": False, "random_seed": 0}
        found["CatBoost"] = partial(CatBoostClassifier, iterations=500, **quiet)
    if find_spec("lightgbm"):
        from lightgbm import LGBMClassifier

        found["LightGBM"] = partial(
            LGBMClassifier, min_child_samples=3, n_jobs=1, random_state=0, verbose=-1
        )
    if find_spec("xgboost"):
        from xgboost import XGBClassifier

        found["XGBoost"] = partial(XGBClassifier, n_jobs=1, random_state=0)
    return found


def _geometric(values: list[float]) -> str:
    return f"{np.exp(np.mean(np.log(np.maximum(values, _LEAST)))):.3f}" if values else ""
