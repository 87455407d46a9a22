"""What a workroom computes for rankings; little of it has to be sent back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rarefind.core.arrays import Records
from rarefind.detection.auto.detector import AutoDetector
from rarefind.kernels.contract import Kernel
from rarefind.service.ranking.explaining import Explainer
from rarefind.service.ranking.fit_and_score import Ranking, fit_model, rank_records


def rank_and_explain(
    records: Records, kernel: Kernel | None, labels: Mapping[int, str], target: str, model: str
) -> tuple[Ranking, Explainer | None]:
    """Rank as ``rank_records`` does; of the model only what explains scores is returned."""
    ranking = rank_records(records, kernel, labels, target, model)
    explainer = _explainer(ranking.model, records, kernel, labels, target)
    return replace(ranking, model=None), explainer


def fit_and_explain(
    records: Records, kernel: Kernel | None, labels: Mapping[int, str], target: str, model: str
) -> Explainer | None:
    """Fit the model of a ranking again, and return what explains its scores."""
    fitted = fit_model(records, kernel, labels, target, model)
    return _explainer(fitted, records, kernel, labels, target)


def _explainer(
    model: Any, records: Records, kernel: Kernel | None, labels: Mapping[int, str], target: str
) -> Explainer | None:
    """Take a model's score apart; beside an average, whose has no parts, LAGO's instead."""
    if not isinstance(model, AutoDetector):
        return Explainer.of(model)
    beside = fit_model(records, kernel, labels, target, "lago")
    words = " in LAGO, fitted to the same labels: auto averages models whose scores have no parts"
    return Explainer.of(beside, words)
