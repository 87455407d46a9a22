"""Bringing a class home: how much of it is found after so many looks, and was the forecast true."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier

import rarefind as rf
from rarefind.core.arrays import BoolArray
from rarefind.core.names import unknown_name
from rarefind.core.progress import announce
from rarefind_bench.datasets.catalogue import open_set
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid

SETS = (
    "ann_thyroid", "celeba_bald", "covertype", "krkopt", "letter", "satellite", "unsw_nb15", "wilt",
)  # fmt: skip
"""Tables that no choice was made by."""

OTHER_SETS = (
    "page_blocks", "yeast", "mammography", "winequality", "pendigits", "abalone", "caravan",
    "shuttle", "segment", "optdigits", "nursery", "hiv_bcut",
)  # fmt: skip
"""Tables to choose by, so that the first ones can be left out of every choice."""

LOOKS = (50, 100, 200)
"""The share found is told after so many looks: what one person has time for. A choice."""

_ROUND = 10
"""Records looked at before the next ranking. A choice."""

_BEGIN = 20
"""Labels of others that a harvest begins with, beside one example."""
_FEWEST = 15
"""Records a class must have: of fewer a share says little."""
_ROWS = 2_500
"""Rows drawn of each set. A choice."""

_DRAWS = 3
"""Draws of each set, unless the plan says otherwise."""

_TREES = 100
"""Trees of the plain loop: scikit-learn's own choice."""

_EXTRA_TREES = "ExtraTrees"
"""What the plain loop is called in the table."""


def harvest(plan: Plan) -> Findings:
    """Harvest one class of every set with ``auto``, and with a plain loop beside it.

    With a budget, harvests not begun within so many seconds are left out: the same command with
    the same journal goes on from there.
    """
    known = (*SETS, *OTHER_SETS)
    for name in plan.sets:
        if name not in known:
            raise unknown_name("set to harvest", name, known)
    names, models = plan.sets or SETS, plan.strategies or ("auto",)
    models = (*models, _EXTRA_TREES) if plan.peers and _EXTRA_TREES not in models else models
    end = np.inf if plan.budget is None else time.monotonic() + plan.budget
    rows: list[dict[str, Any]] = []
    for seed in range(plan.seeds or _DRAWS):
        for place, name in enumerate(names):
            announce(f"harvest, draw {seed}, {name}", place, len(names))
            keys = {model: ["harvest", name, seed, model] for model in models}
            if time.monotonic() < end or all(key in plan.journal for key in keys.values()):
                work = partial(_harvested, name, seed)
                rows += [plan.journal.result(key, partial(work, m)) for m, key in keys.items()]
    found = Findings(
        "Bringing a class home",
        f"From one example and {_BEGIN} others, {_ROUND} looks a round, {_ROWS:,} rows of a set.",
    )
    found.grids += [shares_grid(rows, models), *forecast_grids(rows)] if rows else []
    found.data["harvests"] = rows
    return found


def _harvested(name: str, seed: int, model: str) -> dict[str, Any]:
    drawn = open_set(name).draw(seed, _ROWS)
    rng = np.random.default_rng([seed, crc32(name.encode())])
    enough = sorted(each for each in drawn.sought if drawn.sizes[each] >= _FEWEST)
    target = str(rng.permutation(enough)[0])
    wanted = np.array(drawn.labels) == target
    examples, others = (rng.permutation(np.flatnonzero(kind)) for kind in (wanted, ~wanted))
    known = [int(row) for row in (examples[0], *others[:_BEGIN])]
    play: Callable[..., list[list[float]]] = (
        _by_extra_trees if model == _EXTRA_TREES else partial(_by_harvest, model=model)
    )
    hits: list[bool] = []
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rounds = play(drawn, wanted, known, hits)
    return {
        "set": name, "seed": seed, "model": model, "class": target, "size": int(wanted.sum()),
        "found": [sum(hits[:looks]) / (int(wanted.sum()) - 1) for looks in LOOKS],
        "rounds": rounds, "seconds": time.process_time() - begun,
    }  # fmt: skip


def _by_harvest(
    drawn: LabelledSet, wanted: BoolArray, known: list[int], hits: list[bool], model: str
) -> list[list[float]]:
    """Harvest as a person would who says yes and no; return forecasts and what was true.

    Of every round: how many are left at least, at most, and in truth.
    """
    hunt = rf.Hunt(drawn.records, "random", scale=drawn.scale, background="other")
    for row in known:
        hunt.tell(row, "wanted" if wanted[row] else "other")
    harvest, rounds = hunt.harvest("wanted", model), []
    while len(hits) < LOOKS[-1]:
        looks, left = harvest.ask(_ROUND), harvest.forecast().left
        if left is not None:
            rounds.append([left.low, left.high, float(wanted.sum() - harvest.found)])
        for look in looks:
            harvest.tell(look.row, bool(wanted[look.row]))
            hits.append(bool(wanted[look.row]))
    return rounds


def _by_extra_trees(
    drawn: LabelledSet, wanted: BoolArray, known: list[int], hits: list[bool]
) -> list[list[float]]:
    """Fit trees to everything said, and look at those with the highest scores."""
    X, said = np.asarray(drawn.records), list(known)
    while len(hits) < LOOKS[-1]:
        trees = ExtraTreesClassifier(_TREES, class_weight="balanced", random_state=len(hits))
        chances = trees.fit(X[said], wanted[said]).predict_proba(X)[:, 1]
        chances[said] = -1.0
        looks = np.argsort(-chances, kind="stable")[:_ROUND]
        hits += wanted[looks].tolist()
        said += looks.tolist()
    return []


def shares_grid(rows: list[dict[str, Any]], models: tuple[str, ...]) -> Grid:
    """Show the mean share found, every set alike, and how far the first model is ahead."""
    by_set: dict[str, dict[str, Any]] = {
        model: {
            name: np.mean([r["found"] for r in rows if (r["set"], r["model"]) == (name, model)], 0)
            for name in dict.fromkeys(row["set"] for row in rows)
        }
        for model in models
    }
    lines = [
        (model, *(f"{share:.2f}" for share in np.mean(list(shares.values()), axis=0)))
        for model, shares in by_set.items()
    ]
    first = np.array(list(by_set[models[0]].values()))
    for model in models[1:]:
        apart = first - np.array(list(by_set[model].values()))
        error = apart.std(axis=0) / np.sqrt(max(len(apart) - 1, 1))
        figures = (f"{m:+.3f} ± {e:.3f}" for m, e in zip(apart.mean(axis=0), error, strict=True))
        lines.append((f"{models[0]} minus {model}, standard error over sets", *figures))
    harvests = len(rows) // len(models)
    title = f"Share of the class found, {harvests} harvests of {len(first)} sets"
    return Grid(title, ("model", *(f"after {looks} looks" for looks in LOOKS)), lines)


def forecast_grids(rows: list[dict[str, Any]]) -> list[Grid]:
    """Count the rounds in which the number left lay where the forecast said."""
    told = np.array([each for row in rows for each in row["rounds"]])
    if not len(told):
        return []
    low, high, true = told.T
    held = f"{np.mean((low <= true) & (true <= high)):.2f}"
    lines = [(str(len(told)), held, f"{np.mean(true < low):.2f}", f"{np.mean(true > high):.2f}")]
    header = ("rounds", "left within the interval", "fewer left", "more left")
    return [Grid("How many are left: was the interval right?", header, lines)]
