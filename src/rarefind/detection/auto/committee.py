"""Members fitted for one class, their scores on one scale, and the average of these."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, Records, take
from rarefind.core.errors import DataError
from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
from rarefind.detection.auto.member import Member
from rarefind.detection.auto.parts import PARTS, parts
from rarefind.detection.auto.quality import Quality, judge
from rarefind.detection.auto.rank_scale import RankScale, rank_scale
from rarefind.detection.auto.time_left import Clock, LeftOutError
from rarefind.detection.lago.tuning import threshold

_CERTAIN = 1e-4
"""Probabilities are taken to be this far from none and from all: a few trees know no better."""


@dataclass(frozen=True)
class MemberScore:
    """What a member achieved on records it had not seen (NaN if too few), and seconds."""

    target: str
    model: str
    average_precision: float
    seconds: float
    note: str = ""


@dataclass(frozen=True)
class FittedMember:
    """The fits of a member, and the scale that their mean is read on."""

    name: str
    weight: float
    models: tuple[Any, ...]
    wanted: Any
    scale: RankScale

    def levels(self, X: Records) -> FloatArray:
        """Tell how rare so high a score is among the others."""
        return self.scale(np.mean([_scores(model, X, self.wanted) for model in self.models], 0))


@dataclass(frozen=True)
class Committee:
    """The members for one class, what they achieve together, and both in words."""

    members: tuple[FittedMember, ...]
    offset: float
    scores: list[MemberScore]
    quality: Quality
    why: str

    def decide(self, X: Records) -> FloatArray:
        """Score records by the mean of the members; above zero they are taken for the class."""
        levels = [member.levels(X) for member in self.members]
        weights = [member.weight for member in self.members]
        return np.average(levels, axis=0, weights=weights) - self.offset


def fit_committee(
    members: Mapping[str, Member],
    X: Records,
    labels: NDArray[Any],
    target: Any,
    *,
    time_limit: float,
    random_state: int | None,
    by_kernel: bool,
) -> Committee:
    """Fit all members that time allows to the parts of the labelled records.

    ``by_kernel`` says that a kernel compares the records: how good the ranking is cannot be told.
    """
    wanted = labels == target
    learnt = parts(wanted, random_state)
    judged = bool((~learnt).any(axis=0).all())
    clock = Clock(time_limit)
    fitted: list[FittedMember] = []
    levels: list[FloatArray] = []
    scores: list[MemberScore] = []
    for place, (name, member) in enumerate(members.items()):
        y, sought = (labels, target) if member.every_class else (wanted, True)
        begun, note, reached = time.perf_counter(), "", float("nan")
        announce("fitting the models", place, len(members))
        try:
            if int(wanted.sum()) < member.fewest:
                raise LeftOutError(f"it takes {member.fewest} examples")
            models, held = _fit(member, X, y, sought, learnt, clock if fitted else None)
        except LeftOutError as problem:
            note = f"left out: {problem}"
        except (ValueError, ArithmeticError, MemoryError) as problem:
            note = f"failed: {(str(problem).splitlines() or [type(problem).__name__])[0]}"
        else:
            scale = rank_scale(held[~wanted], held)
            fitted.append(FittedMember(name, member.weight, models, sought, scale))
            levels.append(scale(held))
            reached = average_precision(wanted, held) if judged else reached
        spent = time.perf_counter() - begun
        scores.append(MemberScore(str(target), name, reached, spent, note))
    announce("fitting the models", len(members), len(members))
    if not fitted:
        notes = "; ".join(f"{score.model}: {score.note}" for score in scores)
        raise DataError(f"No candidate could be fitted for class {target}. {notes}")
    mean = np.average(levels, axis=0, weights=[member.weight for member in fitted])
    held_out = mean if judged else None
    quality = judge(wanted, held_out, np.argmin(learnt, axis=0), by_kernel=by_kernel)
    if int(wanted.sum()) < PARTS <= int((~wanted).sum()):
        # The examples' levels are those of models that saw them: only the others' can be trusted.
        offset = float(mean[~wanted].max())
    else:
        offset = threshold(wanted, mean, np.ones(len(mean)))
    why = _words(str(target), [member.name for member in fitted], scores, quality)
    return Committee(tuple(fitted), offset, scores, quality, why)


def _fit(
    member: Member,
    X: Records,
    y: NDArray[Any],
    sought: Any,
    learnt: BoolArray,
    clock: Clock | None,
) -> tuple[tuple[Any, ...], FloatArray]:
    """Fit one member to every part; score every record by the fit that left it out.

    Records that no fit leaves out, because their kind is too few, are scored by all fits.
    Without a clock time does not matter.
    """
    held = np.full(len(y), np.nan)
    models = []

    def one(rows: IntArray, seed: int) -> Any:
        return member.make(len(learnt), seed).fit(take(X, rows), y[rows])

    if clock is not None:
        clock.foresee(one, y == sought, len(learnt))
    for seed, part in enumerate(learnt):
        begun = time.perf_counter()
        model = one(np.flatnonzero(part), seed)
        left_out = np.flatnonzero(~part)
        if len(left_out):
            held[left_out] = _scores(model, take(X, left_out), sought)
        models.append(model)
        if clock is not None:
            clock.check((time.perf_counter() - begun) * (len(learnt) - len(models)))
    always = np.flatnonzero(learnt.all(axis=0))
    if len(always):
        held[always] = np.mean([_scores(model, take(X, always), sought) for model in models], 0)
    if not np.isfinite(held).all():
        raise DataError("it gives no finite scores")
    return tuple(models), held


def _scores(model: Any, X: Records, wanted: Any) -> FloatArray:
    if len(model.classes_) == 2 and hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=np.float64).ravel()
    column = int(np.flatnonzero(model.classes_ == wanted)[0])
    probability = np.asarray(model.predict_proba(X), dtype=np.float64)[:, column]
    found: FloatArray = logit(np.clip(probability, _CERTAIN, 1.0 - _CERTAIN))
    return found


def _words(target: str, names: list[str], scores: list[MemberScore], quality: Quality) -> str:
    if len(names) == 1:
        start = f"For class {target} {names[0]} ranks alone."
    else:
        start = (
            f"For class {target} the rankings of {', '.join(names[:-1])} and {names[-1]} are "
            "averaged: examples are seldom enough to tell which is best."
        )
    notes = [f"{s.model.capitalize()} was {s.note.rstrip('.')}." for s in scores if s.note]
    return " ".join([start, quality.sentence, *notes])
