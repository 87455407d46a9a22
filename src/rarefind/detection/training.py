"""What every detector does with the records and labels it is given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.detection.labels import read_labels
from rarefind.features.reading import read_features
from rarefind.kernels import Kernel, make_kernel


def read_training(
    estimator: BaseEstimator, X: Records, y: Any, kernel: Kernel | None
) -> tuple[Records, NDArray[Any]]:
    """Check records and labels; vectors become float64, other records stay as they are."""
    if y is not None and (kernel is None or kernel.takes_vectors):
        X = read_features(estimator, X, reset=True)
    return X, read_labels(estimator, X, y)


def read_queries(estimator: BaseEstimator, X: Records, kernel: Kernel | None) -> Records:
    """Check records that are to be scored."""
    check_is_fitted(estimator)
    if kernel is None or kernel.takes_vectors:
        return read_features(estimator, X, reset=False)
    return X


def read_weights(sample_weight: Any, n: int, owner: str) -> FloatArray:
    """Turn sample weights into numbers; None weighs every record the same."""
    if sample_weight is None:
        return np.ones(n)
    try:
        weight = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"The sample_weight of {owner} must be numbers, one per record. "
            f"Got {type(sample_weight).__name__} that cannot be read so."
        ) from None
    if weight.ndim == 0:
        weight = np.full(n, float(weight))
    if weight.ndim != 1:
        raise DataError(f"Sample weights must be 1D array or scalar, got {weight.ndim}D array.")
    if len(weight) != n or not np.isfinite(weight).all() or (weight < 0).any():
        raise DataError(
            f"The sample_weight of {owner} must be {n} finite numbers that are not negative, "
            f"one per record. Got {len(weight)} numbers."
        )
    if not weight.any():
        raise DataError(f"The sample_weight of {owner} is zero for every record: none is left.")
    return weight


def fitted_kernel(kernel: str | Kernel | None, records: Records) -> Kernel | None:
    """Make the kernel; one that learns from records does so here, unless it has before."""
    if kernel is None:
        return None
    made = make_kernel(kernel)
    if not hasattr(made, "fit"):
        return made
    try:
        check_is_fitted(made)
    except NotFittedError:
        learnt: Kernel = clone(made).fit(records)
        return learnt
    return made


def is_table(x: Any) -> bool:
    """Whether this is a table of pandas, polars or Arrow."""
    return hasattr(x, "columns") or hasattr(x, "schema")


def one_record(x: Any, *, vectors: bool) -> Records:
    """One record as a list of records."""
    if not vectors:  # a row of a table comes as a table, since its columns have kinds of their own
        return x if is_table(x) else [x]
    if sparse.issparse(x) or len(getattr(x, "shape", ())) == 2:
        return x
    return np.asarray(x, dtype=np.float64).reshape(1, -1)
