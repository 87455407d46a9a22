"""What ``auto`` tells about labels that have nothing to do with the records."""

from __future__ import annotations

import time
import warnings
from functools import partial
from typing import Any

import numpy as np

from rarefind.detection import make
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Grid

_PILES = ((100, 8), (100, 20), (300, 8), (300, 30))
"""Labels, and examples among them: as few as anything is told for, and more."""
_COLUMNS = 8
"""Columns of noise: as a small table has. A choice."""

_DRAWS = 25
"""Draws of each, unless the plan says otherwise."""


def told_of_noise(plan: Plan) -> list[dict[str, Any]]:
    """Fit ``auto`` to noise, over and over; within the plan's budget of seconds."""
    end = np.inf if plan.budget is None else time.monotonic() + plan.budget
    found = []
    for seed in range(plan.seeds or _DRAWS):
        for labels, examples in _PILES:
            key = ["detection", "told of noise", labels, examples, seed]
            if key in plan.journal or time.monotonic() < end:
                found.append(plan.journal.result(key, partial(_tell, labels, examples, seed)))
    return found


def _tell(labels: int, examples: int, seed: int) -> dict[str, Any]:
    X = np.random.default_rng([seed, labels, examples]).normal(size=(labels, _COLUMNS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make("auto", target=True).fit(X, np.arange(labels) < examples)
    quality = model.quality_[0]
    return {
        "labels": labels,
        "examples": examples,
        "told": quality.average_precision,
        "held_out": quality.held_out,
        "chance": quality.chance,
    }


def noise_grid(noise: list[dict[str, Any]]) -> Grid:
    """Count the draws of noise of which a figure was told, and one above twice chance."""
    lines = []
    for labels, examples in _PILES:
        some = [one for one in noise if (one["labels"], one["examples"]) == (labels, examples)]
        told = [one for one in some if one["told"] is not None]
        above = sum(one["told"] > 2.0 * one["chance"] for one in told)
        lines.append((f"{examples} of {labels}", len(some), len(told), above))
    header = ("examples", "draws", "a figure told", "above twice chance")
    return Grid("Told of pure noise", header, lines)
