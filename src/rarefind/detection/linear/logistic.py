"""Logistic regression by maximum likelihood, without a penalty: all at once or record by record."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from rarefind.core.arrays import FloatArray, IntArray, Records, count
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint, Integer, Number, OneOf
from rarefind.core.random import generator
from rarefind.detection.linear.learner import LinearLearner
from rarefind.detection.training import read_weights
from rarefind.features.reading import read_features
from rarefind.features.unit_spread import UnitSpread

_RECORDS_A_PACE = 200
"""With fewer records, steps that shrank from pass to pass would soon be too short to arrive."""


class _MaximumLikelihood(LinearLearner, ABC):
    """Learn with features of spread one, and tell the coefficients in the features' own units."""

    def fit(self, X: Records, y: Any, sample_weight: Any = None) -> Any:
        """Learn from records of two classes."""
        X, numbers = self._read_training(X, y)
        weight = read_weights(sample_weight, count(X), type(self).__name__)
        self.scaling_ = UnitSpread(type(self).__name__).fit(X)
        Z = self.scaling_.transform(X)
        self._slope, self._level = self._learn(Z, numbers, weight)
        self.gradient_ = _slope_left(Z, numbers, weight, np.append(self._slope, self._level))
        with np.errstate(over="ignore"):
            own = self._slope / self.scaling_.spread_
            self.coef_ = (own / self.scaling_.unit_)[None, :]
        self.intercept_ = np.array([self._level - own @ self.scaling_.mean_])
        return self

    def decision_function(self, X: Records) -> FloatArray:
        """Log-odds of the second class for each record."""
        odds: FloatArray = self.scaling_.transform(self._read_new(X)) @ self._slope + self._level
        return odds

    def predict_proba(self, X: Records) -> FloatArray:
        """Probability of each class for each record."""
        rare = expit(self.decision_function(X))
        return np.column_stack([1.0 - rare, rare])

    def _read(self, X: Records, *, reset: bool) -> Any:
        return read_features(self, X, reset=reset, largest=None)

    @abstractmethod
    def _learn(self, Z: Any, numbers: IntArray, weight: FloatArray) -> tuple[FloatArray, float]:
        """Find slope and level of the log-odds, for features of spread one."""


