"""The cost of other people's tools, each used as its documentation says on standardised records.

Those that choose questions are told the answers so far at every question, as their interface wants
it: scikit-activeml's strategies compute everything again each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.features.scaling import standardized
from rarefind_bench.measuring.clocks import Spent, mean_spent, spent
from rarefind_bench.scale.work.made_up import made_up

_QUESTIONS, _SECONDS = 20, 2.0
"""Questions asked, and seconds after which no further one is."""


def isolation_forest(what: Mapping[str, Any]) -> dict[str, Any]:
    """Fit a forest and score all records."""
    from sklearn.ensemble import IsolationForest

    X, _ = _records(what)
    return {
        "set-up": spent(lambda: IsolationForest(random_state=0).fit(X).score_samples(X)).as_dict()
    }


def nearest_neighbours(what: Mapping[str, Any]) -> dict[str, Any]:
    """Fit, which scores all records by their neighbours."""
    from pyod.models.knn import KNN

    X, _ = _records(what)
    return {"set-up": spent(lambda: KNN().fit(X)).as_dict()}


def pine_forest(what: Mapping[str, Any]) -> dict[str, Any]:
    """Grow a forest, then prune it by every answer."""
    from coniferest.label import Label
    from coniferest.pineforest import PineForest

    X, classes = _records(what)
    model = PineForest(random_seed=0)
    setup = spent(lambda: model.fit(X))
    told: dict[int, Any] = {}

    def ask() -> None:
        scores = model.score_samples(X)
        scores[list(told)] = np.inf
        row = int(np.argmin(scores))
        told[row] = Label.ANOMALY if classes[row] else Label.REGULAR
        rows = np.array(list(told))
        model.fit_known(X, X[rows], np.array([told[row] for row in rows]))

    return {"set-up": setup.as_dict(), "question": _asked(ask)}


def core_set(what: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for the record farthest from those known."""
    from skactiveml.pool import CoreSet

    return _pool(what, lambda X, y: CoreSet(random_state=0).query(X, y))


def typical_clusters(what: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for the most typical record of a cluster without labels."""
    from skactiveml.pool import TypiClust

    return _pool(what, lambda X, y: TypiClust(random_state=0).query(X, y))


def probability_cover(what: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for the record whose ball covers most."""
    from skactiveml.pool import ProbCover

    return _pool(what, lambda X, y: ProbCover(random_state=0).query(X, y))


def uncertainty(what: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for the record the Parzen window classifier is least sure of."""
    from skactiveml.classifier import ParzenWindowClassifier
    from skactiveml.pool import UncertaintySampling

    _, classes = _records(what)
    model = ParzenWindowClassifier(classes=sorted({int(name) for name in classes}))
    return _pool(what, lambda X, y: UncertaintySampling(random_state=0).query(X, y, model))


def _pool(
    what: Mapping[str, Any], query: Callable[[FloatArray, FloatArray], Any]
) -> dict[str, Any]:
    """Time the questions of a strategy that is given all records and answers each time."""
    X, classes = _records(what)
    told = np.full(len(X), np.nan)
    begun = np.random.default_rng(0).choice(len(X), 10, replace=False)
    told[begun] = classes[begun]

    def ask() -> None:
        row = int(query(X, told)[0])
        told[row] = classes[row]

    return {"question": _asked(ask)}


def _asked(ask: Callable[[], None]) -> dict[str, float]:
    ask()  # the first question loads what is compiled
    begun, turns = time.perf_counter(), list[Spent]()
    while len(turns) < _QUESTIONS and (not turns or time.perf_counter() - begun < _SECONDS):
        turns.append(spent(ask))
    return mean_spent(turns).as_dict()


def _records(what: Mapping[str, Any]) -> tuple[FloatArray, IntArray]:
    drawn = made_up(what)
    return standardized(drawn.X), drawn.classes
