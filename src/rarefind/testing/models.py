"""What every detection model must satisfy."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score
from sklearn.utils.estimator_checks import check_estimator

from rarefind.core.arrays import FloatArray, Records, count, take
from rarefind.detection import load, save
from rarefind.testing.rules import (
    RuleBrokenError,
    judge,
    require,
    require_equal,
    require_refused,
    shown,
)

_BETTER_THAN_CHANCE = 0.7
"""How often, at least, a rare record has the higher score of two; by chance it is one half."""


def check_model(
    model: Any,
    X: Records | None = None,
    y: Any = None,
    *,
    saved: bool = True,
    scikit_learn: bool = True,
) -> None:
    """Raise AssertionError, in words, unless a model keeps its promises.

    It ranks every record with a finite number, higher for the rarer class whatever its name; a
    score does not depend on the records scored with it; copies, and files where it is saved, say
    the same; what cannot be learnt from is refused in words. Where ``X`` is left out, the records
    are a table of the suite's own, of which more can be asked, and scikit-learn's checks are tried.

    Parameters
    ----------
    model
        An estimator with ``fit`` and ``decision_function``. Copies of it are tried.
    X, y
        Records that it takes, and their labels: two classes that can be told apart, four or more
        of the rarer one.
    saved
        Whether ``rarefind.detection.save`` knows its class.
    scikit_learn
        Whether to try ``sklearn.utils.estimator_checks`` too; not every pipeline passes them.

    Examples
    --------
    >>> from rarefind.detection import Lago
    >>> from rarefind.kernels import Spectrum
    >>> words = ["gatta", "gattc", "tatta", "gatga", "tagta", "cattg", "ccc", "cc", "cccc", "gccc"]
    >>> check_model(Lago(kernel=Spectrum(2)), words, ["usual"] * 6 + ["rare"] * 4)
    """
    table = X is None
    records, labels = _own_table() if table else (X, np.asarray(y))
    left_out = {_table: not table, _scikit_learn: not (table and scikit_learn), _file: not saved}
    rules = [rule for rule in RULES if not left_out.get(rule)]
    judge(shown(model), rules, _Tried(model, records, labels))


@dataclass
class _Tried:
    model: Any
    X: Records
    y: NDArray[Any]

    def __post_init__(self) -> None:
        classes, counts = np.unique(self.y, return_counts=True)
        self.rare: NDArray[np.bool_] = self.y == classes[np.argmin(counts)]

    def copy(self) -> Any:
        """Make a copy that leaves nothing to chance."""
        chance = {
            name: 0
            for name, value in self.model.get_params().items()
            if name.split("__")[-1] == "random_state" and value is None
        }
        return clone(self.model).set_params(**chance)

    def fitted(self, y: Any = None) -> Any:
        return self.copy().fit(deepcopy(self.X), self.y if y is None else y)

    def named(self, rare: str, usual: str) -> NDArray[Any]:
        return np.where(self.rare, rare, usual)


def _finite(tried: _Tried) -> None:
    """decision_function gives a finite number for each record, of two classes."""
    scores = np.asarray(tried.fitted().decision_function(tried.X))
    require_equal(scores.shape, (count(tried.X),), "Its shape")
    for row in np.flatnonzero(~np.isfinite(scores))[:1]:
        raise RuleBrokenError(f"The score of record {row} is {scores[row]}.")


def _rarer(tried: _Tried) -> None:
    """Higher means more like the rarer class, whatever the classes are called."""
    for rare, usual in (("ant", "zebra"), ("zebra", "ant")):
        scores = tried.fitted(tried.named(rare, usual)).decision_function(tried.X)
        share = float(roc_auc_score(tried.rare, scores))
        require(
            share >= _BETTER_THAN_CHANCE,
            f"With {rare!r} rare among {usual!r}, the rare one of two records that were learnt "
            f"from has the higher score in a share of {share:.2f}.",
        )


def _labels(tried: _Tried) -> None:
    """What predict answers are labels learnt from, which classes_ holds."""
    model = tried.fitted(tried.named("rare", "usual"))
    require_equal(sorted(map(str, model.classes_)), ["rare", "usual"], "classes_")
    said = np.asarray(model.predict(tried.X))
    require_equal(said.shape, (count(tried.X),), "The shape of what predict returns")
    require(set(said.tolist()) <= {"rare", "usual"}, f"predict said {shown(set(said.tolist()))}.")


def _alone(tried: _Tried) -> None:
    """The score of a record does not depend on the records scored with it, nor on their order."""
    model = tried.fitted()
    together = np.asarray(model.decision_function(tried.X))
    back = np.arange(count(tried.X))[::-1]
    _compare(model.decision_function(take(tried.X, back))[::-1], together, "in reverse order")
    few = range(0, count(tried.X), max(1, count(tried.X) // 6))
    alone = [model.decision_function(take(tried.X, slice(row, row + 1)))[0] for row in few]
    _compare(np.array(alone), together[list(few)], "alone")


def _copy(tried: _Tried) -> None:
    """A copy has the same parameters, and given the same records and random_state says the same."""
    copy = tried.copy()
    require_equal(sorted(copy.get_params()), sorted(tried.model.get_params()), "Its parameters")
    scores = [tried.fitted().decision_function(tried.X) for _ in range(2)]
    _compare(scores[1], scores[0], "by another copy")
    X = deepcopy(tried.X)
    again = copy.fit(X, tried.named("a", "b")).fit(X, tried.y)
    _compare(again.decision_function(tried.X), scores[0], "after it was fitted to other labels")


def _untouched(tried: _Tried) -> None:
    """Learning and ranking leave records, labels and parameters as they are."""
    X, y, model = deepcopy(tried.X), tried.y.copy(), clone(tried.model)
    before = repr(model)
    model.fit(X, y).decision_function(X)
    require_equal(y, tried.y, "The labels")
    require_equal(repr(model), before, "The model as it prints itself")
    if isinstance(X, np.ndarray):
        require_equal(X, tried.X, "The records")


def _unfitted(tried: _Tried) -> None:
    """A model that has learnt nothing says so with NotFittedError."""
    model = clone(tried.model)
    require_refused(
        lambda: model.decision_function(tried.X), NotFittedError, "decision_function before fit"
    )


def _refused(tried: _Tried) -> None:
    """Labels that nothing can be learnt from are refused in words, with a ValueError."""
    for what, labels in {
        "One class": tried.named("usual", "usual"),
        "Two labels too few": tried.y[:-2],
    }.items():
        require_refused(partial(tried.fitted, labels), ValueError, what)


def _table(tried: _Tried) -> None:
    """Tables that nothing can be learnt from are refused in words, with a ValueError."""
    infinite = tried.X.copy()
    infinite[3, 1] = -np.inf
    for what, X in {
        "Infinity": infinite,
        "No records": tried.X[:0],
        "No features": tried.X[:, :0],
        "One number a record": tried.X[:, 0],
        "Words": np.full((len(tried.X), 2), "word"),
    }.items():
        require_refused(partial(tried.copy().fit, X, tried.y[: len(X)]), ValueError, what)
    wider = np.ones((2, tried.X.shape[1] + 1))
    require_refused(
        partial(tried.fitted().decision_function, wider), ValueError, "A feature too many"
    )


def _file(tried: _Tried) -> None:
    """A model that was saved and loaded ranks the same, to the last digit."""
    model = tried.fitted()
    with TemporaryDirectory() as folder:
        save(model, Path(folder) / "model")
        loaded = load(Path(folder) / "model")
    require_equal(
        np.asarray(loaded.decision_function(tried.X)),
        np.asarray(model.decision_function(tried.X)),
        "The scores of the loaded model",
    )


def _scikit_learn(tried: _Tried) -> None:
    """scikit-learn's own checks pass."""
    for one in check_estimator(clone(tried.model), on_skip=None, on_fail=None):
        if one["status"] == "failed":
            said = str(one["exception"]).strip() or type(one["exception"]).__name__
            raise RuleBrokenError(f"{one['check_name']} failed: {said.splitlines()[0]}")


def _own_table() -> tuple[FloatArray, NDArray[Any]]:
    random = np.random.default_rng(0)
    X = np.vstack([random.normal(size=(50, 3)), random.normal(3.0, 0.4, size=(8, 3))])
    order = random.permutation(len(X))
    return X[order], np.array(["usual"] * 50 + ["rare"] * 8)[order]


def _compare(found: Any, expected: NDArray[Any], how: str) -> None:
    close = np.isclose(found, expected, rtol=1e-6, atol=1e-9 * np.abs(expected).max())
    for place in np.flatnonzero(~close)[:1]:
        raise RuleBrokenError(
            f"A record scored {how} has {np.asarray(found)[place]:.9g}, and had "
            f"{expected[place]:.9g}."
        )


RULES = (
    _finite,
    _rarer,
    _labels,
    _alone,
    _copy,
    _untouched,
    _unfitted,
    _refused,
    _table,
    _file,
    _scikit_learn,
)
"""In the order in which they are tried."""
