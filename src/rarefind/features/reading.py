"""Reading what a detector is given: vectors as they are, any other table as a hunt compares it."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

from rarefind.core.arrays import Records
from rarefind.features.columns import is_plain, table_columns
from rarefind.features.table import TableFeatures
from rarefind.features.vectors import LARGEST, check_features, read_vectors


def read_features(
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

    Arrays and tables of nothing but numbers are taken as they are. A table with words, dates,
    lists or gaps becomes the vectors that :class:`rarefind.Hunt` compares, by a
    :class:`TableFeatures` that ``fit`` (``reset`` is True) learns and keeps as
    ``table_features_``. ``allow_missing`` lets the gaps of numbers through.
    """
    if reset:
        _learn(estimator, X, allow_missing=allow_missing)
    features: TableFeatures | None = getattr(estimator, "table_features_", None)
    if features is None:
        return read_vectors(
            estimator,
            X,
            reset=reset,
            owner=owner,
            accept_sparse=accept_sparse,
            allow_missing=allow_missing,
            largest=largest,
        )
    name = type(estimator).__name__ if owner is None else owner
    columns = table_columns(X)
    if columns is not None:
        check_features(estimator, X, len(columns), name, reset=reset)
    return features.transform(X)


def is_mixed(X: Records, *, allow_missing: bool = False) -> bool:
    """Whether records are a table that only :class:`TableFeatures` makes vectors of."""
    columns = table_columns(X)
    return columns is not None and not is_plain(columns, allow_missing=allow_missing)


def _learn(estimator: Any, X: Records, *, allow_missing: bool) -> None:
    if is_mixed(X, allow_missing=allow_missing):
        estimator.table_features_ = TableFeatures().fit(X)
    elif hasattr(estimator, "table_features_"):
        del estimator.table_features_