class LogisticML(_MaximumLikelihood):
    """Logistic regression by Newton's method: the coefficients of greatest likelihood.

    Where a plane separates the classes, the likelihood has no greatest value; then the coefficients
    are merely large, ``converged_`` is False, and a penalty (the model "logistic") is the cure.

    Parameters
    ----------
    max_iter
        Steps of Newton's method at most.

    Attributes
    ----------
    classes_
        The classes; the odds are for the second.
    coef_, intercept_
        ``β`` and ``α`` of ``log-odds = α + β·x``, in the units of the features.
    gradient_
        Largest slope that is left of the mean log-likelihood, for features of spread one.
    n_iter_
        Steps made.
    converged_
        Whether there is a greatest likelihood: False where a plane separates the classes.
    scaling_
        What gives the features spread one before learning.

    Examples
    --------
    >>> model = LogisticML().fit([[0.0], [0.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1, 1])
    >>> model.coef_.round(4).tolist(), abs(model.intercept_).round(4).tolist()
    ([[0.6931]], [0.0])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"max_iter": [Integer(1)]}

    def __init__(self, *, max_iter: int = 200) -> None:
        self.max_iter = max_iter

    def _learn(self, Z: Any, numbers: IntArray, weight: FloatArray) -> tuple[FloatArray, float]:
        ensure_fits(16 * Z.shape[1] ** 2, "Newton's matrix", "Use 'logistic-sgd' instead.")
        newton = LogisticRegression(
            C=np.inf, solver="newton-cholesky", tol=1e-10, max_iter=self.max_iter
        )
        with warnings.catch_warnings():
            # Of features that repeat others, which is harmless, and of classes apart, which
            # converged_ tells.
            warnings.simplefilter("ignore")
            newton.fit(Z, numbers, sample_weight=weight)
        self.n_iter_ = int(newton.n_iter_[0])
        slope, level = newton.coef_[0], float(newton.intercept_[0])
        sides = Z @ slope + level
        right = np.where(numbers == 1, sides, -sides)[weight > 0] > 0
        self.converged_ = not bool(right.all())
        return slope, level


class LogisticSGD(_MaximumLikelihood):
    """Logistic regression by stochastic gradient descent, until the likelihood is greatest.

    Records come in a new order in every pass, and each moves the coefficients by
    ``η (y - p) x``. The step stays the same within a pass and shrinks from pass to pass,
    ``η = η0 / (1 + pass)^decay``, where 200 visits count as a pass if records are fewer. Passes end
    when the slope of the mean log-likelihood over all records is below ``tol``, for
    the last coefficients or for their mean over the passes. Features that nearly repeat each other
    make the way long; "logistic-ml" then needs a few steps only.

    Parameters
    ----------
    eta0
        First step, for features of spread one, or ``"auto"``: ``4 / (1 + mean ‖x‖²)``, one over the
        greatest curvature that a usual record has.
    decay
        How fast steps shrink; with zero all are alike, and the way never quite ends.
    tol
        Slope at which the likelihood counts as greatest.
    epochs
        Passes at most; ``converged_`` says whether they sufficed.
    random_state
        Seed of the orders.

    Attributes
    ----------
    classes_, coef_, intercept_, gradient_, scaling_
        As in LogisticML.
    n_iter_
        Passes made.
    eta_, log_likelihood_
        Step of every pass, and the mean log-likelihood after it.
    converged_
        Whether the slope fell below ``tol``.

    Examples
    --------
    >>> X, y = [[0.0], [0.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1, 1]
    >>> model = LogisticSGD(random_state=0).fit(X, y)
    >>> model.coef_.round(1).tolist(), model.converged_
    ([[0.7]], True)
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "eta0": [Number(0, closed="neither"), OneOf("auto")],
        "decay": [Number(0, 1)],
        "tol": [Number(0, closed="neither")],
        "epochs": [Integer(1)],
    }

    def __init__(
        self,
        *,
        eta0: Any = "auto",
        decay: float = 1.0,
        tol: float = 1e-4,
        epochs: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.eta0 = eta0
        self.decay = decay
        self.tol = tol
        self.epochs = epochs
        self.random_state = random_state

    def _learn(self, Z: Any, numbers: IntArray, weight: FloatArray) -> tuple[FloatArray, float]:
        from rarefind.detection.linear.loops import logistic_pass

        random = generator(self.random_state, type(self).__name__)
        rows = sparse.csr_array(Z)
        starts, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
        first = _first_step(rows) if self.eta0 == "auto" else float(self.eta0)
        n, wanted, counts = len(numbers), numbers.astype(np.float64), weight / weight.mean()
        moving, mean = np.zeros(Z.shape[1] + 1), np.zeros(Z.shape[1] + 1)
        steps, likelihoods = [], []
        pace = max(1.0, _RECORDS_A_PACE / n)
        for epoch in range(self.epochs):
            steps.append(first / (1.0 + epoch / pace) ** self.decay)
            late = np.zeros(len(moving))
            logistic_pass(
                *(starts, columns, rows.data, wanted, counts, random.permutation(n)),
                *(moving, late, steps[-1]),
            )
            # The mean over all passes, later ones more: with many records it is ahead of the last.
            mean += (moving - late / n - mean) * 3.0 / (epoch + 3.0)
            best = min((moving, mean), key=lambda one: _slope_left(Z, numbers, weight, one))
            odds = Z @ best[:-1] + best[-1]
            losses = np.logaddexp(0.0, np.where(numbers == 1, -odds, odds))
            likelihoods.append(-float(np.average(losses, weights=weight)))
            self.converged_ = _slope_left(Z, numbers, weight, best) <= self.tol
            if self.converged_:
                break
        slope, level = best[:-1].copy(), float(best[-1])
        self.n_iter_ = len(steps)
        self.eta_, self.log_likelihood_ = np.array(steps), np.array(likelihoods)
        return slope, level


def _first_step(rows: Any) -> float:
    return 4.0 / (1.0 + float(rows.multiply(rows).sum()) / rows.shape[0])


def _slope_left(Z: Any, numbers: IntArray, weight: FloatArray, coefficients: FloatArray) -> float:
    """Largest slope of the mean log-likelihood in any coefficient; the last one is the level."""
    chances = expit(Z @ coefficients[:-1] + coefficients[-1])
    residual = weight * (numbers - chances) / weight.sum()
    return max(float(np.abs(Z.T @ residual).max()), abs(float(residual.sum())))
