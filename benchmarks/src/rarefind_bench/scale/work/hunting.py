"""The cost of a hunt: set-up and questions, beside one query of ten neighbours for every record."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from rarefind.core.arrays import FloatArray
from rarefind.discovery import Hunt
from rarefind.features.scaling import standardized
from rarefind_bench.measuring.clocks import Spent, mean_spent, spent
from rarefind_bench.scale.work.made_up import made_up

QUESTIONS = 100
"""Enough for a 95th percentile that five questions lie above."""

_TREE_DIMENSIONS, _SOME = 15, 2000
"""Beyond so many dimensions a tree looks at everything: so many queries tell the time of all."""


def accept_hunt(what: Mapping[str, Any]) -> dict[str, Any]:
    """Set up, ask and tell a hundred times, and query the neighbours in the same process."""
    X = made_up(what).X
    reference = query(X)
    hunt, setup = made(lambda: Hunt(X, "auto", background=0))
    # A class comes again every seventh time.
    asking, telling = questions(hunt, lambda row, number: number % 7)
    clock = np.add([turn.clock for turn in asking], [turn.clock for turn in telling])
    return {
        "query": reference.as_dict(),
        "set-up": setup.as_dict(),
        "next": float(np.quantile(clock, 0.95)),
        "ask": float(np.quantile([turn.clock for turn in asking], 0.95)),
        "tell": float(np.quantile([turn.clock for turn in telling], 0.95)),
    }


def auto(what: Mapping[str, Any]) -> dict[str, Any]:
    """Hunt with ``auto``, told nothing but the answers."""
    drawn = made_up(what)
    return _hunted(lambda: Hunt(drawn.X, "auto", background=0), drawn.classes)


def malice(what: Mapping[str, Any]) -> dict[str, Any]:
    """Hunt with MALICE, told the true shares."""
    drawn = made_up(what)
    names, sizes = np.unique(drawn.classes, return_counts=True)
    shares: dict[Hashable, float] = {
        int(name): float(size / len(drawn.X))
        for name, size in zip(names, sizes, strict=True)
        if name
    }
    return _hunted(lambda: Hunt(drawn.X, "malice", priors=shares, background=0), drawn.classes)


def tree(what: Mapping[str, Any]) -> dict[str, Any]:
    """Query ten neighbours of every record: what a set-up is measured against."""
    return {"set-up": query(made_up(what).X).as_dict()}


def query(X: FloatArray) -> Spent:
    """Time one ``cKDTree(X).query(X, k=10)`` on all processors."""
    scaled = standardized(X)
    some = scaled if X.shape[1] <= _TREE_DIMENSIONS else scaled[:_SOME]
    took = spent(lambda: cKDTree(scaled).query(some, k=10, workers=-1))
    share = len(some) / len(scaled)
    return Spent(took.clock / share, took.processors / share)


def questions(hunt: Hunt, label: Callable[[int, int], Hashable]) -> tuple[list[Spent], list[Spent]]:
    """Ask and tell a hundred times; the seconds of every ask and of every tell."""
    asking, telling = [], []
    for number in range(min(QUESTIONS, hunt.n_records - 1)):
        asked: list[int] = []

        def ask(asked: list[int] = asked) -> None:
            asked.append(hunt.ask().row)

        asking.append(spent(ask))
        row, told = asked[0], label(asked[0], number)

        def tell(row: int = row, told: Hashable = told) -> None:
            hunt.tell(row, told)

        telling.append(spent(tell))
    return asking, telling


def _hunted(make: Callable[[], Hunt], classes: Any) -> dict[str, Any]:
    _warm_up()
    hunt, setup = made(make)
    asking, telling = questions(hunt, lambda row, number: int(classes[row]))
    a, t = mean_spent(asking), mean_spent(telling)
    question = Spent(a.clock + t.clock, a.processors + t.processors)
    return {"set-up": setup.as_dict(), "question": question.as_dict()}


def made(make: Callable[[], Hunt]) -> tuple[Hunt, Spent]:
    """Set up a hunt; return it with the seconds that took."""
    ready: list[Hunt] = []
    took = spent(lambda: ready.append(make()))
    return ready[0], took


def _warm_up() -> None:
    """Load what is compiled, so that small sizes are not measured by it."""
    hunt = Hunt(np.random.default_rng(0).normal(size=(200, 2)), "auto", background=0)
    questions(hunt, lambda row, number: number % 2)
