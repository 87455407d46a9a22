"""What all learners with a kernel share: reading records, labels and similarities.

A learner takes records of any kind. Rows of numbers are checked the way scikit-learn checks them;
strings, sets or graphs go to the kernel as they are; with ``kernel="precomputed"`` the records are
the rows of a matrix of similarities.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, TypeAlias

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.errors import DataError
from rarefind.core.params import Constraint, Is, check_params
from rarefind.detection import training as records
from rarefind.detection.kernel.median_width import median_distance
from rarefind.detection.labels import read_labels
from rarefind.features.reading import read_features
from rarefind.kernels.contract import Kernel
from rarefind.kernels.registry import make_kernel
from rarefind.kernels.vectors import Gaussian

KernelFunction: TypeAlias = Callable[..., FloatArray]
"""A kernel, or any function of two lists of records that gives a matrix."""

KERNEL = Is(
    "a kernel, the name of one, 'precomputed' or None",
    lambda value: value is None or isinstance(value, str) or callable(value),
)
"""What a learner's ``kernel`` may be; names and 'precomputed' as in scikit-learn."""

CLASS_WEIGHT = Is(
    "'balanced', a mapping of classes to weights or None",
    lambda value: value is None or value == "balanced" or isinstance(value, Mapping),
)
"""What a learner's ``class_weight`` may be, as in scikit-learn."""


class KernelLearner(ClassifierMixin, BaseEstimator):
    """A classifier that knows its records only through a kernel."""

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {}

    kernel: Any
    classes_: Any
    support_: IntArray
    support_records_: Records
    kernel_: KernelFunction | None
    dual_coef_: FloatArray
    intercept_: FloatArray

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self._pairwise()
        tags.input_tags.pairwise = self._pairwise()
        tags.input_tags.two_d_array = self._vectors()
        return tags

    def _pairwise(self) -> bool:
        """Whether the records are rows of a matrix of similarities."""
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _vectors(self) -> bool:
        """Whether the records are rows of numbers."""
        return is_vector_kernel(self.kernel)

    def _read_training(self, X: Records, y: Any) -> tuple[Records, IntArray]:
        """Check parameters, records and labels; return the records and each label's number."""
        check_params(self, self._params)
        X, labels = self._read_labelled(X, y)
        self.classes_, numbers = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise DataError(
                f"{type(self).__name__} needs records of at least two classes in y. Got one class, "
                f"{plain(self.classes_[0])!r}, in all {len(labels)} records; label others too."
            )
        return X, numbers.astype(np.int64)

    def _read_labelled(self, X: Records, y: Any, *, reset: bool = True) -> tuple[Records, Any]:
        X = X if y is None else self._read_records(X, reset=reset)
        labels = read_labels(self, X, y)
        return (symmetric(X, type(self).__name__) if self._pairwise() else X), labels

    def _read_new(self, X: Records) -> Records:
        """Check records to be judged by the fitted learner."""
        check_is_fitted(self)
        return self._read_records(X, reset=False)

    def _read_records(self, X: Records, *, reset: bool) -> Records:
        if self._pairwise() or self._vectors():
            return read_features(self, X, reset=reset, accept_sparse=not self._pairwise())
        return X

    def _fit_kernel(self, X: Records) -> None:
        """Make the kernel of this fit: a copy that may learn from the training records."""
        self.kernel_ = None if self._pairwise() else fitted_kernel(self.kernel, X)

    def decision_function(self, X: Records) -> FloatArray:
        """Score of each record: for the second of two classes, or one column per class."""
        scores = self._similarities(self._read_new(X)) @ self.dual_coef_.T + self.intercept_
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Records) -> Any:
        """Most likely class of each record."""
        scores = self.decision_function(X)
        chosen = (scores > 0).astype(np.int64) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[chosen]

    def _gram(self, X: Records, rows: IntArray, columns: IntArray | None = None) -> FloatArray:
        """Similarities of training records; all rows with each other if no columns are named."""
        if self.kernel_ is None:
            return np.asarray(X)[np.ix_(rows, rows if columns is None else columns)]
        other = None if columns is None else take(X, columns)
        return similarities(self.kernel_, take(X, rows), other)

    def _keep(self, X: Records, rows: IntArray) -> None:
        """Remember the training records that later ones will be compared with."""
        self.support_ = rows
        self.support_records_ = None if self.kernel_ is None else take(X, rows)

    def _similarities(self, X: Records) -> FloatArray:
        """Similarities of checked records with those remembered."""
        if self.kernel_ is None:
            return np.asarray(X)[:, self.support_]
        if len(self.support_) == 0:
            return np.zeros((count(X), 0))
        return similarities(self.kernel_, X, self.support_records_)

    def _weights(self, sample_weight: Any, class_weight: Any, X: Records, y: Any) -> FloatArray:
        """Weight of each record: its own times that of its class."""
        weights = records.read_weights(sample_weight, count(X), type(self).__name__)
        if class_weight is not None:
            weights = weights * compute_sample_weight(class_weight, y)
        return weights


