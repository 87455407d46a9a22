"""Rank all records for a class: LAGO, kernel machines, and the classical learners beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.detection.lago import Lago
    from rarefind.detection.lago_votes import Vote

# Members are imported when first used: some bring scikit-learn's ensembles or compiled loops.
__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "KernelFisherDiscriminant": "rarefind.detection.kernel_fisher",
        "KernelLogisticRegression": "rarefind.detection.kernel_logistic",
        "KernelMachine": "rarefind.detection.kernel_machine",
        "KernelPerceptron": "rarefind.detection.kernel_perceptron",
        "Lago": "rarefind.detection.lago",
        "SimpleMKL": "rarefind.detection.mkl",
        "Vote": "rarefind.detection.lago_votes",
    },
)

__all__ = ["Lago", "Vote"]
