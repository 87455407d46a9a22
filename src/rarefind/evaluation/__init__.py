"""How well did it go: discovery curves, rankings, plots and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.core.precision import average_precision
    from rarefind.evaluation.bands import Band, discovery_band, labels_to_classes
    from rarefind.evaluation.comparison import PairedComparison, compare_paired
    from rarefind.evaluation.hit_curves import hit_curve, partial_area, precision_at
    from rarefind.evaluation.label_counts import (
        classes_found,
        labels_needed,
        random_classes_found,
        random_labels_needed,
    )
    from rarefind.evaluation.simulation import Simulation, geometric_mean_ratio, simulate

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Band": "rarefind.evaluation.bands",
        "PairedComparison": "rarefind.evaluation.comparison",
        "Simulation": "rarefind.evaluation.simulation",
        "average_precision": "rarefind.core.precision",
        "classes_found": "rarefind.evaluation.label_counts",
        "compare_paired": "rarefind.evaluation.comparison",
        "discovery_band": "rarefind.evaluation.bands",
        "geometric_mean_ratio": "rarefind.evaluation.simulation",
        "hit_curve": "rarefind.evaluation.hit_curves",
        "labels_needed": "rarefind.evaluation.label_counts",
        "labels_to_classes": "rarefind.evaluation.bands",
        "partial_area": "rarefind.evaluation.hit_curves",
        "precision_at": "rarefind.evaluation.hit_curves",
        "random_classes_found": "rarefind.evaluation.label_counts",
        "random_labels_needed": "rarefind.evaluation.label_counts",
        "simulate": "rarefind.evaluation.simulation",
    },
)

__all__ = [
    "Band",
    "PairedComparison",
    "Simulation",
    "average_precision",
    "classes_found",
    "compare_paired",
    "discovery_band",
    "geometric_mean_ratio",
    "hit_curve",
    "labels_needed",
    "labels_to_classes",
    "partial_area",
    "precision_at",
    "random_classes_found",
    "random_labels_needed",
    "simulate",
]