def plain(label: Any) -> Any:
    """Return a label as Python's own type, to be shown."""
    return label.item() if isinstance(label, np.generic) else label


def is_vector_kernel(kernel: Any) -> bool:
    """Whether a kernel (or the name of one) works on rows of numbers; None is the Gaussian."""
    if isinstance(kernel, str):
        kernel = None if kernel == "precomputed" else make_kernel(kernel)
    return kernel is None or (isinstance(kernel, Kernel) and kernel.takes_vectors)


def fitted_kernel(kernel: Any, X: Records) -> KernelFunction:
    """Return a copy of a kernel, fitted to the records; None is a Gaussian of median width."""
    if kernel is None:
        return Gaussian(width=median_distance(X))
    if not isinstance(kernel, (str, Kernel)):
        return kernel
    # A copy of its own keeps the learner as it was fitted when the caller changes the kernel.
    found = records.fitted_kernel(kernel, X)
    assert found is not None
    return copy(found)


def similarities(kernel: Any, X: Records, other: Records | None = None) -> FloatArray:
    """Compare records by a kernel, which must give finite numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        return finite_gram(kernel(X) if other is None else kernel(X, other), kernel)


def finite_gram(gram: Any, kernel: Any) -> FloatArray:
    """Return a kernel's matrix, refusing one that holds NaN or infinity."""
    matrix: FloatArray = (
        gram.toarray() if sparse.issparse(gram) else np.asarray(gram, dtype=np.float64)
    )
    if not np.isfinite(matrix).all():
        row, column = np.argwhere(~np.isfinite(matrix))[0]
        raise DataError(
            f"The kernel {kernel!r} must give finite similarities. Got {matrix[row, column]} for "
            f"records {row} and {column}; normalise the kernel or scale the records."
        )
    return matrix


def symmetric(gram: FloatArray, owner: str) -> FloatArray:
    """Check that a matrix is one of similarities of records with each other."""
    if gram.shape[0] != gram.shape[1]:
        raise DataError(
            f"{owner} with kernel='precomputed' needs a square matrix of similarities of the "
            f"training records with each other. Got a matrix of shape {gram.shape}."
        )
    scale = max(float(np.abs(gram).max()), 1e-300)
    if np.abs(gram - gram.T).max() > 1e-8 * scale:
        row, column = np.unravel_index(np.abs(gram - gram.T).argmax(), gram.shape)
        raise DataError(
            f"{owner} with kernel='precomputed' needs a symmetric matrix. Entries ({row}, {column})"
            f" and ({column}, {row}) are {gram[row, column]:g} and {gram[column, row]:g}; "
            "pass (K + K.T) / 2 if both are meant."
        )
    return gram


def self_similarity(kernel: KernelFunction, X: Records) -> FloatArray:
    """Similarity of each record with itself, for kernels and for plain functions."""
    diag = getattr(kernel, "diag", None)
    if diag is not None:
        return np.asarray(diag(X), dtype=np.float64)
    singles = (take(X, slice(row, row + 1)) for row in range(count(X)))
    return np.array([float(kernel(one, one)[0, 0]) for one in singles])
