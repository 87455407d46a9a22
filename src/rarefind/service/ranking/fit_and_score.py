"""Rank records for a class from the labels at hand."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
from rarefind.detection.auto.detector import AutoDetector
from rarefind.detection.auto.quality import FEWEST, Quality, judge
from rarefind.detection.lago.votes import every_digit
from rarefind.kernels.contract import Kernel
from rarefind.service.ranking.models_by_name import make_detector

_FOLDS = 5
"""The usual number: each model learns from four fifths of the labels."""

_BLOCK = 20_000
"""Records scored between two steps of the progress bar."""


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
        How good the ranking is: to be expected, from labels that models had not seen, or measured
        where every record has a label. None where that cannot be told.
    chance
        The average precision of a random order of the labelled records; None where none is told.
    model
        The fitted model; None if every row was ranked by a model that had not seen it.
    why
        Which model it is, and how good its ranking will be, in words.
    """

    target: str
    name: str
    rows: IntArray
    scores: FloatArray
    known: int
    average_precision: float | None
    chance: float | None
    model: Any
    why: str
    seconds: float


def rank_records(
    records: Records,
    kernel: Kernel | None,
    labels: Mapping[int, str],
    target: str,
    model: str = "auto",
) -> Ranking:
    """Rank the rows without a label; if all have one, rank each by a model that has not seen it.

    Parameters
    ----------
    records, kernel
        The records, and what compares them where they are no vectors.
    labels
        What is known, by row.
    target
        The class to rank for.
    model
        The name of a model.
    """
    began = time.perf_counter()
    n = count(records)
    told, names = _told(labels, target)
    wanted = names == target
    detector = make_detector(model, kernel)
    known = int(wanted.sum())
    sample = take(records, told)
    if len(told) == n:
        judged = _held_out(detector, sample, names, target)
        if judged is None:
            raise DataError(
                "Every record has a label, and the class or the rest has only one. A ranking of "
                "unseen records needs two of each, or records without a label."
            )
        scores, fold_models, _ = judged
        order = np.argsort(-scores, kind="stable")
        precision = average_precision(wanted, scores)
        chance = average_precision(wanted, np.zeros(n))
        why = (
            f"{_why_held_out(model, fold_models[0])} Average precision {precision:.3f}; a random "
            f"order has {chance:.3f}."
        )
        return Ranking(
            target, model, told[order], scores[order], known, precision, chance, None, why,
            time.perf_counter() - began,
        )  # fmt: skip
    fitted = _fitted(detector, sample, names, target)
    quality, why = _quality(fitted, model, sample, names, target)
    rest = np.setdiff1d(np.arange(n), told)
    scores = score_rows(fitted, records, rest)
    order = np.argsort(-scores, kind="stable")
    return Ranking(
        target, model, rest[order], scores[order], known, quality.average_precision,
        None if quality.average_precision is None else quality.chance, fitted, why,
        time.perf_counter() - began,
    )  # fmt: skip


def fit_model(
    records: Records, kernel: Kernel | None, labels: Mapping[int, str], target: str, model: str
) -> Any:
    """Fit a model as for a ranking; None if every row was ranked by a model of its own."""
    told, names = _told(labels, target)
    if len(told) == count(records):
        return None
    return _fitted(make_detector(model, kernel), take(records, told), names, target)


def score_rows(model: Any, records: Records, rows: IntArray) -> FloatArray:
    """Score rows in blocks, so that memory stays small and the work can be stopped."""
    scores = np.empty(len(rows))
    for start in range(0, len(rows), _BLOCK):
        part = rows[start : start + _BLOCK]
        with every_digit():
            scores[start : start + _BLOCK] = model.decision_function(take(records, part))
        announce("scoring", start + len(part), len(rows))
    return scores


def _told(labels: Mapping[int, str], target: str) -> tuple[IntArray, NDArray[Any]]:
    """List the labelled rows and their labels."""
    classes = sorted(set(labels.values()))
    if target not in classes:
        raise unknown_name("class", target, classes)
    if len(classes) < 2:
        raise DataError(
            f"All labels are {target!r}. A ranking also needs some records that are something else."
        )
    rows = np.fromiter(labels, dtype=np.int64, count=len(labels))
    return rows, np.array(list(labels.values()), dtype=np.str_)


def _fitted(detector: Any, sample: Records, names: NDArray[Any], target: str) -> Any:
    """Fit a copy of the model; ``auto`` learns from the names of all classes."""
    copy = clone(detector)
    if isinstance(copy, AutoDetector):
        return copy.set_params(target=target).fit(sample, names)
    return copy.fit(sample, names == target)


def _quality(
    fitted: Any, model: str, sample: Records, names: NDArray[Any], target: str
) -> tuple[Quality, str]:
    """Judge a model by the labels; ``auto`` has done so already."""
    if isinstance(fitted, AutoDetector):
        return fitted.quality_[0], fitted.why_
    wanted = names == target
    enough = min(int(wanted.sum()), int((~wanted).sum())) >= FEWEST
    judged = _held_out(fitted, sample, names, target) if enough else None
    quality = judge(wanted, None) if judged is None else judge(wanted, judged[0], judged[2])
    return quality, f"Ranked by {model}. {quality.sentence}"


def _why_held_out(model: str, fitted: Any) -> str:
    """Say which model ranked the records of each part."""
    first = f"Every record was ranked by {model}, fitted without it."
    if not isinstance(fitted, AutoDetector):
        return first
    return f"{first} It averages the rankings of {', '.join(fitted.chosen_[0])}."


def _held_out(
    detector: Any, sample: Records, names: NDArray[Any], target: str
) -> tuple[FloatArray, list[Any], IntArray] | None:
    """Score every labelled record by a model that has not seen it; None with too few.

    Returns the scores, the fitted models, and which of them scored each record.
    """
    wanted = names == target
    folds = min(_FOLDS, int(wanted.sum()), int((~wanted).sum()))
    if folds < 2:
        return None
    scores, fold, models = np.empty(len(wanted)), np.empty(len(wanted), dtype=np.int64), []
    splitter = StratifiedKFold(folds, shuffle=True, random_state=0)
    for done, (train, test) in enumerate(splitter.split(np.zeros(len(wanted)), wanted)):
        announce("judging the model", done, folds)
        fitted = _fitted(detector, take(sample, train), names[train], target)
        scores[test] = fitted.decision_function(take(sample, test))
        fold[test] = done
        models.append(fitted)
    return scores, models, fold
