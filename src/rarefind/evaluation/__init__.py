"""How well did it go: discovery curves, rankings, plots and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.core.ranking import average_precision
    from rarefind.evaluation.discovery import (
        classes_found,
        labels_needed,
        random_classes_found,
        random_labels_needed,
    )
    from rarefind.evaluation.ranking import hit_curve, precision_at
    from rarefind.evaluation.simulation import Simulation, geometric_mean_ratio, simulate

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Simulation": "rarefind.evaluation.simulation",
        "average_precision": "rarefind.core.ranking",
        "classes_found": "rarefind.evaluation.discovery",
        "geometric_mean_ratio": "rarefind.evaluation.simulation",
        "hit_curve": "rarefind.evaluation.ranking",
        "labels_needed": "rarefind.evaluation.discovery",
        "precision_at": "rarefind.evaluation.ranking",
        "random_classes_found": "rarefind.evaluation.discovery",
        "random_labels_needed": "rarefind.evaluation.discovery",
        "simulate": "rarefind.evaluation.simulation",
    },
)

__all__ = [
    "Simulation",
    "average_precision",
    "classes_found",
    "geometric_mean_ratio",
    "hit_curve",
    "labels_needed",
    "precision_at",
    "random_classes_found",
    "random_labels_needed",
    "simulate",
]
