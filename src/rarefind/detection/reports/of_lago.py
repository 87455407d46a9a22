"""What can be said about a fitted LAGO: settings, reach, and whose votes count."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, Records, take
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.lago.profiles import profile_name
from rarefind.detection.reports.facts import Fact

_MOST_EXAMPLES = 20
"""Examples listed in a report: as many as a person reads."""


def lago_sections(model: Lago, X: Records | None = None) -> dict[str, list[Fact]]:
    """Collect the facts, class by class."""
    sections = {
        "training": [
            Fact("classes", ", ".join(map(str, model.classes_.tolist()))),
            Fact("ranked for", ", ".join(map(str, model.targets_.tolist()))),
            Fact("background", str(model.background_class_)),
            Fact("geometry", model.geometry),
            Fact("kernel", None if model.kernel_ is None else repr(model.kernel_)),
            Fact("profile", profile_name(model.profile, model.geometry)),
        ]
    }
    several = len(model.targets_) > 1
    for column, name in enumerate(model.targets_.tolist()):
        of = f" of {name}" if several else ""
        mine = np.flatnonzero(model.centre_targets_ == column)
        sections["settings" + of] = _settings(model, column, len(mine))
        widths = model.alpha_[column] * model.radii_[mine]
        sections["bandwidths" + of] = _bandwidths(widths, model.centre_rows_[mine])
        if X is not None:
            sections["votes" + of] = _votes(model, column, X)
    return sections


def _settings(model: Lago, column: int, known: int) -> list[Fact]:
    precision = float(model.average_precision_[column])
    alone = math.isnan(precision)
    note = "one known example cannot be left out" if alone else "each example judged by the others"
    return [
        Fact("known examples", known),
        Fact("alpha, width of a vote in radii", float(model.alpha_[column]), _how(model.alpha)),
        Fact("K, neighbours", int(model.n_neighbors_[column]), _how(model.n_neighbors)),
        Fact("share of the local density", float(model.density_share_[column])),
        Fact("power of the local density", float(model.density_power_[column])),
        Fact("leave-one-out average precision", None if alone else precision, note),
        Fact("settings tried", len(model.trials_[column])),
    ]


def _how(setting: Any) -> str:
    return "tuned" if setting == "auto" else "given"


def _bandwidths(widths: FloatArray, rows: Any) -> list[Fact]:
    """Tell how far the examples reach; of several widths an example has, the geometric mean."""
    flat = widths if widths.ndim == 1 else np.exp(np.log(widths).mean(axis=1))
    order = np.argsort(-flat, kind="stable")
    facts = [
        Fact("smallest", float(flat.min())),
        Fact("median", float(np.median(flat))),
        Fact("largest", float(flat.max())),
    ]
    return facts + [
        Fact(f"record {rows[place]}", float(flat[place]), "reaches furthest" if i == 0 else "")
        for i, place in enumerate(order[:_MOST_EXAMPLES])
    ]


def _votes(model: Lago, column: int, X: Records) -> list[Fact]:
    """Mean share of each example in the scores of as many top records as there are examples."""
    scores = np.asarray(model.decision_function(X), dtype=np.float64)
    if scores.ndim == 2:
        name = model.targets_[column]
        places = model.targets_ if scores.shape[1] == len(model.targets_) else model.classes_
        scores = scores[:, places.tolist().index(name)]
    rows = model.centre_rows_[model.centre_targets_ == column]
    top = np.argsort(-scores, kind="stable")[: len(rows)]
    shares = dict.fromkeys(rows.tolist(), 0.0)
    target = model.targets_.tolist()[column]
    for place in top[:_MOST_EXAMPLES]:
        one = take(X, slice(int(place), int(place) + 1))
        record = one if hasattr(one, "shape") else one[0]
        for vote in model.explain(record, target=target):
            shares[vote.row] += vote.share / min(len(top), _MOST_EXAMPLES)
    ranked = sorted(shares.items(), key=lambda item: -item[1])[:_MOST_EXAMPLES]
    note = f"share of the votes for the {min(len(top), _MOST_EXAMPLES)} records at the top"
    return [
        Fact("records above the cut", int((scores > 0).sum()), f"of {len(scores)}"),
        *(
            Fact(f"record {row}", share, note if i == 0 else "")
            for i, (row, share) in enumerate(ranked)
        ),
    ]
