"""Running candidates on folds of the labelled records, in the time there is.

Folds run side by side, each in one thread: libraries that split a single fit over processors wait
for each other in busy loops, which on a machine with other work took seven times as long.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, Records, take
from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
from rarefind.core.threads import workers

Parts = list[tuple[IntArray, IntArray]]
"""Rows to learn from and rows to judge by, for every fold."""

_MANY_RECORDS = 20_000
"""Beyond, three folds instead of five: each tells enough, and they take long. A choice."""

_FEW_POSITIVES = 30
"""Up to so many, folds are drawn three times: which records fall together is luck. A choice."""

FEW_NUMBERS = 100_000
"""Up to so many numbers in all records, a fold is over before threads have met."""
_PROBED_NUMBERS = 500_000
"""From so many numbers in all records on, a candidate is first tried on a part of them."""
_LAST_FIT = 1.3
"""The fit on all records takes this many times as long as one on a fold."""
_STEEPEST = 2.5
"""Power of the number of records that no candidate's time grows with faster."""
_FEW_TREES = 60
"""Trees that show how good a forest is; its last digits need more. A choice."""

_TREE_RECORDS = 2000
"""Up to so many records a forest is judged by fewer trees than it has in the end."""


class Clock:
    """What is left of the time limit, less what the last fits will need."""

    def __init__(self, limit: float) -> None:
        self._end = time.perf_counter() + limit
        self.reserved = 0.0

    def left(self) -> float:
        """Count the seconds that may still be spent on comparing."""
        return self._end - time.perf_counter() - self.reserved


class Runner:
    """One candidate: scores of records that it has not seen, and what they cost."""

    def __init__(self, name: str, model: Any, n_records: int) -> None:
        self.name = name
        self.model = model
        self.held_out: list[FloatArray] = []
        self.precisions: list[float] = []
        self.seconds = 0.0
        self.note = ""
        self._n = n_records

    @property
    def average_precision(self) -> float:
        """Mean over all folds so far."""
        return float(np.mean(self.precisions))

    @property
    def seconds_a_fold(self) -> float:
        """Mean time for one fold so far."""
        return self.seconds / max(len(self.precisions), 1)

    def run(self, X: Records, wanted: BoolArray, parts: Parts, clock: Clock) -> bool:
        """Score every record by a model that has not seen it; False, with a note, if it cannot."""
        scores = np.zeros(self._n)
        first = not self.precisions
        expected = self._foresee(X, wanted, clock, len(parts)) if first else None
        if self.note:
            return False
        together = 1 if _numbers(X) <= FEW_NUMBERS else min(workers(), len(parts))
        for place in range(0, len(parts), together):
            to_come = len(parts) - place
            if expected is not None and expected * (to_come / together + _LAST_FIT) > clock.left():
                return self._leave_out(clock)
            batch = parts[place : place + together]
            begin = time.perf_counter()
            try:
                found = self._batch(X, wanted, batch)
                for (_, test), of_fold in zip(batch, found, strict=True):
                    self.precisions.append(average_precision(wanted[test], of_fold))
                    scores[test] = of_fold
            except (ValueError, ArithmeticError, MemoryError) as problem:
                lines = str(problem).splitlines() or [type(problem).__name__]
                self.note = f"failed: {lines[0]}"
                return False
            finally:
                self.seconds += time.perf_counter() - begin
            expected = time.perf_counter() - begin if first else None
        self.held_out.append(scores)
        if first:
            clock.reserved += (time.perf_counter() - begin) * _LAST_FIT
        return True

    def fit(self, X: Records, wanted: BoolArray) -> Any:
        """Fit the candidate to all records."""
        return clone(self.model).fit(X, wanted)

    def _leave_out(self, clock: Clock) -> bool:
        self.note = f"left out: would take more than the {max(clock.left(), 0.0):.0f} s left"
        return False

    def _batch(self, X: Records, wanted: BoolArray, batch: Parts) -> list[FloatArray]:
        """Fit and score some folds side by side."""
        if len(batch) == 1:
            return [self._scores(X, wanted, *batch[0])]

        def one(part: tuple[IntArray, IntArray]) -> FloatArray:
            with threadpool_limits(limits=1):
                return self._scores(X, wanted, *part)

        # Threads that set filters of warnings may put back each other's: in the end none stays.
        with warnings.catch_warnings(), ThreadPoolExecutor(len(batch)) as pool:
            return list(pool.map(one, batch))

    def _scores(self, X: Records, wanted: BoolArray, train: IntArray, test: IntArray) -> FloatArray:
        model = lighter(clone(self.model), len(train))
        fitted = model.fit(take(X, train), wanted[train])
        return np.asarray(fitted.decision_function(take(X, test)), dtype=np.float64)

    def _foresee(self, X: Records, wanted: BoolArray, clock: Clock, n_parts: int) -> float | None:
        """Estimate the seconds for a fold from fits to an eighth and, if need be, to a quarter.

        None if there is no need to: where records are few a fold itself tells soon enough.
        """
        if _numbers(X) < _PROBED_NUMBERS and clock.left() > 1.0:
            return None
        if clock.left() <= 0.0:
            self._leave_out(clock)
            return None
        grown = (n_parts - 1) / n_parts
        eighth = self._probe(X, wanted, 8)
        worst = eighth * (8 * grown) ** _STEEPEST
        if self.note or worst * (n_parts + _LAST_FIT) < clock.left():
            return worst
        quarter = self._probe(X, wanted, 4)
        steepness = float(np.clip(np.log2(max(quarter, 1e-9) / max(eighth, 1e-9)), 0.5, _STEEPEST))
        return quarter * float(4 * grown) ** steepness

    def _probe(self, X: Records, wanted: BoolArray, share: int) -> float:
        """Time a fit to one record in so many, and scoring a quarter as many."""
        rows = np.concatenate([np.flatnonzero(wanted)[::share], np.flatnonzero(~wanted)[::share]])
        begin = time.perf_counter()
        try:
            self._scores(X, wanted, np.sort(rows), np.sort(rows)[::4])
        except (ValueError, ArithmeticError, MemoryError):
            # Too few records may be the reason: the folds will tell.
            return 0.0
        return time.perf_counter() - begin


