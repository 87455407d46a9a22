"""The cost of ranking: LAGO tuned, fitted and scored, beside a support vector machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from rarefind.core.arrays import FloatArray
from rarefind.detection import Lago
from rarefind_bench.measuring.clocks import Spent, spent
from rarefind_bench.scale.work.made_up import made_up

EXAMPLES = 32
"""Known examples of every class ranked for, in the study and in the stream."""

_SHARE = 0.001
"""Of all records, how many are examples when a million are ranked."""

BLOCK = 8192
"""Rows whose bare distances are computed at a time."""


def accept_rank(what: Mapping[str, Any]) -> dict[str, Any]:
    """Fit with tuning and score all, and compute the bare distances in the same process."""
    rng = np.random.default_rng(1)
    X = made_up(what).X
    rare = rng.random(len(X)) < _SHARE
    rare[0] = True
    X[rare] = X[0] + rng.normal(0.0, 0.3, size=(int(rare.sum()), X.shape[1]))
    model = Lago(target=True)
    fit = spent(lambda: model.fit(X, rare))
    score = spent(lambda: model.decision_function(X))
    bare = spent(lambda: bare_distances(X, np.asarray(model.centres_)))
    return {
        "fit": fit.as_dict(),
        "score": score.as_dict(),
        "distances": bare.as_dict(),
        "examples": int(rare.sum()),
    }


def bare_distances(X: FloatArray, centres: FloatArray) -> float:
    """Compute all distances from the centres block by block, and keep none."""
    return sum(
        float(cdist(X[start : start + BLOCK], centres)[0, 0]) for start in range(0, len(X), BLOCK)
    )


def lago(what: Mapping[str, Any]) -> dict[str, Any]:
    """Tune, fit and score LAGO for every rare class."""
    X, y = _problem(what)
    Lago().fit(X[:50], np.arange(50) % 10 == 0)  # loads what is compiled
    return _fitted_and_scored(Lago(), X, y)


def svc(what: Mapping[str, Any]) -> dict[str, Any]:
    """Fit and score scikit-learn's machine on the same."""
    from sklearn.svm import SVC

    X, y = _problem(what)
    return _fitted_and_scored(SVC(C=10.0, cache_size=500), X, y)


def _problem(what: Mapping[str, Any]) -> tuple[FloatArray, NDArray[np.int64]]:
    """Give every rare class its examples beside one record; all others are ordinary."""
    X = made_up({**what, "classes": 1}).X
    rng = np.random.default_rng(2)
    classes = int(what.get("classes", 2))
    y = np.zeros(len(X), dtype=np.int64)
    examples = max(2, min(EXAMPLES, len(X) // (4 * classes)))
    for number in range(1, classes):
        part = slice((number - 1) * examples, number * examples)
        X[part] = X[-number] + rng.normal(0.0, 0.3, size=(examples, X.shape[1]))
        y[part] = number
    return X, y


def _fitted_and_scored(model: Any, X: FloatArray, y: NDArray[np.int64]) -> dict[str, Any]:
    fit = spent(lambda: model.fit(X, y))
    score = spent(lambda: model.decision_function(X))
    both = Spent(fit.clock + score.clock, fit.processors + score.processors)
    return {"fit": fit.as_dict(), "score": score.as_dict(), "ranking": both.as_dict()}
