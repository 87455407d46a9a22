"""Support vector machines that learn how much each of several kernels counts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from rarefind.core.arrays import FloatArray, Records, count, take
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.params import Constraint, Integer, Is, Number, OneOf
from rarefind.detection.kernel.learner import (
    CLASS_WEIGHT,
    KernelFunction,
    KernelLearner,
    fitted_kernel,
    is_vector_kernel,
    plain,
)
from rarefind.detection.kernel.mkl import kernel_stack
from rarefind.detection.kernel.mkl.inner_svm import InnerSvm
from rarefind.detection.kernel.mkl.newton import newton
from rarefind.detection.kernel.mkl.reduced_gradient import reduced_gradient
from rarefind.detection.labels import read_labels
from rarefind.detection.training import read_weights
from rarefind.kernels.contract import Kernel

_SMALL = 2000
"""Up to this many records, threads cost more than they save."""


class SimpleMKL(KernelLearner):
    """A support vector machine whose kernel is the best weighted sum of several.

    Minimises over weights ``d >= 0`` that sum to one the objective ``J(d)`` of the machine with
    kernel ``Σ d_m k_m`` (Rakotomamonjy, Bach, Canu and Grandvalet 2008). Most weights become
    exactly zero. A kernel may look at one part of a record only, so the weights say which parts
    matter. Several classes: one machine per class against the rest, all with the same weights,
    chosen for the sum of their objectives.

    Parameters
    ----------
    kernels
        A list of kernels, names of kernels or pairs ``(name, kernel)``; a mapping of names to
        kernels; a sum ``k1 + k2 + …``, whose terms are weighed; "precomputed" for a stack of
        matrices of shape (kernels, records, training records); or None, for vectors: Gaussians of
        a quarter to four times the median distance, and the linear kernel.
    C
        Penalty of a unit of violated margin.
    tol
        Relative duality gap at which to stop.
    solver
        "newton" (second order, a handful of machines) or "reduced-gradient" (as published,
        hundreds of machines).
    normalize
        How kernels are made comparable. "average": each is divided by its mean self-similarity
        over the training records, so that ``C`` means what it means elsewhere. "trace": divided
        by the sum, as published; ``C`` then acts like ``C / n``. "diagonal": every record gets
        self-similarity one (not with "precomputed", whose new records bring none). None: as is.
    class_weight
        None, "balanced", or a factor on ``C`` for each class.
    svm_tol
        Tolerance of the machine inside; the gap is only as good as that.
    max_iter
        Steps at most.

    Attributes
    ----------
    weights_
        Weight of each kernel; they sum to one.
    kernel_names_
        Names of the kernels in the same order.
    objective_
        ``J`` at these weights, ``Σα - ½ α'YKYα``.
    duality_gap_
        Certificate: no weights have an objective lower by more than this share of ``J``.
    n_svm_solves_
        Machines trained on the way (for several classes, sets of one machine per class).
    n_iter_
        Steps of the solver.
    classes_, support_, support_records_, dual_coef_, intercept_
        As in scikit-learn's SVC; one row per function.

    Examples
    --------
    >>> from rarefind.kernels import Gaussian, Linear
    >>> X = [[0.0], [0.3], [1.0], [1.2], [2.0], [2.2]]
    >>> model = SimpleMKL([Linear(), Gaussian(0.5)], C=10.0).fit(X, [0, 0, 1, 1, 0, 0])
    >>> model.weights_.round(3).tolist()
    [0.0, 1.0]
    >>> model.weights_table()[0]
    {'kernel': 'Gaussian(width=0.5)', 'weight': 1.0}
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "kernels": [
            Is(
                "a list of kernels, a mapping of names to kernels, a sum of kernels, 'precomputed' "
                "or None",
                lambda value: (
                    value is None
                    or isinstance(value, (list, tuple, Mapping, Kernel))
                    or (isinstance(value, str) and value == "precomputed")
                ),
            )
        ],
        "C": [Number(0, closed="neither")],
        "tol": [Number(0, closed="neither")],
        "solver": [OneOf("newton", "reduced-gradient")],
        "normalize": [OneOf("average", "trace", "diagonal", None)],
        "class_weight": [CLASS_WEIGHT],
        "svm_tol": [Number(0, closed="neither")],
        "max_iter": [Integer(1)],
    }

    def __init__(
        self,
        kernels: Any = None,
        *,
        C: float = 1.0,
        tol: float = 1e-3,
        solver: str = "newton",
        normalize: str | None = "average",
        class_weight: Any = None,
        svm_tol: float = 1e-8,
        max_iter: int = 200,
    ) -> None:
        self.kernels = kernels
        self.C = C
        self.tol = tol
        self.solver = solver
        self.normalize = normalize
        self.class_weight = class_weight
        self.svm_tol = svm_tol
        self.max_iter = max_iter

    def fit(self, X: Records, y: Any, sample_weight: Any = None) -> SimpleMKL:
        """Learn weights and machine from records and their labels.

        A record's ``sample_weight`` is a factor on its ``C``; without weight it is left out.
        """
        X, numbers = self._read_training(X, y)
        n_given = len(numbers)
        weights = read_weights(sample_weight, n_given, type(self).__name__)
        rows = np.flatnonzero(weights > 0)
        if len(rows) < n_given:
            totals = np.bincount(numbers, weights)
            if (totals == 0).any():
                raise DataError(
                    "SimpleMKL needs a positive weight in every class. All records of class "
                    f"{plain(self.classes_[totals.argmin()])!r} have weight zero; leave them out."
                )
            X = X[:, rows][:, :, rows] if self._pairwise() else take(X, rows)
            numbers = numbers[rows]
        stack = self._training_stack(X)
        n = stack.shape[1]
        wanted = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        signs = np.where(numbers[:, None] == np.array(wanted)[None, :], 1.0, -1.0)
        records = np.empty((n, 1))
        bounds = self.C * self._weights(
            weights[rows], self.class_weight, records, self.classes_[numbers]
        )
        if (bounds <= 0).any():
            raise ParameterError(
                "The 'class_weight' parameter of SimpleMKL must be positive for every class. "
                f"Got {self.class_weight!r} instead."
            )
        machine = InnerSvm(stack, signs, bounds, self.svm_tol)
        solve = newton if self.solver == "newton" else reduced_gradient
        start = np.full(len(stack), 1.0 / len(stack))
        with threadpool_limits(limits=1 if n <= _SMALL else None):
            found = solve(machine, start, self.tol, self.max_iter)
        if found.gap > self.tol:
            warnings.warn(
                f"SimpleMKL stopped with a duality gap of {found.gap:.2g}, above tol={self.tol:g}. "
                "Increase max_iter, lower svm_tol or accept a larger tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.weights_ = found.weights
        self.objective_ = found.objective
        self.duality_gap_ = found.gap
        self.n_svm_solves_ = machine.n_solves
        self.n_iter_ = machine.n_steps
        self.intercept_ = found.intercepts
        support = np.flatnonzero(found.coef.any(axis=1))
        self.dual_coef_ = found.coef[support].T
        self._n_training = n_given
        self.support_ = rows[support]
        self.support_records_ = None if self._pairwise() else take(X, support)
        return self

    def weights_table(self) -> list[dict[str, Any]]:
        """List the kernels with their weights, greatest first, ready for a data frame."""
        check_is_fitted(self)
        order = np.argsort(-self.weights_, kind="stable")
        return [
            {"kernel": self.kernel_names_[number], "weight": float(self.weights_[number])}
            for number in order
        ]

    def _pairwise(self) -> bool:
        return isinstance(self.kernels, str) and self.kernels == "precomputed"

    def _vectors(self) -> bool:
        if self.kernels is None:
            return True
        if not isinstance(self.kernels, (list, tuple, Mapping, Kernel)):
            return False
        return all(map(is_vector_kernel, kernel_stack.named_kernels(self.kernels).values()))

    def _read_labelled(self, X: Records, y: Any, *, reset: bool = True) -> tuple[Records, Any]:
        if not self._pairwise():
            return super()._read_labelled(X, y, reset=reset)
        stack = kernel_stack.read_stack(X)
        return stack, read_labels(self, stack[0], y)

    def _read_new(self, X: Records) -> Records:
        if not self._pairwise():
            return super()._read_new(X)
        check_is_fitted(self)
        stack = kernel_stack.read_stack(X, self._n_training)
        if len(stack) != len(self.weights_):
            raise DataError(
                f"SimpleMKL was trained with {len(self.weights_)} kernels. "
                f"Got a stack of {len(stack)} matrices."
            )
        return stack

    def _training_stack(self, X: Records) -> FloatArray:
        """Fit the kernels, compute their matrices and bring them to the same scale."""
        self.kernels_: list[KernelFunction] = []
        if self._pairwise():
            if self.normalize == "diagonal":
                raise ParameterError(
                    "The 'normalize' parameter of SimpleMKL must be 'average', 'trace' or None "
                    "when kernels='precomputed'. Got 'diagonal'; divide the matrices beforehand."
                )
            stack = np.array(X)
            self.kernel_names_ = [f"kernel {number}" for number in range(len(stack))]
        else:
            given = kernel_stack.default_kernels(X) if self.kernels is None else self.kernels
            named = kernel_stack.named_kernels(given)
            self.kernel_names_ = list(named)
            self.kernels_ = [fitted_kernel(kernel, X) for kernel in named.values()]
            stack = kernel_stack.training_stack(self.kernels_, X)
        self.scales_ = kernel_stack.scales(stack, self.normalize)
        if self.normalize == "diagonal":
            for matrix in stack:
                own = np.diag(matrix).copy()
                matrix[:] = kernel_stack.unit_diagonal(matrix, own, own)
        else:
            stack /= self.scales_[:, None, None]
        return stack

    def _similarities(self, X: Records) -> FloatArray:
        used = np.flatnonzero(self.weights_)
        if self._pairwise():
            share = self.weights_[used] / self.scales_[used]
            return np.tensordot(share, X[used][:, :, self.support_], axes=1)
        total = np.zeros((count(X), len(self.support_)))
        for number in used:
            total += self.weights_[number] * kernel_stack.new_similarities(
                self.kernels_[number],
                X,
                self.support_records_,
                float(self.scales_[number]),
                self.normalize,
            )
        return total
