"""Rosenblatt's perceptron."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import ParameterError
from rarefind.core.params import BOOLEAN, Constraint, Integer, Number, check_params
from rarefind.core.random import generator
from rarefind.detection.linear.learner import LinearLearner


class Perceptron(LinearLearner):
    """Go through the records, and turn the plane at each one that is judged wrongly.

    A record with ``y (w·x + b) <= 0`` is a mistake (``y`` is 1 or -1); then ``eta0 y x`` is added
    to ``w`` and ``eta0 y`` to ``b``. Passes end when one has no mistake, so classes that a plane
    separates are separated, or after ``epochs``.

    Parameters
    ----------
    eta0
        Learning rate. From starting weights of zero it changes the length of ``w`` only.
    w0
        Starting weights: None for zero, or a number for each feature and, if wanted, one more for
        the bias.
    epochs
        Passes through the records at most.
    averaged
        Where no pass was without mistakes, judge by the mean of the plane over all steps, which is
        steadier than the last one when classes overlap.
    shuffle
        Visit the records in a new random order in every pass.
    random_state
        Seed of the orders.

    Attributes
    ----------
    classes_, coef_, intercept_
        The classes, ``w`` and ``b``.
    mistakes_
        Mistakes made in learning.
    n_iter_
        Passes made.
    converged_
        Whether the last pass was without mistakes, so that the plane separates the classes.
    novikoff_bound_
        Upper bound on the mistakes, for the separating plane that was found; infinite where none
        was. Without starting weights it is ``(R / γ)²``: ``R² = max ‖x‖² + 1``, and ``γ`` is the
        least distance of a record from the plane, where the bias counts as one more coordinate.
        The least such bound is :func:`rarefind.detection.novikoff_bound`.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [0, 0, 0, 1]
    >>> model = Perceptron(random_state=0).fit(X, y)
    >>> model.predict(X).tolist(), model.converged_
    ([0, 0, 0, 1], True)
    >>> bool(model.mistakes_[0] <= model.novikoff_bound_[0])
    True
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "eta0": [Number(0, closed="neither")],
        "epochs": [Integer(1)],
        "averaged": [BOOLEAN],
        "shuffle": [BOOLEAN],
    }

    def __init__(
        self,
        *,
        eta0: float = 1.0,
        w0: Any = None,
        epochs: int = 1000,
        averaged: bool = True,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        self.eta0 = eta0
        self.w0 = w0
        self.epochs = epochs
        self.averaged = averaged
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(self, X: Records, y: Any) -> Perceptron:
        """Learn from records of two classes."""
        from rarefind.detection.linear.loops import perceptron_pass

        check_params(self, self._params)
        random = generator(self.random_state, type(self).__name__)
        X, numbers = self._read_training(X, y)
        rows = sparse.csr_array(X)
        n, features = rows.shape
        signs = np.where(numbers == 1, 1.0, -1.0)
        starts, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
        start = self._start(features)
        weights, late = start.copy(), np.zeros(features + 1)
        mistakes, self.converged_ = 0, False
        for epoch in range(self.epochs):
            self.n_iter_ = epoch + 1
            order = random.permutation(n) if self.shuffle else np.arange(n)
            made = perceptron_pass(
                *(starts, columns, rows.data, signs, order.astype(np.int64)),
                *(weights, late, float(self.eta0), epoch * n),
            )
            mistakes += made
            if not made:
                self.converged_ = True
                break
        if self.averaged and not self.converged_:
            weights = weights - late / (self.n_iter_ * n)
        self.coef_, self.intercept_ = weights[None, :-1], weights[-1:]
        self.mistakes_ = np.array([mistakes])
        self.novikoff_bound_ = np.array([self._bound(rows, signs, start, weights)])
        return self

    def _start(self, features: int) -> FloatArray:
        if self.w0 is None:
            return np.zeros(features + 1)
        try:
            given = np.atleast_1d(np.asarray(self.w0, dtype=np.float64))
        except (TypeError, ValueError):
            given = np.array([np.nan])
        if given.ndim != 1 or len(given) not in (features, features + 1):
            raise ParameterError(
                f"The 'w0' parameter of Perceptron must hold {features} numbers, one for each "
                f"feature, or {features + 1} with the bias. Got {self.w0!r:.60} instead."
            )
        if not np.isfinite(given).all():
            raise ParameterError(
                f"The 'w0' parameter of Perceptron must hold finite numbers. Got {self.w0!r:.60}."
            )
        return given.copy() if len(given) > features else np.append(given, 0.0)

    def _bound(self, rows: Any, signs: FloatArray, start: FloatArray, weights: FloatArray) -> float:
        """Solve ``(s + k η γ)² <= ‖w0‖² + k η² R²`` for the mistakes ``k``; ``s`` is w0 along w."""
        length = float(np.linalg.norm(weights))
        if not self.converged_ or length == 0.0:
            return math.inf
        margin = float((signs * (rows @ weights[:-1] + weights[-1])).min()) / length
        squared_radius = float(rows.multiply(rows).sum(axis=1).max()) + 1.0
        if margin <= 0.0:
            return math.inf
        along = float(start @ weights) / length
        across = max(float(start @ start) - along**2, 0.0)
        half = self.eta0 * squared_radius - 2.0 * along * margin
        root = math.sqrt(half**2 + 4.0 * margin**2 * across)
        return (half + root) / (2.0 * self.eta0 * margin**2)
