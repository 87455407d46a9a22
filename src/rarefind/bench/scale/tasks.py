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
        work: Work = getattr(import_module(f"rarefind.bench.scale.{module}"), name)
        return work


_ACTIVE = ("skactiveml", "scikit-activeml")

TASKS: dict[str, Task] = {
    "accept hunt": Task("hunting:accept_hunt"),
    "accept rank": Task("ranking:accept_rank"),
    "accept stream": Task("streaming:accept_stream"),
    "rarefind auto": Task("hunting:auto"),
    "rarefind MALICE": Task("hunting:malice"),
    "rarefind LAGO": Task("ranking:lago"),
    "rarefind Spectrum(4)": Task("kernels:spectrum"),
    "rarefind Spectrum(4) features": Task("kernels:spectrum_features"),
    "rarefind GapWeighted(3)": Task("kernels:gap_weighted"),
    "rarefind Weisfeiler-Lehman": Task("kernels:weisfeiler_lehman"),
    "scipy cKDTree k=10": Task("hunting:tree", "scipy", "scipy"),
    "scikit-learn IsolationForest": Task("rivals:isolation_forest", "sklearn", "scikit-learn"),
    "scikit-learn SVC(C=10)": Task("ranking:svc", "sklearn", "scikit-learn"),
    "scikit-learn CountVectorizer": Task("kernels:count_vectorizer", "sklearn", "scikit-learn"),
    "scikit-activeml CoreSet": Task("rivals:core_set", *_ACTIVE),
    "scikit-activeml TypiClust": Task("rivals:typical_clusters", *_ACTIVE),
    "scikit-activeml ProbCover": Task("rivals:probability_cover", *_ACTIVE),
    "scikit-activeml UncertaintySampling": Task("rivals:uncertainty", *_ACTIVE),
    "coniferest PineForest": Task("rivals:pine_forest", "coniferest", "coniferest"),
    "PyOD KNN": Task("rivals:nearest_neighbours", "pyod", "pyod"),
    "GraKeL Weisfeiler-Lehman": Task("kernels:grakel", "grakel", "grakel"),
}


def missing(task: str) -> str | None:
    """Say why a task cannot run here; None if it can."""
    needs = TASKS[task]
    if find_spec(needs.package) is not None:
        return None
    return f"{task} is left out: it is not installed (pip install {needs.install})"


def is_ours(task: str) -> bool:
    """Whether a task is ours."""
    return TASKS[task].package == "rarefind"
