"""Rank all records for a class: LAGO, kernel machines, and the classical learners beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.detection.auto import AutoDetector
    from rarefind.detection.enclosing_ball import enclosing_ball
    from rarefind.detection.files.reading import load
    from rarefind.detection.files.writing import save
    from rarefind.detection.kernel_fisher import KernelFisherDiscriminant
    from rarefind.detection.kernel_logistic import KernelLogisticRegression
    from rarefind.detection.kernel_machine import KernelMachine
    from rarefind.detection.kernel_perceptron import KernelPerceptron
    from rarefind.detection.lago import Lago
    from rarefind.detection.lago_votes import Vote
    from rarefind.detection.mkl import SimpleMKL
    from rarefind.detection.model_facts import ModelReport
    from rarefind.detection.model_report import report
    from rarefind.detection.models import make, registry
    from rarefind.detection.novikoff import novikoff_bound
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
        "ModelReport": "rarefind.detection.model_facts",
        "RareRanker": "rarefind.detection.ranker",
        "SimpleMKL": "rarefind.detection.mkl",
        "Vote": "rarefind.detection.lago_votes",
        "enclosing_ball": "rarefind.detection.enclosing_ball",
        "load": "rarefind.detection.files.reading",
        "make": "rarefind.detection.models",
        "novikoff_bound": "rarefind.detection.novikoff",
        "registry": "rarefind.detection.models",
        "report": "rarefind.detection.model_report",
        "save": "rarefind.detection.files.writing",
    },
)

__all__ = [
    "AutoDetector",
    "KernelFisherDiscriminant",
    "KernelLogisticRegression",
    "KernelMachine",
    "KernelPerceptron",
    "Lago",
    "ModelReport",
    "RareRanker",
    "SimpleMKL",
    "Vote",
    "enclosing_ball",
    "load",
    "make",
    "novikoff_bound",
    "registry",
    "report",
    "save",
]
