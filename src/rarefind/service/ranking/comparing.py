"""Models side by side on records whose labels are known."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold

from rarefind.core.arrays import BoolArray, FloatArray, Records, count, take
from rarefind.core.errors import DataError, RarefindError
from rarefind.core.names import unknown_name
from rarefind.core.params import Integer, check_param
from rarefind.core.precision import average_precision, chance_precision
from rarefind.core.progress import announce
from rarefind.detection.reports.facts import ModelReport
from rarefind.detection.reports.of_model import report
from rarefind.evaluation.hit_curves import hit_curve, precision_at
from rarefind.hunting.models_by_name import make_detector, needs_kernel
from rarefind.kernels.contract import Kernel
from rarefind.service.heavy.cancelling import Cancelled
from rarefind.service.showing.views import ComparedView, Comparison

USUAL = ("lago", "lago-density", "logistic", "lda", "svm", "neighbours", "forest", "boosting")
"""One of each kind that is fast enough to try without being asked for."""

USUAL_ON_KERNELS = ("lago", "sphere-lago", "svm", "kernel-logistic", "kernel-fisher")
"""Those that work on any records with a kernel."""

_CURVE_POINTS = 1001
"""A point for each part in a thousand looked at: rare records are at the left end."""


def compare_models(
    records: Records,
    kernel: Kernel | None,
    labels: Sequence[str | None],
    target: str,
    models: Sequence[str] | None = None,
    *,
    folds: int = 5,
    seed: int = 0,
    k: int | None = None,
) -> Comparison:
    """Rank every labelled record by models that have not seen it, and compare.

    ``k`` is where precision is taken; None for the number of wanted records in a fold, where
    perfect ranking has precision one.
    """
    check_param("compare", "folds", folds, Integer(2, 50))
    check_param("compare", "seed", seed, Integer(0))
    sample, wanted = _labelled(records, labels, target, folds)
    names = models or (USUAL_ON_KERNELS if needs_kernel(kernel) else USUAL)
    detectors = {name: make_detector(name, kernel) for name in names}
    folded = StratifiedKFold(folds, shuffle=True, random_state=seed)
    splits = list(folded.split(np.zeros(len(wanted)), wanted))
    top = k or max(1, round(int(wanted.sum()) / folds))
    rows = []
    for place, (name, detector) in enumerate(detectors.items()):
        announce(f"comparing models: {name}", place * folds, len(detectors) * folds)
        whole = (place, len(detectors))
        rows.append(_compared(name, detector, sample, wanted, splits, top, whole))
    rows.sort(key=lambda row: (row.average_precision is None, -(row.average_precision or 0.0)))
    return Comparison(
        target, int(wanted.sum()), len(wanted), folds, top, chance_precision(wanted), tuple(rows)
    )


def model_reports(
    records: Records,
    kernel: Kernel | None,
    labels: Sequence[str | None],
    target: str,
    models: Sequence[str] | None,
    feature_names: Sequence[str],
) -> dict[str, ModelReport]:
    """Fit each model to all labelled records, and tell what can be said about it."""
    sample, wanted = _labelled(records, labels, target, 2)
    names = models or (USUAL_ON_KERNELS if needs_kernel(kernel) else USUAL)
    found = {}
    for place, name in enumerate(names):
        announce(f"reporting on {name}", place, len(names))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = make_detector(name, kernel).fit(sample, wanted)
        found[name] = report(model, sample, wanted, feature_names=feature_names or None)
    return found


def _labelled(
    records: Records, labels: Sequence[str | None], target: str, folds: int
) -> tuple[Records, BoolArray]:
    """Return the records with a label, and which of them are of the class; too few are refused."""
    known = np.array([row for row, label in enumerate(labels) if label is not None], dtype=np.int64)
    wanted = np.array([labels[row] == target for row in known], dtype=bool)
    classes = sorted({label for label in labels if label is not None})
    if target not in classes:
        raise unknown_name("class", target, classes)
    found, rest = int(wanted.sum()), int((~wanted).sum())
    if min(found, rest) < 2:
        raise DataError(
            f"Comparing models needs two labelled records of {target!r} and two of the rest, some "
            f"to learn from and some to be judged by. There are {found} and {rest}: label more."
        )
    if min(found, rest) < folds:
        raise DataError(
            f"Comparing on {folds} folds needs {folds} records of {target!r} and of the rest. "
            f"There are {found} and {rest}: take at most {min(found, rest)} folds, or label more."
        )
    return (take(records, known) if len(known) < count(records) else records), wanted


def _compared(
    name: str,
    detector: Any,
    sample: Records,
    wanted: BoolArray,
    splits: Sequence[Any],
    top: int,
    whole: tuple[int, int],
) -> ComparedView:
    """Judge one model; ``whole`` says which one of how many it is."""
    place, models = whole
    fit_seconds = score_seconds = 0.0
    judged, curves = [], []
    try:
        for done, (train, test) in enumerate(splits):
            began = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model = clone(detector).fit(take(sample, train), wanted[train])
            fitted = time.perf_counter()
            scores = np.asarray(model.decision_function(take(sample, test)), dtype=np.float64)
            fit_seconds += fitted - began
            score_seconds += time.perf_counter() - fitted
            truth = wanted[test]
            judged.append((average_precision(truth, scores), precision_at(top, truth, scores)))
            curves.append(_share_curve(truth, scores))
            parts = place * len(splits) + done + 1
            announce(f"comparing models: {name}", parts, models * len(splits))
    except Cancelled:
        raise
    except RarefindError as problem:
        return ComparedView(name, None, None, None, fit_seconds, score_seconds, str(problem))
    precision, at_top = np.mean(judged, axis=0).tolist()
    spread = float(np.std([each[0] for each in judged]))
    curve = np.mean(curves, axis=0).round(6).tolist()
    seconds = fit_seconds, score_seconds
    return ComparedView(name, precision, spread, at_top, *seconds, "", tuple(curve))


def _share_curve(wanted: BoolArray, scores: FloatArray) -> FloatArray:
    """Share of the wanted records among the first 0 %, 0.1 %, ... 100 % of the ranking."""
    hits = hit_curve(wanted, scores) / wanted.sum()
    return np.interp(np.linspace(0.0, 1.0, _CURVE_POINTS), np.linspace(0.0, 1.0, len(hits)), hits)
