"""Rank records for a class from the labels at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedKFold

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.core.ranking import average_precision
from rarefind.detection import Lago


@dataclass(frozen=True)
class Ranking:
    """Rows ranked for a class, best first.

    Attributes
    ----------
    rows, scores
        The ranked rows and their scores.
    known
        How many labelled examples of the class there were.
    average_precision
        How good the ranking is, where the truth is known; else None.
    """

    target: str
    rows: IntArray
    scores: FloatArray
    known: int
    average_precision: float | None


def rank_records(X: FloatArray, labels: Sequence[str | None], target: str) -> Ranking:
    """Rank the rows without a label; if all have one, rank each by a model that has not seen it.

    In the second case the truth is known, and the average precision says how good the ranking of
    unseen records is.
    """
    known = np.array([label is not None for label in labels])
    classes = sorted({label for label in labels if label is not None})
    if target not in classes:
        raise unknown_name("class", target, classes)
    if len(classes) < 2:
        raise DataError(
            f"All labels are {target!r}. A ranking also needs some records that are something else."
        )
    wanted = np.array([label == target for label in labels])
    if not known.all():
        model = Lago(target=True).fit(X[known], wanted[known])
        scores = model.decision_function(X[~known])
        return _ranked(target, np.flatnonzero(~known), scores, int(wanted.sum()), None)
    scores = _scores_by_others(X, wanted)
    quality = average_precision(wanted, scores)
    return _ranked(target, np.arange(len(wanted)), scores, int(wanted.sum()), quality)


def _scores_by_others(X: FloatArray, wanted: np.ndarray) -> FloatArray:
    folds = min(5, int(wanted.sum()), int((~wanted).sum()))
    if folds < 2:
        raise DataError(
            "Every record has a label, and the class or the rest has only one. A ranking of unseen "
            "records needs two of each, or records without a label."
        )
    scores = np.empty(len(wanted))
    splitter = StratifiedKFold(folds, shuffle=True, random_state=0)
    for train, test in splitter.split(X, wanted):
        model = Lago(target=True).fit(X[train], wanted[train])
        scores[test] = model.decision_function(X[test])
    return scores


def _ranked(
    target: str, rows: IntArray, scores: FloatArray, known: int, quality: float | None
) -> Ranking:
    order = np.argsort(-scores, kind="stable")
    return Ranking(target, rows[order], scores[order], known, quality)