def lighter(model: Any, n_records: int) -> Any:
    """Take fewer trees for judging a forest by few records: they cost more than they tell."""
    if n_records <= _TREE_RECORDS:
        trees = {
            key: _FEW_TREES
            for key, value in model.get_params().items()
            if key.endswith("extratreesclassifier__n_estimators") and value > _FEW_TREES
        }
        model.set_params(**trees)
    return model


def _numbers(X: Records) -> int:
    shape = getattr(X, "shape", None)
    return int(np.prod(shape)) if shape and len(shape) == 2 else 1000 * len(X)


def race(
    candidates: Mapping[str, Any],
    X: Records,
    wanted: BoolArray,
    repetitions: Sequence[Parts],
    clock: Clock,
    hopeful: Any,
) -> tuple[list[Runner], list[Runner]]:
    """Run all candidates on the first folds, and those with hope on the repetitions.

    ``hopeful`` picks from the runners those that may still be used. Returned are the runners that
    have finished, all with the same folds, and those that failed or were left out.
    """
    running = [Runner(name, model, len(wanted)) for name, model in candidates.items()]
    total = len(running) * len(repetitions)
    done = 0
    failed: list[Runner] = []
    others: list[Runner] = []
    for number, parts in enumerate(repetitions):
        cost = sum(runner.seconds_a_fold * len(parts) for runner in running)
        if number and cost > clock.left():
            break
        finished: list[Runner] = []
        for runner in running:
            announce("comparing models", done, total)
            (finished if runner.run(X, wanted, parts, clock) else failed).append(runner)
            done += 1
        running = hopeful(finished) if finished else []
        others += [runner for runner in finished if runner not in running]
        done = (number + 1) * len(candidates)
        if len(running) < 2:
            break
    announce("comparing models", total, total)
    return running, [*others, *failed]


def folds(wanted: BoolArray, random_state: int | None) -> list[Parts]:
    """Stratified folds; several times over where positives are few, because each fold is luck."""
    fewest = int(min(wanted.sum(), (~wanted).sum()))
    n_folds = 3 if len(wanted) > _MANY_RECORDS else min(5, fewest)
    repetitions = 3 if fewest <= _FEW_POSITIVES and len(wanted) <= _MANY_RECORDS else 1
    seed = np.random.SeedSequence(random_state)
    found = []
    for part in seed.generate_state(repetitions):
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=int(part))
        found.append(list(splitter.split(np.zeros(len(wanted)), wanted)))
    return found
