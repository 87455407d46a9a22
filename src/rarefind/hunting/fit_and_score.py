"""Rank records for a class from the labels at hand."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, Records, count, take
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
from rarefind.detection.lago.votes import every_digit
from rarefind.hunting.models_by_name import make_detector
from rarefind.hunting.quality import Quality, drawn_interval, judged, unjudged
from rarefind.hunting.ranking import Ranking
from rarefind.kernels.contract import Kernel

Label: TypeAlias = Hashable

_FOLDS = 5
"""The usual number: each model learns from four fifths of the labels."""

_BLOCK = 20_000
"""Records scored between two steps of the progress bar."""


def rank_records(
    records: Records,
    kernel: Kernel | None,
    labels: Mapping[int, Label],
    target: Label,
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
    if len(told) == n:
        held_out = _held_out(detector, take(records, told), wanted)
        if held_out is None:
            raise DataError(
                "Every record has a label, and the class or the rest has only one. A ranking of "
                "unseen records needs two of each, or records without a label."
            )
        scores, fold_models = held_out
        quality, rows, fitted = _on_labels(wanted, scores), told, None
        why = _why_held_out(model, fold_models, target)
    else:
        sample = take(records, told)
        fitted = detector.fit(sample, wanted)
        quality, why = _quality(detector, model, sample, wanted, target)
        rows = np.setdiff1d(np.arange(n), told)
        scores = score_rows(fitted, records, rows)
    order = np.argsort(-scores, kind="stable")
    seconds = time.perf_counter() - began
    return Ranking(target, model, rows[order], scores[order], quality, why, fitted, seconds)


def fit_model(
    records: Records, kernel: Kernel | None, labels: Mapping[int, Label], target: Label, model: str
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


def _told(labels: Mapping[int, Label], target: Label) -> tuple[IntArray, BoolArray]:
    """List the labelled rows, and which of them are of the class."""
    classes = sorted(set(labels.values()), key=str)
    if target not in classes:
        raise unknown_name("class", target, classes)
    if len(classes) < 2:
        raise DataError(
            f"All labels are {target!r}. A ranking also needs some records that are something else."
        )
    rows = np.fromiter(labels, dtype=np.int64, count=len(labels))
    return rows, np.array([label == target for label in labels.values()], dtype=bool)


def _quality(
    detector: Any, model: str, sample: Records, wanted: BoolArray, target: Label
) -> tuple[Quality, str]:
    """Judge a model by the labels; ``auto`` has done so already when it chose."""
    if hasattr(detector, "why_"):
        return _of_auto(detector, wanted), _reason(detector, target)
    held_out = _held_out(detector, sample, wanted)
    if held_out is None:
        few = f"Ranked by {model}. Too few examples of {target} to judge it."
        return unjudged(int(wanted.sum())), few
    quality = _on_labels(wanted, held_out[0])
    reached = f"average precision {quality.average_precision:.2f} on held-out labels"
    return quality, f"Ranked by {model}: {reached}."


def _of_auto(detector: Any, wanted: BoolArray) -> Quality:
    """Take the best that ``auto`` measured of the models it chose, and its spread over folds."""
    chosen = {name for names in detector.chosen_ for name in names}
    tried = [
        score
        for score in detector.scores_
        if score.model in chosen and np.isfinite(score.average_precision)
    ]
    if not tried:
        return unjudged(int(wanted.sum()))
    best = max(tried, key=lambda score: score.average_precision)
    error = 2.0 * best.spread / np.sqrt(_FOLDS)
    middle = best.average_precision
    return judged(wanted, middle, (middle - error, middle + error))


def _on_labels(wanted: BoolArray, scores: FloatArray) -> Quality:
    """Judge scores that models gave to records they had not seen."""
    return judged(wanted, average_precision(wanted, scores), drawn_interval(wanted, scores))


def _reason(detector: Any, target: Label) -> str:
    """Return why ``auto`` chose what it chose."""
    return str(detector.why_).replace("For class True ", f"For {target} ")


def _why_held_out(model: str, fitted: Sequence[Any], target: Label) -> str:
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
