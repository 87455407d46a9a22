"""One view on many kinds of fitted models: the function they judge by, in a space of features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC, NuSVC
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.errors import DataError, NotAvailableError
from rarefind.detection.kernel.learner import KernelLearner, self_similarity
from rarefind.detection.kernel.mkl import SimpleMKL
from rarefind.detection.kernel.mkl.kernel_stack import new_similarities
from rarefind.kernels.vectors import Linear, squared_norms

RowSimilarity = Callable[[IntArray, "IntArray | None"], FloatArray]


@dataclass(frozen=True)
class Plane:
    """One two-class function ``f(x) = <w, x> + b`` in the space of features.

    ``alphas`` are the multipliers of a support vector machine, None for other models;
    ``directions`` the ``w`` itself, where the features are those of the records.
    """

    name: str
    signs: FloatArray
    values: FloatArray
    squared_length: float
    alphas: FloatArray | None = None
    direction: FloatArray | None = None


@dataclass(frozen=True)
class ModelPlanes:
    """A fitted model with its training records, seen as planes among points."""

    model: Any
    n: int
    classes: list[Any]
    planes: list[Plane]
    own: FloatArray
    similarity: RowSimilarity
    support: IntArray | None
    dimensions: int | None
    spread: FloatArray | None
    feature_names: list[str] | None


def planes_of(
    model: Any, X: Records, y: Any, feature_names: Sequence[str] | None = None
) -> ModelPlanes:
    """Look at a fitted model and the records it was trained on."""
    check_is_fitted(model)
    if isinstance(model, Pipeline):
        if len(model.steps) > 1:
            before = model[:-1]
            if feature_names is None and hasattr(before, "get_feature_names_out"):
                feature_names = _names_out(before)
            X = before.transform(X)
        model = model.steps[-1][1]
    labels = np.asarray(y)
    if count_records(model, X) != len(labels):
        raise DataError(
            f"report needs one label per record. Got {count_records(model, X)} records and "
            f"{len(labels)} labels."
        )
    if hasattr(model, "coef_") and not hasattr(model, "dual_coef_"):
        return _linear_planes(model, X, labels, feature_names)
    if hasattr(model, "dual_coef_") and hasattr(model, "support_"):
        return _kernel_planes(model, X, labels, feature_names)
    raise NotAvailableError(
        f"report explains linear models, kernel machines and pipelines that end in one. "
        f"Got {type(model).__name__}."
    )


def count_records(model: Any, X: Records) -> int:
    """Count the records; a stack of matrices has them in its second axis."""
    if isinstance(model, SimpleMKL) and isinstance(model.kernels, str):
        return int(np.shape(X)[1])
    return count(X)


def _names_out(before: Any) -> list[str] | None:
    try:
        return [str(name) for name in before.get_feature_names_out()]
    except (AttributeError, ValueError):
        return None


def _signs(classes: list[Any], labels: Any, functions: int) -> list[tuple[str, FloatArray]]:
    wanted = [classes[-1]] if functions == 1 else classes
    return [(str(name), np.where(labels == name, 1.0, -1.0)) for name in wanted]


def _values(model: Any, X: Records, n: int) -> FloatArray:
    scores = np.asarray(model.decision_function(X), dtype=np.float64)
    return scores.reshape(n, -1)


def _linear_planes(model: Any, X: Records, labels: Any, names: Sequence[str] | None) -> ModelPlanes:
    matrix = _array(X)
    n = matrix.shape[0]
    coef = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    values = _values(model, X, n)
    classes = list(model.classes_)
    planes = [
        Plane(name, signs, values[:, number], float(w @ w), direction=w)
        for number, ((name, signs), w) in enumerate(
            zip(_signs(classes, labels, len(coef)), coef, strict=True)
        )
    ]

    def similarity(rows: IntArray, columns: IntArray | None) -> FloatArray:
        other = matrix if columns is None else matrix[columns]
        return np.asarray(_dense(matrix[rows] @ other.T))

    return ModelPlanes(
        model,
        n,
        classes,
        planes,
        squared_norms(matrix),
        similarity,
        None,
        matrix.shape[1],
        _spread(matrix),
        _feature_names(model, X, matrix.shape[1], names),
    )


def _kernel_planes(model: Any, X: Records, labels: Any, names: Sequence[str] | None) -> ModelPlanes:
    n = len(labels)
    support = np.asarray(model.support_)
    trained = int(model.shape_fit_[0]) if hasattr(model, "shape_fit_") else n
    if trained != n or (len(support) and support.max() >= n):
        raise DataError(
            f"report needs the records {type(model).__name__} was trained on ({trained} of them). "
            f"Got {n} records."
        )
    classes = list(model.classes_)
    similarity, own = _similarities(model, X, n)
    coef = np.asarray(_dense(model.dual_coef_), dtype=np.float64)
    planes: list[Plane] = []
    one_per_class = isinstance(model, KernelLearner) or len(classes) == 2
    linear = _is_linear(model)
    dimensions = int(np.shape(X)[1]) if linear else None
    if one_per_class and not hasattr(model, "eigenvalues_"):
        values = _values(model, X, n)
        among = similarity(support, support) if len(support) else np.zeros((0, 0))
        for number, (name, signs) in enumerate(_signs(classes, labels, len(coef))):
            alphas = None
            if isinstance(model, (SVC, NuSVC, SimpleMKL)):
                alphas = np.zeros(n)
                alphas[support] = np.abs(coef[number])
            length = float(coef[number] @ among @ coef[number])
            direction = _direction(coef[number], X, support) if linear else None
            planes.append(Plane(name, signs, values[:, number], length, alphas, direction))
    elif linear and hasattr(model, "eigenvalues_"):
        for number, row in enumerate(coef):
            direction = _direction(row, X, support)
            length = float(direction @ direction)
            nothing = np.zeros(0)
            name = f"direction {number + 1}"
            planes.append(Plane(name, nothing, nothing, length, direction=direction))
    return ModelPlanes(
        model,
        n,
        classes,
        planes,
        own,
        similarity,
        support,
        dimensions,
        _spread(X) if linear else None,
        _feature_names(model, X, dimensions, names) if dimensions is not None else None,
    )


def _direction(coef: FloatArray, X: Records, support: IntArray) -> FloatArray:
    return np.asarray(coef @ np.asarray(_dense(take(_array(X), support)))).ravel()


def _array(X: Records) -> Any:
    return sparse.csr_array(X) if sparse.issparse(X) else np.asarray(X, dtype=np.float64)


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def _is_linear(model: Any) -> bool:
    if isinstance(model, SimpleMKL):
        return False
    kernel = getattr(model, "kernel_", None) or model.kernel
    return isinstance(kernel, Linear) or (isinstance(kernel, str) and kernel == "linear")


def _spread(X: Records) -> FloatArray:
    matrix = _array(X)
    if sparse.issparse(matrix):
        mean = np.asarray(matrix.mean(axis=0)).ravel()
        square = np.asarray(matrix.multiply(matrix).mean(axis=0)).ravel()
        return np.sqrt(np.maximum(square - mean**2, 0.0))
    return np.asarray(matrix.std(axis=0))


def _feature_names(model: Any, X: Records, d: int, names: Sequence[str] | None) -> list[str]:
    found = names if names is not None else getattr(model, "feature_names_in_", None)
    if found is None:
        found = getattr(X, "columns", None)
    listed = [f"feature {i}" for i in range(d)] if found is None else [str(name) for name in found]
    if len(listed) != d:
        raise DataError(f"report needs one name per feature. Got {len(listed)} for {d} features.")
    return listed


def _similarities(model: Any, X: Records, n: int) -> tuple[RowSimilarity, FloatArray]:
    """Similarities of training records as the model sees them, and of each with itself."""
    everything = np.arange(n)
    if isinstance(model, SimpleMKL):
        return _weighted(model, X, n)
    if isinstance(model, KernelLearner):
        kernel: Any = model.kernel_
    else:
        kernel = None if model.kernel == "precomputed" else model.kernel
    if kernel is None:
        gram = np.asarray(X, dtype=np.float64)

        def stored(rows: IntArray, columns: IntArray | None) -> FloatArray:
            return gram[np.ix_(rows, everything if columns is None else columns)]

        return stored, np.diag(gram)
    if isinstance(kernel, str):
        settings = {"gamma": model._gamma, "degree": model.degree, "coef0": model.coef0}
        matrix = _array(X)

        def named(rows: IntArray, columns: IntArray | None) -> FloatArray:
            other = matrix if columns is None else matrix[columns]
            return pairwise_kernels(
                matrix[rows], other, metric=kernel, filter_params=True, **settings
            )

        return named, np.array([named(np.array([i]), np.array([i]))[0, 0] for i in everything])

    def called(rows: IntArray, columns: IntArray | None) -> FloatArray:
        return np.asarray(kernel(take(X, rows), X if columns is None else take(X, columns)))

    return called, self_similarity(kernel, X)


def _weighted(model: SimpleMKL, X: Records, n: int) -> tuple[RowSimilarity, FloatArray]:
    used = np.flatnonzero(model.weights_)
    if isinstance(model.kernels, str):
        stack = np.asarray(X, dtype=np.float64)
        gram = np.tensordot(model.weights_[used] / model.scales_[used], stack[used], axes=1)
        everything = np.arange(n)
        return (
            lambda rows, columns: gram[np.ix_(rows, everything if columns is None else columns)],
            np.diag(gram),
        )

    def similarity(rows: IntArray, columns: IntArray | None) -> FloatArray:
        other = X if columns is None else take(X, columns)
        total = np.zeros((len(rows), count(other)))
        for number in used:
            total += model.weights_[number] * new_similarities(
                model.kernels_[number],
                take(X, rows),
                other,
                float(model.scales_[number]),
                model.normalize,
            )
        return total

    own = np.zeros(n)
    for number in used:
        alone = self_similarity(model.kernels_[number], X)
        scaled = alone / model.scales_[number]
        if model.normalize == "diagonal":
            scaled = (alone > 0).astype(np.float64)
        own += model.weights_[number] * scaled
    return similarity, own
