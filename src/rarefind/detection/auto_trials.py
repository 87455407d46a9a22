"""Comparing candidates on folds of the labelled records, within a time limit."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, Records, take
from rarefind.core.errors import DataError
from rarefind.core.progress import report
from rarefind.core.ranking import average_precision
from rarefind.detection.blend import RankScale, rank_scale
from rarefind.detection.lago_tuning import threshold

_MANY_RECORDS = 20_000
_FEW_POSITIVES = 30
_NEARNESS = 0.02
"""A model whose average precision is this much lower weighs e times less."""
_LEAST_WEIGHT = 0.05
"""Models that would weigh less than this, next to one for the best, are left out."""
_CLEARLY = 0.005
"""How much better another way of averaging must be."""


@dataclass(frozen=True)
class Score:
    """What a candidate achieved: mean average precision over folds, its spread, seconds."""

    target: str
    model: str
    average_precision: float
    spread: float
    seconds: float
    note: str = ""


@dataclass(frozen=True)
class Choice:
    """The models used for one class, and why."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    models: tuple[Any, ...]
    scales: tuple[RankScale, ...]
    offset: float
    scores: list[Score]
    why: str

    def decide(self, X: Records) -> FloatArray:
        """Score records by the mean of the models used."""
        if not self.scales:
            return self.models[0].decision_function(X)
        levels = [
            scale(np.asarray(model.decision_function(X), dtype=np.float64))
            for model, scale in zip(self.models, self.scales, strict=True)
        ]
        return _weighted(levels, self.weights) - self.offset


def _weighted(levels: Sequence[FloatArray], weights: Sequence[float]) -> FloatArray:
    return np.average(levels, axis=0, weights=weights)


@dataclass(frozen=True)
class _Trial:
    """Held-out scores of one candidate: one array per repetition of the folds."""

    score: Score
    held_out: FloatArray


def choose(
    candidates: Mapping[str, Any],
    X: Records,
    wanted: BoolArray,
    target: str,
    *,
    time_limit: float,
    min_positives: int,
    random_state: int | None,
) -> Choice:
    """Compare the candidates for one class and fit the best, or the average of the best."""
    n1 = int(wanted.sum())
    fewest = min(n1, int((~wanted).sum()))
    if fewest < min_positives:
        return _without_comparison(candidates, X, wanted, target, n1, min_positives)
    folds = _folds(wanted, random_state)
    deadline = time.perf_counter() + time_limit
    trials: dict[str, _Trial] = {}
    failed: list[Score] = []
    for place, (name, model) in enumerate(candidates.items()):
        report("comparing models", place, len(candidates))
        left = deadline - time.perf_counter()
        trial = _try(name, model, X, wanted, target, folds, left, must=not trials)
        if isinstance(trial, Score):
            failed.append(trial)
        else:
            trials[name] = trial
    report("comparing models", len(candidates), len(candidates))
    if not trials:
        notes = "; ".join(f"{score.model}: {score.note}" for score in failed)
        raise DataError(f"No candidate could be fitted for class {target}. {notes}")
    weights, precision = _best_average(trials, wanted, folds)
    names = tuple(weights)
    models = tuple(clone(candidates[name]).fit(X, wanted) for name in names)
    flat = [trials[name].held_out.ravel() for name in names]
    scales = tuple(rank_scale(scores) for scores in flat)
    parts = tuple(weights.values())
    mean = _weighted([scale(s) for scale, s in zip(scales, flat, strict=True)], parts)
    repetitions = len(mean) // len(wanted)
    offset = threshold(np.tile(wanted, repetitions), mean, np.ones(len(mean)))
    scores = sorted([trial.score for trial in trials.values()], key=lambda s: -s.average_precision)
    why = _words(target, names, precision, scores, failed, n1)
    return Choice(names, parts, models, scales, offset, scores + failed, why)


def _folds(wanted: BoolArray, random_state: int | None) -> list[list[tuple[IntArray, IntArray]]]:
    """Stratified folds; several times over where positives are few, because each fold is luck."""
    fewest = int(min(wanted.sum(), (~wanted).sum()))
    n_folds = 3 if len(wanted) > _MANY_RECORDS else min(5, fewest)
    repetitions = 3 if fewest <= _FEW_POSITIVES and len(wanted) <= _MANY_RECORDS else 1
    seed = np.random.SeedSequence(random_state)
    folds = []
    for part in seed.generate_state(repetitions):
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=int(part))
        folds.append(list(splitter.split(np.zeros(len(wanted)), wanted)))
    return folds


