"""Logistic regression with a kernel: probabilities for records of any kind."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, softmax
from sklearn.exceptions import ConvergenceWarning

from rarefind.core.arrays import FloatArray, Records, take
from rarefind.core.errors import DataError
from rarefind.core.params import BOOLEAN, Constraint, Integer, Number
from rarefind.core.random import generator
from rarefind.detection.kernel.feature_space import LANDMARKS, choose_landmarks, feature_space
from rarefind.detection.kernel.learner import CLASS_WEIGHT, KERNEL, KernelLearner, plain
from rarefind.detection.kernel.logistic_newton import begin_on_a_part, fit_classes, fit_two_classes

_PART = 4
"""Records per landmark that are enough for a first solution."""


class KernelLogisticRegression(KernelLearner):
    """Log-odds that are a function in the space of a kernel.

    Minimises ``Σ w_i log(1 + exp(-y_i f(x_i))) + λ/2 ‖f‖²`` for ``f(x) = b + Σ a_j k(x_j, x)`` by
    Newton's method with step halving; ``b``, the log-odds where all similarities are zero, is not
    penalised, so the mean probability of a class over the training records is its share of them.
    ``λ > 0`` keeps the solution finite on separable classes. Several classes: one function each,
    together by the multinomial likelihood.

    Up to 2000 records the solution is exact. Beyond, the function is spanned by landmarks
    (Nyström): all records of the rarer classes (up to 500), and 500 others drawn at random.

    Parameters
    ----------
    kernel
        A kernel, the name of one, "precomputed", or None: a Gaussian whose width is the median
        distance of the training records.
    regularization
        The ``λ`` above; ``1 / C`` in scikit-learn's terms.
    n_landmarks
        How many records span the function: a number, "all", or "auto" (see above).
    fit_intercept
        Whether there is a ``b``.
    class_weight
        None, "balanced", or a weight for each class. Probabilities then speak of a world where
        the classes have these weights.
    tol
        Stop when a Newton step lowers the loss by less than this share of it.
    max_iter
        Newton steps at most.
    random_state
        Seed of the draw of landmarks.

    Attributes
    ----------
    classes_
        The classes.
    support_, support_records_
        Rows and records of the landmarks.
    dual_coef_, intercept_
        The ``a`` of the landmarks and ``b``, one row per function.
    n_iter_
        Newton steps made.

    Examples
    --------
    >>> from rarefind.kernels import Gaussian
    >>> X, y = [[0.0], [0.2], [1.0], [1.1], [2.0]], [0, 0, 1, 1, 0]
    >>> model = KernelLogisticRegression(Gaussian(0.5), regularization=0.1).fit(X, y)
    >>> model.predict_proba([[1.0], [3.0]]).round(2)
    array([[0.17, 0.83],
           [0.77, 0.23]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "kernel": [KERNEL],
        "regularization": [Number(0, closed="neither")],
        "n_landmarks": LANDMARKS,
        "fit_intercept": [BOOLEAN],
        "class_weight": [CLASS_WEIGHT],
        "tol": [Number(0, closed="neither")],
        "max_iter": [Integer(1)],
    }

    def __init__(
        self,
        kernel: Any = None,
        *,
        regularization: float = 1.0,
        n_landmarks: Any = "auto",
        fit_intercept: bool = True,
        class_weight: Any = None,
        tol: float = 1e-12,
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.regularization = regularization
        self.n_landmarks = n_landmarks
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Records, y: Any, sample_weight: Any = None) -> KernelLogisticRegression:
        """Learn from records and their labels."""
        random = generator(self.random_state, type(self).__name__)
        X, numbers = self._read_training(X, y)
        weights = self._weights(sample_weight, self.class_weight, X, self.classes_[numbers])
        totals = np.bincount(numbers, weights)
        if (totals == 0).any():
            raise DataError(
                "KernelLogisticRegression needs a positive weight in every class. All records of "
                f"class {plain(self.classes_[totals.argmin()])!r} have weight zero; leave them out."
            )
        rows = np.flatnonzero(weights > 0)
        counted = X if self._pairwise() else take(X, rows)
        self._fit_kernel(counted)
        chosen = choose_landmarks(numbers[rows], self.n_landmarks, random, type(self).__name__)
        landmarks = rows[chosen]
        space = feature_space(self._gram(X, landmarks))
        Z = space.features(self._gram(X, rows, landmarks))
        two = len(self.classes_) == 2
        settings: dict[str, Any] = {
            "intercept": self.fit_intercept,
            "tol": self.tol,
            "max_iter": self.max_iter,
        }
        if two:
            members = numbers[rows].astype(np.float64)
            step = len(rows) // (_PART * Z.shape[1] + 1)
            if step > 1:
                settings["start"] = begin_on_a_part(
                    Z,
                    members,
                    weights[rows],
                    self.regularization,
                    intercept=self.fit_intercept,
                    step=step,
                )
            coef, intercept, self.n_iter_, converged = fit_two_classes(
                Z, members, weights[rows], self.regularization, **settings
            )
            coef, offsets = coef[:, None], np.array([intercept])
        else:
            coef, offsets, self.n_iter_, converged = fit_classes(
                Z, numbers[rows], weights[rows], self.regularization, **settings
            )
        if not converged:
            warnings.warn(
                f"KernelLogisticRegression stopped after {self.n_iter_} steps before reaching "
                f"tol={self.tol:g}. Increase max_iter or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.dual_coef_ = (space.matrix @ coef).T
        self.intercept_ = offsets
        self._keep(X, landmarks)
        return self

    def predict_proba(self, X: Records) -> FloatArray:
        """Probability of each class, one column per class."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        return softmax(scores, axis=1)

    def predict_log_proba(self, X: Records) -> FloatArray:
        """Logarithm of the probability of each class."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return -np.column_stack([np.logaddexp(0.0, scores), np.logaddexp(0.0, -scores)])
        return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
