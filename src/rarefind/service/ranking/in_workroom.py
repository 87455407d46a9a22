"""What a workroom computes for rankings; little of it has to be sent back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rarefind.core.arrays import Records
from rarefind.kernels.contract import Kernel
from rarefind.service.ranking.explaining import Explainer
from rarefind.service.ranking.fit_and_score import Ranking, fit_model, rank_records


def rank_and_explain(
    records: Records, kernel: Kernel | None, labels: Mapping[int, str], target: str, model: str
) -> tuple[Ranking, Explainer | None]:
    """Rank as ``rank_records`` does; of the model only what explains scores is returned."""
    ranking = rank_records(records, kernel, labels, target, model)
    return replace(ranking, model=None), Explainer.of(ranking.model)


def fit_and_explain(
    records: Records, kernel: Kernel | None, labels: Mapping[int, str], target: str, model: str
) -> Explainer | None:
    """Fit the model of a ranking again, and return what explains its scores."""
    return Explainer.of(fit_model(records, kernel, labels, target, model))