def _try(
    name: str,
    model: Any,
    X: Records,
    wanted: BoolArray,
    target: str,
    folds: Sequence[Sequence[tuple[IntArray, IntArray]]],
    left: float,
    *,
    must: bool,
) -> _Trial | Score:
    """Score every record by a model that has not seen it; give up when time would run out."""
    begin = time.perf_counter()
    held_out = np.zeros((len(folds), len(wanted)))
    precisions: list[float] = []
    n_parts = sum(len(parts) for parts in folds)
    for repetition, parts in enumerate(folds):
        for train, test in parts:
            spent = time.perf_counter() - begin
            # What is done so far tells how long the rest will take, and the last fit on all.
            if not must and spent * (n_parts + 1) / max(len(precisions), 1) > left:
                note = f"left out: would take more than the {max(left, 0.0):.0f} s left"
                return Score(target, name, float("nan"), float("nan"), spent, note)
            try:
                fitted = clone(model).fit(take(X, train), wanted[train])
                scores = np.asarray(fitted.decision_function(take(X, test)), dtype=np.float64)
                precisions.append(average_precision(wanted[test], scores))
            except (ValueError, ArithmeticError, MemoryError) as problem:
                spent = time.perf_counter() - begin
                note = f"failed: {str(problem).splitlines()[0]}"
                return Score(target, name, float("nan"), float("nan"), spent, note)
            held_out[repetition, test] = scores
    spread = float(np.std(precisions, ddof=1)) if len(precisions) > 1 else 0.0
    spent = time.perf_counter() - begin
    return _Trial(Score(target, name, float(np.mean(precisions)), spread, spent), held_out)


def _best_average(
    trials: Mapping[str, _Trial],
    wanted: BoolArray,
    folds: Sequence[Sequence[tuple[IntArray, IntArray]]],
) -> tuple[dict[str, float], float]:
    """Weigh the models so that held-out records are ranked best.

    Three ways are compared: the best model alone, the two best in equal parts, and all by how
    near they come to the best. The last is taken unless another is clearly better: it depends
    least on which model happened to be ahead.
    """
    levels = {
        name: np.array([rank_scale(row)(row) for row in trial.held_out])
        for name, trial in trials.items()
    }

    def precision(weights: Mapping[str, float]) -> float:
        mean = sum(weight * levels[name] for name, weight in weights.items())
        assert isinstance(mean, np.ndarray)
        values = [
            average_precision(wanted[test], row[test])
            for row, parts in zip(mean, folds, strict=True)
            for _, test in parts
        ]
        return float(np.mean(values))

    order = sorted(trials, key=lambda name: -trials[name].score.average_precision)
    best = trials[order[0]].score.average_precision
    near = {
        name: float(np.exp((trials[name].score.average_precision - best) / _NEARNESS))
        for name in order
    }
    near = {name: weight for name, weight in near.items() if weight >= _LEAST_WEIGHT}
    total = sum(near.values())
    ways = [{name: weight / total for name, weight in near.items()}, {order[0]: 1.0}]
    if len(order) > 1:
        ways.append({order[0]: 0.5, order[1]: 0.5})
    values = [precision(way) for way in ways]
    values[0] += _CLEARLY
    chosen = int(np.argmax(values))
    return ways[chosen], precision(ways[chosen])


def _without_comparison(
    candidates: Mapping[str, Any],
    X: Records,
    wanted: BoolArray,
    target: str,
    n1: int,
    min_positives: int,
) -> Choice:
    """Use LAGO, or the first candidate if it is not among them: it is made for few examples."""
    name = next((key for key in ("lago-density", "lago") if key in candidates), None)
    name = next(iter(candidates)) if name is None else name
    model = clone(candidates[name]).fit(X, wanted)
    known = "1 example is" if n1 == 1 else f"{n1} examples are"
    least = "known, or too few other records" if n1 >= min_positives else "known"
    why = (
        f"For class {target} {name} is used without comparison: {known} {least}, and at least "
        f"{min_positives} are needed to tell models apart."
    )
    return Choice((name,), (1.0,), (model,), (), 0.0, [], why)


def _words(
    target: str,
    names: tuple[str, ...],
    precision: float,
    scores: Sequence[Score],
    failed: Sequence[Score],
    n1: int,
) -> str:
    best = scores[0]
    if len(names) == 1:
        start = f"For class {target} {names[0]} is used: its cross-validated average precision"
        start += f" is {best.average_precision:.3f}"
        if len(scores) > 1:
            start += f", the next best, {scores[1].model}, has {scores[1].average_precision:.3f}"
    else:
        start = (
            f"For class {target} the rankings of {', '.join(names[:-1])} and {names[-1]} are "
            f"averaged: together their cross-validated average precision is {precision:.3f}, "
            f"the best single model, {best.model}, has {best.average_precision:.3f}"
        )
    folds_error = best.spread / np.sqrt(5.0)
    close = [
        s.model for s in scores[1:] if s.average_precision > best.average_precision - folds_error
    ]
    sentences = [start + "."]
    if close:
        sentences.append(
            f"With {n1} examples {', '.join(close)} cannot be told from the best for certain."
        )
    sentences += [f"{score.model.capitalize()} was {score.note}." for score in failed]
    return " ".join(sentences)
