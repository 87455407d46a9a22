"""Columns as normal quantiles of their ranks, so that no odd scale or far value rules distances."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtri
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import PCA

from rarefind.core.arrays import FloatArray

_COMPONENTS = 10
"""Components beside the columns: more would crowd out the columns of narrow tables. A choice."""


class NormalScores(TransformerMixin, BaseEstimator):
    """Replace every number by the normal quantile of its rank among the records learnt from.

    Between these the map runs straight; beyond them it stays at the last. Equal numbers share the
    quantile of their mean rank. The result has mean zero and spread one.

    Attributes
    ----------
    values_, levels_
        The distinct numbers of all columns, one column after the other, and what they become.
    starts_
        Where each column begins in them, and the end.

    Examples
    --------
    >>> NormalScores().fit_transform([[1.0], [2.0], [1000.0]]).round(2).ravel().tolist()
    [-1.22, 0.0, 1.22]
    """

    def fit(self, X: Any, y: Any = None) -> NormalScores:
        """Learn the ranks."""
        numbers = np.asarray(X, dtype=np.float64)
        columns = [_normal_levels(column) for column in numbers.T]
        self.values_ = np.concatenate([values for values, _ in columns])
        self.levels_ = np.concatenate([levels for _, levels in columns])
        self.starts_ = np.cumsum([0, *(len(values) for values, _ in columns)])
        return self

    def transform(self, X: Any) -> FloatArray:
        """Map records."""
        numbers = np.asarray(X, dtype=np.float64)
        found = np.empty_like(numbers)
        for column, (start, end) in enumerate(zip(self.starts_, self.starts_[1:], strict=False)):
            values, levels = self.values_[start:end], self.levels_[start:end]
            found[:, column] = np.interp(numbers[:, column], values, levels)
        return found


class ColumnsAndComponents(TransformerMixin, BaseEstimator):
    """Put up to ten principal components beside the columns: trees then cut askew as well.

    Attributes
    ----------
    ranks_
        The normal scores that the components are made of.
    components_
        The components, one per column of a matrix.
    """

    def fit(self, X: Any, y: Any = None) -> ColumnsAndComponents:
        """Learn the components."""
        self.ranks_ = NormalScores().fit(X)
        normal = self.ranks_.transform(X)
        number = min(_COMPONENTS, normal.shape[1], len(normal) - 1)
        self.components_ = np.zeros((normal.shape[1], 0))
        if number > 0:
            self.components_ = PCA(number, random_state=0).fit(normal).components_.T.copy()
        return self

    def transform(self, X: Any) -> FloatArray:
        """Add the components of records to their columns."""
        return np.hstack([np.asarray(X, np.float64), self.ranks_.transform(X) @ self.components_])


def _normal_levels(column: FloatArray) -> tuple[FloatArray, FloatArray]:
    values, counts = np.unique(column, return_counts=True)
    levels = ndtri((np.cumsum(counts) - counts / 2.0) / len(column))
    levels -= np.average(levels, weights=counts)
    spread = np.sqrt(np.average(levels**2, weights=counts))
    return values, levels / spread if spread > 0 else np.zeros_like(levels)
