"""Rank records for a class from the labels at hand."""

from __future__ import annotations

import time
from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, Records, count, take
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.core.precision import average_precision, chance_precision
from rarefind.core.progress import announce
from rarefind.detection.auto.detector import AutoDetector
from rarefind.detection.auto.quality import FEWEST, Quality, judge
from rarefind.detection.lago.votes import every_digit
from rarefind.hunting.models_by_name import make_detector, needs_kernel
from rarefind.hunting.ranking import Ranking, kernel_weights, mean_kernel_weights
from rarefind.hunting.reasons import Explainer, Occlusion
from rarefind.kernels.contract import Kernel

Label: TypeAlias = Hashable

_FOLDS = 5
"""The usual number: each model learns from four fifths of the labels."""

_MOST_SENT = 20_000
"""Labels up to which a whole model is kept to explain scores: more make it large."""

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
    told, names = _told(labels, target)
    name = str(target)
    wanted = names == name
    detector, by_kernel = make_detector(model, kernel), needs_kernel(kernel)
    sample = take(records, told)
    if len(told) == n:
        held_out = _held_out(detector, sample, names, name)
        if held_out is None:
            raise DataError(
                "Every record has a label, and the class or the rest has only one. A ranking of "
                "unseen records needs two of each, or records without a label."
            )
        scores, fold_models, _ = held_out
        quality, rows, fitted = _measured(wanted, scores), told, None
        weights = mean_kernel_weights(fold_models)
        why = f"{_why_held_out(model, fold_models[0])}{_counted(weights)} {quality.sentence}"
    else:
        fitted = _fitted(detector, sample, names, name)
        weights = mean_kernel_weights([fitted])
        quality, why = _quality(fitted, model, sample, names, name, by_kernel)
        rows = np.setdiff1d(np.arange(n), told)
        scores = score_rows(fitted, records, rows)
    order = np.argsort(-scores, kind="stable")
    seconds = time.perf_counter() - began
    return Ranking(
        target,
        model,
        rows[order],
        scores[order],
        quality,
        why,
        fitted,
        seconds,
        kernel_weights=weights,
        by_kernel=by_kernel,
    )


def fit_model(
    records: Records, kernel: Kernel | None, labels: Mapping[int, Label], target: Label, model: str
) -> Any:
    """Fit a model as for a ranking; None if every row was ranked by a model of its own."""
    told, names = _told(labels, target)
    if len(told) == count(records):
        return None
    return _fitted(make_detector(model, kernel), take(records, told), names, str(target))


def check_classes(classes: Collection[Label], target: Label) -> None:
    """Refuse to rank for a class that nobody told, or that is the only one told."""
    if target not in classes:
        raise unknown_name("class", target, sorted(classes, key=str))
    if len(classes) < 2:
        raise DataError(
            f"All labels are {target!r}. A ranking also needs some records that are something else."
        )


def trained_rows(labels: Mapping[int, Label]) -> IntArray:
    """List the labelled rows as models are given them, whatever order they were told in."""
    return np.array(sorted(labels), dtype=np.int64)


def score_rows(model: Any, records: Records, rows: IntArray) -> FloatArray:
    """Score rows in blocks, so that memory stays small and the work can be stopped."""
    scores = np.empty(len(rows))
    for start in range(0, len(rows), _BLOCK):
        part = rows[start : start + _BLOCK]
        with every_digit():
            scores[start : start + _BLOCK] = model.decision_function(take(records, part))
        announce("scoring", start + len(part), len(rows))
    return scores


def _told(labels: Mapping[int, Label], target: Label) -> tuple[IntArray, NDArray[Any]]:
    """List the labelled rows and the names of their classes."""
    check_classes(set(labels.values()), target)
    rows = trained_rows(labels)
    return rows, np.array([str(labels[row]) for row in rows.tolist()], dtype=np.str_)


def _fitted(detector: Any, sample: Records, names: NDArray[Any], target: str) -> Any:
    """Fit a copy of the model; ``auto`` learns from the names of all classes."""
    copy = clone(detector)
    if isinstance(copy, AutoDetector):
        return copy.set_params(target=target).fit(sample, names)
    return copy.fit(sample, names == target)


def _quality(
    fitted: Any, model: str, sample: Records, names: NDArray[Any], target: str, by_kernel: bool
) -> tuple[Quality, str]:
    """Judge a model by the labels; ``auto`` has done so already."""
    if isinstance(fitted, AutoDetector):
        return fitted.quality_[0], fitted.why_
    wanted = names == target
    enough = min(int(wanted.sum()), int((~wanted).sum())) >= FEWEST
    judged = _held_out(fitted, sample, names, target) if enough else None
    scores, fold = (None, None) if judged is None else (judged[0], judged[2])
    quality = judge(wanted, scores, fold, by_kernel=by_kernel)
    return quality, f"Ranked by {model}.{_counted(kernel_weights(fitted))} {quality.sentence}"


def _counted(weights: Mapping[str, float]) -> str:
    """Say what each kernel of a sum counts, where that was learnt."""
    learnt = ", ".join(f"{name} {weight:.3g}" for name, weight in weights.items())
    return f" What each kernel counts: {learnt}." if learnt else ""


def _measured(wanted: BoolArray, scores: FloatArray) -> Quality:
    """Tell how good the ranking of all records is, where every one has a label."""
    precision = average_precision(wanted, scores)
    chance = chance_precision(wanted)
    words = f"Average precision {precision:.3f}; a random order has {chance:.3f}."
    return Quality(precision, None, None, chance, int(wanted.sum()), precision, words)


def explainer_for(
    model: Any,
    records: Records,
    kernel: Kernel | None,
    labels: Mapping[int, Label],
    target: Label,
    nameless: bool = False,
) -> Explainer | None:
    """Take a model's score apart, feature by feature or vote by vote.

    Where a score has no parts, features are given their ordinary values in turn; where there are
    none, because a kernel compares the records, or ``nameless`` ones, those of an embedding, which
    nobody can read, LAGO with the same labels stands in.
    """
    own = Explainer.of(model)
    if own is None or (own.lago is None and own.has_parts and not nameless):
        return own
    rows, names = _told(labels, target)
    others = rows[names != str(target)]
    if own.lago is not None:
        return replace(own, others=others)
    if _are_vectors(records, kernel) and len(labels) <= _MOST_SENT and not nameless:
        ordinary = np.median(take(records, others), axis=0)
        return replace(own, occlusion=Occlusion(model, ordinary))
    reason = "the score of this model has no such parts"
    if nameless:
        reason = "the single numbers of an embedding or a picture say nothing to people"
    beside = Explainer.of(
        fit_model(records, kernel, labels, target, "lago"),
        f" in LAGO, fitted to the same labels: {reason}",
    )
    return None if beside is None else replace(beside, others=others)


def _are_vectors(records: Records, kernel: Kernel | None) -> bool:
    return isinstance(records, np.ndarray) and (kernel is None or kernel.takes_vectors)


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
