"""What a workroom computes for rankings; little of it has to be sent back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rarefind.core.arrays import Records
from rarefind.discovery.contract.event import Event
from rarefind.hunting.fit_and_score import explainer_for, fit_model, rank_records
from rarefind.hunting.harvest_round import Round, new_class, next_round
from rarefind.hunting.ranking import Ranking
from rarefind.hunting.reasons import Explainer
from rarefind.kernels.contract import Kernel


def rank_and_explain(
    records: Records,
    kernel: Kernel | None,
    labels: Mapping[int, str],
    target: str,
    model: str,
    nameless: bool,
) -> tuple[Ranking, Explainer | None]:
    """Rank as ``rank_records`` does; of the model only what explains scores is returned."""
    ranking = rank_records(records, kernel, labels, target, model)
    explainer = explainer_for(ranking.fitted, records, kernel, labels, target, nameless)
    return replace(ranking, fitted=None), explainer


def fit_and_explain(
    records: Records,
    kernel: Kernel | None,
    labels: Mapping[int, str],
    target: str,
    model: str,
    nameless: bool,
) -> Explainer | None:
    """Fit the model of a ranking again, and return what explains its scores."""
    fitted = fit_model(records, kernel, labels, target, model)
    return explainer_for(fitted, records, kernel, labels, target, nameless)


def harvest_round(
    records: Records,
    kernel: Kernel | None,
    said: Sequence[Event],
    target: str,
    model: str,
    looks: int,
    aside: Collection[int],
) -> tuple[Round, str | None]:
    """Choose the records of a round, and tell whether the last answer was news; no model."""
    made = next_round(records, kernel, said, target, model, looks, aside)
    return replace(made, ranking=replace(made.ranking, fitted=None)), new_class(said, target)
