"""Rank all records for a class: LAGO, kernel machines, and the classical learners beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.detection.auto.detector import AutoDetector
    from rarefind.detection.files.reading import load
    from rarefind.detection.files.writing import save
    from rarefind.detection.kernel.fisher import KernelFisherDiscriminant
    from rarefind.detection.kernel.gram_machine import KernelMachine
    from rarefind.detection.kernel.logistic import KernelLogisticRegression
    from rarefind.detection.kernel.mkl import SimpleMKL
    from rarefind.detection.kernel.perceptron import KernelPerceptron
    from rarefind.detection.lago.estimator import Lago
    from rarefind.detection.lago.votes import Vote
    from rarefind.detection.linear.fisher import FisherDiscriminant
    from rarefind.detection.linear.logistic import LogisticML, LogisticSGD
    from rarefind.detection.linear.perceptron import Perceptron
    from rarefind.detection.models import make, registry
    from rarefind.detection.ranker import RareRanker
    from rarefind.detection.reports.facts import ModelReport
    from rarefind.detection.reports.novikoff import novikoff_bound
    from rarefind.detection.reports.of_model import report
    from rarefind.detection.reports.smallest_ball import enclosing_ball

# Members are imported when first used: some bring scikit-learn's ensembles or compiled loops.
__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "AutoDetector": "rarefind.detection.auto.detector",
        "FisherDiscriminant": "rarefind.detection.linear.fisher",
        "KernelFisherDiscriminant": "rarefind.detection.kernel.fisher",
        "KernelLogisticRegression": "rarefind.detection.kernel.logistic",
        "KernelMachine": "rarefind.detection.kernel.gram_machine",
        "KernelPerceptron": "rarefind.detection.kernel.perceptron",
        "Lago": "rarefind.detection.lago.estimator",
        "LogisticML": "rarefind.detection.linear.logistic",
        "LogisticSGD": "rarefind.detection.linear.logistic",
        "ModelReport": "rarefind.detection.reports.facts",
        "Perceptron": "rarefind.detection.linear.perceptron",
        "RareRanker": "rarefind.detection.ranker",
        "SimpleMKL": "rarefind.detection.kernel.mkl",
        "Vote": "rarefind.detection.lago.votes",
        "enclosing_ball": "rarefind.detection.reports.smallest_ball",
        "load": "rarefind.detection.files.reading",
        "make": "rarefind.detection.models",
        "novikoff_bound": "rarefind.detection.reports.novikoff",
        "registry": "rarefind.detection.models",
        "report": "rarefind.detection.reports.of_model",
        "save": "rarefind.detection.files.writing",
    },
)

__all__ = [
    "AutoDetector",
    "FisherDiscriminant",
    "KernelFisherDiscriminant",
    "KernelLogisticRegression",
    "KernelMachine",
    "KernelPerceptron",
    "Lago",
    "LogisticML",
    "LogisticSGD",
    "ModelReport",
    "Perceptron",
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
