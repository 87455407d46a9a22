"""Rank all records for a class: LAGO, kernel machines, and the classical learners beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.detection.auto import AutoDetector
    from rarefind.detection.lago import Lago
    from rarefind.detection.lago_votes import Vote
    from rarefind.detection.models import make, registry
    from rarefind.detection.ranker import RareRanker

# Members are imported when first used: some bring scikit-learn's ensembles or compiled loops.
__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "AutoDetector": "rarefind.detection.auto",
        "KernelFisherDiscriminant": "rarefind.detection.kernel_fisher",
        "KernelLogisticRegression": "rarefind.detection.kernel_logistic",
        "KernelMachine": "rarefind.detection.kernel_machine",
        "KernelPerceptron": "rarefind.detection.kernel_perceptron",
        "Lago": "rarefind.detection.lago",
        "RareRanker": "rarefind.detection.ranker",
        "SimpleMKL": "rarefind.detection.mkl",
        "Vote": "rarefind.detection.lago_votes",
        "make": "rarefind.detection.models",
        "registry": "rarefind.detection.models",
    },
)

__all__ = ["AutoDetector", "Lago", "RareRanker", "Vote", "make", "registry"]
