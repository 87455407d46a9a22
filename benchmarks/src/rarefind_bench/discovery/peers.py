"""Other people's tools on the same draws, where they are installed.

Each is used as its documentation says, on standardised features; those that take feedback are told
only the first example of each class is interesting, which suits them best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from rarefind.core.arrays import FloatArray

Order = Callable[[FloatArray, Sequence[str], str, int], Iterator[int]]
"""Yields rows in the order the tool would show them: features, true labels, background, seed."""


class Peer(NamedTuple):
    """A tool: the package it needs, and the order in which it shows records."""

    package: str
    install: str
    order: Order


def _isolation_forest(
    X: FloatArray, labels: Sequence[str], ordinary: str, seed: int
) -> Iterator[int]:
    from sklearn.ensemble import IsolationForest

    model = IsolationForest(random_state=seed).fit(X)
    yield from np.argsort(model.score_samples(X), kind="stable").tolist()


def _nearest_neighbours(
    X: FloatArray, labels: Sequence[str], ordinary: str, seed: int
) -> Iterator[int]:
    from pyod.models.knn import KNN

    scores = KNN().fit(X).decision_scores_
    yield from np.argsort(-scores, kind="stable").tolist()


def _pine_forest(X: FloatArray, labels: Sequence[str], ordinary: str, seed: int) -> Iterator[int]:
    from coniferest.label import Label
    from coniferest.pineforest import PineForest

    model = PineForest(random_seed=seed).fit(X)
    told: dict[int, Any] = {}
    seen = {ordinary}
    while len(told) < len(X):
        scores = model.score_samples(X)
        scores[list(told)] = np.inf
        row = int(np.argmin(scores))
        yield row
        told[row] = Label.REGULAR if labels[row] in seen else Label.ANOMALY
        seen.add(labels[row])
        rows = np.array(list(told))
        model.fit_known(X, X[rows], np.array([told[row] for row in rows]))


def _core_set(X: FloatArray, labels: Sequence[str], ordinary: str, seed: int) -> Iterator[int]:
    from skactiveml.pool import CoreSet

    chooser = CoreSet(random_state=seed)
    told = np.full(len(X), np.nan)
    while np.isnan(told).any():
        row = int(chooser.query(X, told)[0])
        yield row
        told[row] = 0.0


PEERS: dict[str, Peer] = {
    "coniferest PineForest": Peer("coniferest", "coniferest", _pine_forest),
    "scikit-activeml CoreSet": Peer("skactiveml", "scikit-activeml", _core_set),
    "PyOD KNN": Peer("pyod", "pyod", _nearest_neighbours),
    "scikit-learn IsolationForest": Peer("sklearn", "scikit-learn", _isolation_forest),
}
"""Whoever can be asked for the next record in a loop, and can be installed."""


def installed_peers() -> tuple[dict[str, Peer], list[str]]:
    """Return the peers that can run here, and a note for each that cannot."""
    here, notes = {}, []
    for name, peer in PEERS.items():
        if find_spec(peer.package) is None:
            notes.append(f"{name} is left out: it is not installed (pip install {peer.install})")
        else:
            here[name] = peer
    return here, notes


def first_seen(
    peer: Peer, X: FloatArray, labels: Sequence[str], ordinary: str, seed: int, budget: int
) -> tuple[float, ...]:
    """Labels at the first sight of the 1st, 2nd, ... class besides the ordinary one."""
    rare = set(labels) - {ordinary}
    needed: dict[str, float] = {}
    for position, row in enumerate(peer.order(X, labels, ordinary, seed), start=1):
        if labels[row] in rare:
            needed.setdefault(labels[row], float(position))
        if len(needed) == len(rare) or position == budget:
            break
    return tuple(sorted(needed.get(name, np.inf) for name in rare))
