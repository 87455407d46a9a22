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

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "average_precision": "rarefind.core.ranking",
        "classes_found": "rarefind.evaluation.discovery",
        "hit_curve": "rarefind.evaluation.ranking",
        "labels_needed": "rarefind.evaluation.discovery",
        "precision_at": "rarefind.evaluation.ranking",
        "random_classes_found": "rarefind.evaluation.discovery",
        "random_labels_needed": "rarefind.evaluation.discovery",
    },
)

__all__ = [
    "average_precision",
    "classes_found",
    "hit_curve",
    "labels_needed",
    "precision_at",
    "random_classes_found",
    "random_labels_needed",
]
