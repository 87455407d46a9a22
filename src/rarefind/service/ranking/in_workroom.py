"""What a workroom computes for rankings; little of it has to be sent back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rarefind.core.arrays import Records
from rarefind.hunting.fit_and_score import explainer_for, fit_model, rank_records
from rarefind.hunting.ranking import Ranking
from rarefind.hunting.reasons import Explainer
from rarefind.kernels.contract import Kernel


def rank_and_explain(
    records: Records, kernel: Kernel | None, labels: Mapping[int, str], target: str, model: str
) -> tuple[Ranking, Explainer | None]:
    """Rank as ``rank_records`` does; of the model only what explains scores is returned."""
    ranking = rank_records(records, kernel, labels, target, model)
    explainer = explainer_for(ranking.fitted, records, kernel, labels, target)
    return replace(ranking, fitted=None), explainer


def fit_and_explain(
    records: Records, kernel: Kernel | None, labels: Mapping[int, str], target: str, model: str
) -> Explainer | None:
    """Fit the model of a ranking again, and return what explains its scores."""
    fitted = fit_model(records, kernel, labels, target, model)
    return explainer_for(fitted, records, kernel, labels, target)
