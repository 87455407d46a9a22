"""What can be measured, ours and other people's, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

Work = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Does the work on data of the size it is told, and returns what it measured."""


class Task(NamedTuple):
    """Where the work is, and the package it needs besides ours."""

    where: str
    package: str = "rarefind"
    install: str = ""

    def function(self) -> Work:
        """Return the function that does the work."""
        module, _, name = self.where.partition(":")
        work: Work = getattr(import_module(f"rarefind_bench.{module}"), name)
        return work


_ACTIVE, _LEARN = ("skactiveml", "scikit-activeml"), ("sklearn", "scikit-learn")
"""The module and the distribution of packages whose names differ."""

TASKS: dict[str, Task] = {
    "accept hunt": Task("scale.work.hunting:accept_hunt"),
    "accept rank": Task("scale.work.ranking:accept_rank"),
    "accept stream": Task("scale.work.streaming:accept_stream"),
    "hunt in a data set": Task("discovery.cost:hunt_in_set"),
    "rarefind auto": Task("scale.work.hunting:auto"),
    "rarefind MALICE": Task("scale.work.hunting:malice"),
    "rarefind LAGO": Task("scale.work.ranking:lago"),
    "rarefind Spectrum(4)": Task("scale.work.kernels:spectrum"),
    "rarefind Spectrum(4) features": Task("scale.work.kernels:spectrum_features"),
    "rarefind GapWeighted(3)": Task("scale.work.kernels:gap_weighted"),
    "rarefind Weisfeiler-Lehman": Task("scale.work.kernels:weisfeiler_lehman"),
    "scipy cKDTree k=10": Task("scale.work.hunting:tree", "scipy", "scipy"),
    "scikit-learn IsolationForest": Task("scale.work.rivals:isolation_forest", *_LEARN),
    "scikit-learn SVC(C=10)": Task("scale.work.ranking:svc", *_LEARN),
    "scikit-learn CountVectorizer": Task("scale.work.kernels:count_vectorizer", *_LEARN),
    "scikit-activeml CoreSet": Task("scale.work.rivals:core_set", *_ACTIVE),
    "scikit-activeml TypiClust": Task("scale.work.rivals:typical_clusters", *_ACTIVE),
    "scikit-activeml ProbCover": Task("scale.work.rivals:probability_cover", *_ACTIVE),
    "scikit-activeml UncertaintySampling": Task("scale.work.rivals:uncertainty", *_ACTIVE),
    "coniferest PineForest": Task("scale.work.rivals:pine_forest", "coniferest", "coniferest"),
    "PyOD KNN": Task("scale.work.rivals:nearest_neighbours", "pyod", "pyod"),
    "GraKeL Weisfeiler-Lehman": Task("scale.work.kernels:grakel", "grakel", "grakel"),
}
"""Each runs in a process of its own, which finds it by name."""


def missing(task: str) -> str | None:
    """Say why a task cannot run here; None if it can."""
    needs = TASKS[task]
    if find_spec(needs.package) is not None:
        return None
    return f"{task} is left out: it is not installed (pip install {needs.install})"


def is_ours(task: str) -> bool:
    """Whether a task is ours."""
    return TASKS[task].package == "rarefind"
