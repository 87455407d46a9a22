"""Rank records for a class from the labels at hand."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, Records, count, take
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
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
        How good the ranking of unseen records is, by cross-validation on the labels; None where
        there are too few of them.
    chance
        The average precision of a random order of the same records.
    model
        The fitted model; None if every row was ranked by a model that had not seen it.
    why
        Which model it is, and why.
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
    told, wanted = _told(labels, target)
    detector = make_detector(model, kernel)
    known = int(wanted.sum())
    if len(told) == n:
        judged = _held_out(detector, take(records, told), wanted)
        if judged is None:
            raise DataError(
                "Every record has a label, and the class or the rest has only one. A ranking of "
                "unseen records needs two of each, or records without a label."
            )
        scores, fold_models = judged
        order = np.argsort(-scores, kind="stable")
        precision = average_precision(wanted, scores)
        why = _why_held_out(model, fold_models, target)
        return Ranking(
            target, model, told[order], scores[order], known, precision, float(wanted.mean()),
            None, why, time.perf_counter() - began,
        )  # fmt: skip
    sample = take(records, told)
    fitted = detector.fit(sample, wanted)
    quality, why = _quality(detector, model, sample, wanted, target)
    rest = np.setdiff1d(np.arange(n), told)
    scores = score_rows(fitted, records, rest)
    order = np.argsort(-scores, kind="stable")
    chance = None if quality is None else float(wanted.mean())
    return Ranking(
        target, model, rest[order], scores[order], known, quality, chance, fitted, why,
        time.perf_counter() - began,
    )  # fmt: skip


def fit_model(
    records: Records, kernel: Kernel | None, labels: Mapping[int, str], target: str, model: str
) -> Any:
    """Fit a model as for a ranking; None if every row was ranked by a model of its own."""
    told, wanted = _told(labels, target)
    if len(told) == count(records):
        return None
    return make_detector(model, kernel).fit(take(records, told), wanted)


def score_rows(model: Any, records: Records, rows: IntArray) -> FloatArray:
    """Score rows in blocks, so that memory stays small and the work can be stopped."""
    scores = np.empty(len(rows))
    for start in range(0, len(rows), _BLOCK):
        part = rows[start : start + _BLOCK]
        with every_digit():
            scores[start : start + _BLOCK] = model.decision_function(take(records, part))
        announce("scoring", start + len(part), len(rows))
    return scores


def _told(labels: Mapping[int, str], target: str) -> tuple[IntArray, BoolArray]:
    """List the labelled rows, and which of them are of the class."""
    classes = sorted(set(labels.values()))
    if target not in classes:
        raise unknown_name("class", target, classes)
    if len(classes) < 2:
        raise DataError(
            f"All labels are {target!r}. A ranking also needs some records that are something else."
        )
    rows = np.fromiter(labels, dtype=np.int64, count=len(labels))
    return rows, np.array([label == target for label in labels.values()], dtype=bool)


def _quality(
    detector: Any, model: str, sample: Records, wanted: BoolArray, target: str
) -> tuple[float | None, str]:
    """Judge a model by the labels; ``auto`` has done so already when it chose."""
    if hasattr(detector, "why_"):
        chosen = {name for names in detector.chosen_ for name in names}
        tried = [
            score.average_precision
            for score in detector.scores_
            if score.model in chosen and np.isfinite(score.average_precision)
        ]
        return (max(tried) if tried else None), _reason(detector, target)
    judged = _held_out(detector, sample, wanted)
    if judged is None:
        return None, f"Ranked by {model}. Too few examples of {target} to judge it."
    quality = average_precision(wanted, judged[0])
    return quality, f"Ranked by {model}: average precision {quality:.2f} on held-out labels."


def _reason(detector: Any, target: str) -> str:
    """Return why ``auto`` chose what it chose."""
    return str(detector.why_).replace("For class True ", f"For {target} ")


def _why_held_out(model: str, fitted: Sequence[Any], target: str) -> str:
    """Say which model ranked the records of each part, and why if it was chosen."""
    first = f"Every record was ranked by {model}, fitted without it."
    if not hasattr(fitted[0], "why_"):
        return first
    chosen = Counter(name for each in fitted for names in each.chosen_ for name in names)
    often = ", ".join(f"{name} in {number}" for name, number in chosen.most_common())
    reason = _reason(fitted[0], target)
    return f"{first} In {len(fitted)} parts it used {often}. In the first: {reason}"


def _held_out(
    detector: Any, sample: Records, wanted: BoolArray
) -> tuple[FloatArray, list[Any]] | None:
    """Score every labelled record by a model that has not seen it; None with too few.

    Returns the scores and the fitted models, one for each part of the records.
    """
    folds = min(_FOLDS, int(wanted.sum()), int((~wanted).sum()))
    if folds < 2:
        return None
    scores, models = np.empty(len(wanted)), []
    splitter = StratifiedKFold(folds, shuffle=True, random_state=0)
    for done, (train, test) in enumerate(splitter.split(np.zeros(len(wanted)), wanted)):
        announce("judging the model", done, folds)
        fitted = clone(detector).fit(take(sample, train), wanted[train])
        scores[test] = fitted.decision_function(take(sample, test))
        models.append(fitted)
    return scores, models
