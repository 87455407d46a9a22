"""What the study varies: along which axis, to which sizes, and who takes part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_SETUP = (
    "rarefind auto",
    "rarefind MALICE",
    "scipy cKDTree k=10",
    "scikit-learn IsolationForest",
    "coniferest PineForest",
    "PyOD KNN",
)
"""Who sets something up before the first question."""

_QUESTION = (
    "rarefind auto",
    "rarefind MALICE",
    "coniferest PineForest",
    "scikit-activeml CoreSet",
    "scikit-activeml TypiClust",
    "scikit-activeml ProbCover",
    "scikit-activeml UncertaintySampling",
)
"""Who asks."""

_RANKING = ("rarefind LAGO", "scikit-learn SVC(C=10)")
"""Who ranks."""

_STRINGS = (
    "rarefind Spectrum(4)",
    "rarefind Spectrum(4) features",
    "rarefind GapWeighted(3)",
    "scikit-learn CountVectorizer",
)
"""Who compares strings, and counting words beside them."""

_GRAPHS = ("rarefind Weisfeiler-Lehman", "GraKeL Weisfeiler-Lehman")
"""Who compares graphs."""

MEASURES = {
    "set-up": "set-up of a hunt",
    "question": "a question, answer included",
    "ranking": "fitting with tuning and scoring all",
    "kernel": "comparing all with all",
}
"""What is measured, in words."""


@dataclass(frozen=True)
class Axis:
    """One size that grows while all others stay.

    Attributes
    ----------
    name
        What grows, as tasks call it.
    title
        What the axis is called.
    sizes, more
        The sizes, and those that come on top if there is time.
    fixed
        What stays.
    shown
        Who takes part, by measure.
    """

    name: str
    title: str
    sizes: tuple[int, ...]
    more: tuple[int, ...]
    fixed: Mapping[str, Any]
    shown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def tasks(self) -> tuple[str, ...]:
        """All that take part, each once."""
        return tuple(dict.fromkeys(task for tasks in self.shown.values() for task in tasks))


_VECTORS = {"set-up": _SETUP, "question": _QUESTION, "ranking": _RANKING}
"""What is measured along the axes of vectors."""

AXES: dict[str, tuple[Axis, ...]] = {
    "rows": (
        Axis(
            "rows",
            "records of 9 features",
            (1_000, 3_000, 10_000, 30_000, 100_000),
            (300_000, 1_000_000),
            {"dimensions": 9},
            _VECTORS,
        ),
    ),
    "dimensions": (
        Axis(
            "dimensions",
            "features of 5,000 records",
            (2, 5, 10, 20, 50, 100),
            (),
            {"rows": 5_000},
            _VECTORS,
        ),
    ),
    "classes": (
        Axis(
            "classes",
            "classes among 5,000 records of 9 features",
            (2, 5, 10, 20, 50),
            (),
            {"rows": 5_000, "dimensions": 9},
            _VECTORS,
        ),
    ),
    "kernels": (
        Axis(
            "strings",
            "strings of 60 letters",
            (100, 300, 1_000, 3_000),
            (10_000,),
            {"length": 60},
            {"kernel": _STRINGS},
        ),
        Axis(
            "length",
            "letters of each of 300 strings",
            (30, 100, 300, 1_000),
            (3_000, 10_000),
            {"strings": 300},
            {"kernel": _STRINGS},
        ),
        Axis(
            "graphs",
            "graphs of 20 nodes",
            (50, 150, 500, 1_500),
            (5_000,),
            {"nodes": 20},
            {"kernel": _GRAPHS},
        ),
        Axis(
            "nodes",
            "nodes of each of 200 graphs",
            (10, 30, 100, 300),
            (1_000,),
            {"graphs": 200},
            {"kernel": _GRAPHS},
        ),
    ),
}
"""The axes by the name of their part."""
