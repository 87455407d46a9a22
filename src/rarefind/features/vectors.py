"""Reading rows of numbers: what every detector that takes vectors asks of them.

The checks are those of scikit-learn, whose own tests look for some of the words used here; the
sentences say besides which number is wrong, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError

LARGEST = 1e150
"""Numbers beyond cannot be squared, so there is no distance between records that hold them."""


class NotNumbersError(DataError, TypeError):
    """The records hold something that is not a number."""


def read_vectors(
    estimator: BaseEstimator,
    X: Records,
    *,
    reset: bool,
    owner: str | None = None,
    accept_sparse: bool = True,
    allow_missing: bool = False,
    largest: float | None = LARGEST,
) -> Any:
    """Turn records into a float64 matrix, dense or in sparse rows.

    ``reset`` is True in ``fit``, which remembers the number and the names of the features.
    """
    name = type(estimator).__name__ if owner is None else owner
    matrix = _rows(X, name) if sparse.issparse(X) else _table(X, name)
    if sparse.issparse(X) and not accept_sparse:
        raise NotNumbersError(
            f"{name} needs a dense table. Got a sparse matrix; write X.toarray() if it fits into "
            "memory, or use a model that takes sparse records, such as 'logistic'."
        )
    _check_shape(matrix, name)
    _check_numbers(matrix, name, allow_missing=allow_missing, largest=largest)
    check_features(estimator, X, matrix.shape[1], name, reset=reset)
    return matrix


def _table(X: Records, owner: str) -> FloatArray:
    if isinstance(X, np.ndarray) and X.dtype.kind == "c":
        raise DataError(
            f"{owner} needs real numbers. Complex data not supported: give the real and the "
            "imaginary part as two features."
        )
    try:
        matrix: FloatArray = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        kind = NotNumbersError if isinstance(problem, TypeError) else DataError
        raise kind(
            f"{owner} needs a table of numbers, one row per record. Got {type(X).__name__} that "
            f"cannot be read so ({_first_line(problem)}). For strings, sets or graphs pass a "
            "kernel; turn words in a table into numbers first."
        ) from None
    if matrix.ndim != 2:
        if matrix.shape == (0,):
            raise DataError(f"{owner} needs records. Got none: an empty list.")
        raise DataError(
            f"{owner} needs a table of numbers, one row per record. Got "
            f"{f'{matrix.ndim} dimension(s)' if matrix.ndim else type(X).__name__} instead of 2. "
            "Reshape your data with X.reshape(-1, 1) if it holds one feature, or with "
            "X.reshape(1, -1) if it is one record."
        )
    return matrix


def _rows(X: Any, owner: str) -> Any:
    if X.dtype.kind == "c":
        raise DataError(f"{owner} needs real numbers. Complex data not supported.")
    rows = X.tocsr()
    return rows if rows.dtype == np.float64 else rows.astype(np.float64)


def _check_shape(matrix: Any, owner: str) -> None:
    rows, columns = matrix.shape
    if rows == 0:
        raise DataError(f"{owner} needs records. Got none: 0 rows of {columns} feature(s).")
    if columns == 0:
        raise DataError(
            f"{owner} needs records with features. Got 0 feature(s) (shape=({rows}, 0)) while a "
            "minimum of 1 is required."
        )


def _check_numbers(matrix: Any, owner: str, *, allow_missing: bool, largest: float | None) -> None:
    stored = matrix.data if sparse.issparse(matrix) else matrix
    if largest is not None and _all_moderate(stored):
        return
    wrong = np.isinf(stored) if allow_missing else ~np.isfinite(stored)
    if wrong.any():
        row, column, value = _first(matrix, wrong)
        raise DataError(
            f"{owner} needs finite numbers. Row {row}, column {column} of X holds "
            f"{'NaN' if np.isnan(value) else value}; fill it in or leave the row out."
        )
    if largest is None:
        return
    with np.errstate(invalid="ignore"):
        wrong = np.abs(stored) > largest
    if wrong.any():
        row, column, value = _first(matrix, wrong)
        raise DataError(
            f"{owner} needs numbers up to {largest:g}, which can be squared. Row {row}, column "
            f"{column} of X holds {value:g}; divide the column, or use make(...), which scales."
        )


def _all_moderate(numbers: FloatArray) -> bool:
    """Whether all numbers are finite and can be squared and added up; quick when they are."""
    flat = numbers.ravel(order="K")
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(np.dot(flat, flat)))


def _first(matrix: Any, wrong: Any) -> tuple[int, int, float]:
    if sparse.issparse(matrix):
        place = int(np.flatnonzero(wrong)[0])
        row = int(np.searchsorted(matrix.indptr, place, side="right")) - 1
        return row, int(matrix.indices[place]), float(matrix.data[place])
    row, column = np.argwhere(wrong)[0]
    return int(row), int(column), float(matrix[row, column])


def check_features(
    estimator: BaseEstimator, X: Records, n_features: int, owner: str, *, reset: bool
) -> None:
    """Compare the number and names of features with those of the training records.

    Columns by name in a mapping are taken for a table.
    """
    try:
        if isinstance(X, Mapping) and not sparse.issparse(X):
            _check_mapping(estimator, X, reset=reset)
            return
        named = hasattr(X, "columns") or hasattr(X, "__dataframe__")
        given = X if named else np.empty((0, n_features))
        validate_data(estimator, X=given, reset=reset, skip_check_array=True)
    except ValueError as problem:
        expected = getattr(estimator, "n_features_in_", n_features)
        if expected != n_features and "names" not in str(problem):
            raise DataError(
                f"X has {n_features} features, but {owner} is expecting {expected} features "
                "as input: give the features it was fitted with, in the same order."
            ) from None
        raise DataError(str(problem)) from None


def _check_mapping(estimator: Any, columns: Mapping[str, Any], *, reset: bool) -> None:
    names = np.array(list(columns), dtype=object)
    if reset:
        estimator.n_features_in_, estimator.feature_names_in_ = len(names), names
    elif list(estimator.feature_names_in_) != list(names):
        raise DataError(
            "The feature names should match those that were passed during fit: "
            f"{', '.join(estimator.feature_names_in_)}. Got {', '.join(names)}."
        )


def _first_line(problem: Exception) -> str:
    text = str(problem)
    return text.splitlines()[0].rstrip(".") if text else type(problem).__name__
