"""Counts on a scale of ratios: the second of a kind says more than the twentieth."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags


class LogCounts(TransformerMixin, BaseEstimator):
    """Replace every count by ``log(1 + count)``; sparse counts stay sparse.

    Examples
    --------
    >>> LogCounts().fit_transform(np.array([[0.0, 1.0, 7.0]])).round(2).tolist()
    [[0.0, 0.69, 2.08]]
    """

    def fit(self, X: Any, y: Any = None) -> LogCounts:
        """Learn nothing."""
        return self

    def transform(self, X: Any) -> Any:
        """Map counts."""
        return X.log1p() if sparse.issparse(X) else np.log1p(np.asarray(X, dtype=np.float64))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.requires_fit = False
        return tags
