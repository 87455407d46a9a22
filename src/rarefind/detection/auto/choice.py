"""Choosing from what candidates achieve on folds of the labelled records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from rarefind.core.arrays import BoolArray, FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
from rarefind.detection.auto.race import Clock, Parts, Runner, folds, race
from rarefind.detection.auto.rank_average import RankScale, rank_scale
from rarefind.detection.lago.tuning import threshold

_NEARNESS = 0.02
"""A model whose average precision is this much lower weighs e times less, or ..."""
_ERRORS = 1.5
"""... one that is this many standard errors of the difference lower, where these are larger."""
_LEAST_WEIGHT = 0.05
"""Models that would weigh less than this, next to one for the best, are left out."""
_CLEARLY = 0.005
"""How much better another way of averaging must be, if its standard error is not larger."""


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
        known = "1 example is" if n1 == 1 else f"{n1} examples are"
        least = "known, or too few other records" if n1 >= min_positives else "known"
        reason = f"{known} {least}, and at least {min_positives} are needed to tell models apart"
        return _without_comparison(candidates, X, wanted, target, reason)
    clock = Clock(time_limit)
    repetitions = folds(wanted, random_state)
    runners, others = race(candidates, X, wanted, repetitions, clock, _hopeful)
    failed = [
        Score(target, runner.name, float("nan"), float("nan"), runner.seconds, runner.note)
        for runner in others
        if runner.note
    ]
    if not runners:
        if all(score.note.startswith("failed") for score in failed):
            notes = "; ".join(f"{score.model}: {score.note}" for score in failed)
            raise DataError(f"No candidate could be fitted for class {target}. {notes}")
        reason = f"{time_limit:g} s are too short to compare models on {len(wanted)} records"
        return _without_comparison(candidates, X, wanted, target, reason)
    weights, precision = best_average(runners, wanted, repetitions)
    chosen = sorted(
        (runner for runner in runners if runner.name in weights),
        key=lambda runner: -runner.average_precision,
    )
    names, parts = tuple(r.name for r in chosen), tuple(weights[r.name] for r in chosen)
    models = []
    for done, runner in enumerate(chosen):
        announce("fitting the models chosen", done, len(chosen))
        models.append(runner.fit(X, wanted))
    announce("fitting the models chosen", len(chosen), len(chosen))
    flat = [np.concatenate(runner.held_out) for runner in chosen]
    scales = tuple(rank_scale(scores) for scores in flat)
    mean = _weighted([scale(s) for scale, s in zip(scales, flat, strict=True)], parts)
    offset = threshold(np.tile(wanted, len(mean) // len(wanted)), mean, np.ones(len(mean)))
    compared = [*runners, *(runner for runner in others if not runner.note)]
    scores = sorted(
        (_score(target, runner) for runner in compared), key=lambda s: -s.average_precision
    )
    why = _words(target, names, precision, scores, failed, n1)
    return Choice(names, parts, tuple(models), scales, offset, scores + failed, why)


def _score(target: str, runner: Runner) -> Score:
    spread = float(np.std(runner.precisions, ddof=1)) if len(runner.precisions) > 1 else 0.0
    return Score(target, runner.name, runner.average_precision, spread, runner.seconds)


def _standard_error(better: Runner, worse: Runner) -> float:
    """Measure how far the difference of two models is uncertain, from the folds both ran on."""
    n = min(len(better.precisions), len(worse.precisions))
    return _error(np.subtract(better.precisions[:n], worse.precisions[:n]))


def _error(values: Sequence[float] | FloatArray) -> float:
    """Return the standard error of a mean over folds."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def _closeness(runners: Sequence[Runner]) -> dict[str, float]:
    """Weigh models by how near they come to the best, which weighs one.

    Differences that are small against their own standard error, as with few known examples, say
    little about which model is better; then many models weigh about the same. Not so where the
    best does equally well on every fold: the others' luck makes its lead no less certain.
    """
    best = max(runners, key=lambda runner: runner.average_precision)
    errors = [_standard_error(best, runner) for runner in runners if runner is not best]
    uncertain = min(float(np.median(errors)), _error(best.precisions)) if errors else 0.0
    scale = max(_NEARNESS, _ERRORS * uncertain)
    return {
        runner.name: float(np.exp((runner.average_precision - best.average_precision) / scale))
        for runner in runners
    }


def _hopeful(runners: Sequence[Runner]) -> list[Runner]:
    """Pick the models near enough to the best to be used."""
    near = _closeness(runners)
    return [runner for runner in runners if near[runner.name] >= _LEAST_WEIGHT]


def best_average(
    runners: Sequence[Runner], wanted: BoolArray, repetitions: Sequence[Parts]
) -> tuple[dict[str, float], float]:
    """Weigh the models so that held-out records are ranked best.

    Three ways are compared: the best model alone, the two best in equal parts, and all by how
    near they come to the best. The last is taken unless another is clearly better: it depends
    least on which model happened to be ahead.
    """
    levels = {runner.name: [rank_scale(row)(row) for row in runner.held_out] for runner in runners}
    tests = [
        (number, test)
        for number, parts in enumerate(repetitions[: len(runners[0].held_out)])
        for _, test in parts
    ]

    def precisions(weights: Mapping[str, float]) -> FloatArray:
        return np.array(
            [
                average_precision(
                    wanted[test],
                    sum(weight * levels[name][number][test] for name, weight in weights.items()),
                )
                for number, test in tests
            ]
        )

    order = sorted(runners, key=lambda runner: -runner.average_precision)
    near = {name: part for name, part in _closeness(order).items() if part >= _LEAST_WEIGHT}
    total = sum(near.values())
    usual = {name: part / total for name, part in near.items()}
    reached = precisions(usual)
    best, found = usual, reached
    for way in ({order[0].name: 1.0}, {runner.name: 0.5 for runner in order[:2]}):
        other = precisions(way)
        clearly = max(_CLEARLY, _ERRORS * _error(other - reached))
        if len(way) <= len(order) and other.mean() > max(reached.mean() + clearly, found.mean()):
            best, found = way, other
    return best, float(found.mean())


def _without_comparison(
    candidates: Mapping[str, Any], X: Records, wanted: BoolArray, target: str, reason: str
) -> Choice:
    """Use LAGO, or the first candidate if it is not among them: it is made for few examples."""
    name = next((key for key in ("lago-density", "lago") if key in candidates), None)
    name = next(iter(candidates)) if name is None else name
    model = clone(candidates[name]).fit(X, wanted)
    why = f"For class {target} {name} is used without comparison: {reason}."
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
    sentences += [f"{score.model.capitalize()} was {score.note.rstrip('.')}." for score in failed]
    return " ".join(sentences)
