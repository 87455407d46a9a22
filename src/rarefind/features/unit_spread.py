"""Features of the same spread, whatever size their numbers have."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, Records
from rarefind.features.reading import read_features

_FURTHEST = 1e30
"""Records are taken to lie at most this many spreads away: trees compute in single precision."""


class UnitSpread(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Bring every feature to mean zero and standard deviation one.

    Numbers may be as large or as small as a computer holds: each feature is first divided by a
    power of two next to its largest value, which loses nothing. A constant feature becomes zero.
    Sparse records are divided only, so that zeros stay zeros. A table with words, dates or gaps
    becomes the vectors that a hunt compares (TableFeatures), which are of the same spread already.

    Parameters
    ----------
    owner
        Who is named when records are refused: the model that the scaling belongs to.
    allow_missing
        Whether NaN passes through, for models that understand it.

    Attributes
    ----------
    unit_, mean_, spread_
        What ``(X / unit_ - mean_) / spread_`` is made with, one number per feature.

    Examples
    --------
    >>> UnitSpread().fit_transform([[1e300, 5.0], [3e300, 5.0]]).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """

    def __init__(self, owner: str = "UnitSpread", *, allow_missing: bool = False) -> None:
        self.owner = owner
        self.allow_missing = allow_missing

    def fit(self, X: Records, y: Any = None) -> UnitSpread:
        """Learn the means and spreads."""
        matrix = self._read(X, reset=True)
        if hasattr(self, "table_features_"):
            self.unit_, self.mean_ = np.ones(matrix.shape[1]), np.zeros(matrix.shape[1])
            self.spread_ = np.ones(matrix.shape[1])
            return self
        if sparse.issparse(matrix):
            largest = abs(matrix).max(axis=0).toarray().ravel()
            self.unit_ = _power_of_two(largest)
            scaled = matrix @ sparse.diags_array(1.0 / self.unit_)
            mean = np.asarray(scaled.mean(axis=0)).ravel()
            squares = np.asarray(scaled.multiply(scaled).mean(axis=0)).ravel()
            spread = np.sqrt(np.maximum(squares - mean**2, 0.0))
            self.mean_ = np.zeros(len(mean))
        else:
            known: Any = ~np.isnan(matrix) if self.allow_missing else True
            highest = matrix.max(axis=0, where=known, initial=0.0)
            lowest = matrix.min(axis=0, where=known, initial=0.0)
            self.unit_ = _power_of_two(np.maximum(highest, -lowest))
            scaled = matrix / self.unit_
            if self.allow_missing:
                # A feature that nobody has is as good as zero.
                empty = ~known.any(axis=0)
                scaled[:, empty], known[:, empty] = 0.0, True
            mean = scaled.mean(axis=0, where=known)
            spread = scaled.std(axis=0, where=known)
            self.mean_ = mean
        # Rounding gives a constant feature a little spread.
        noise = matrix.shape[0] * np.finfo(np.float64).eps * np.abs(mean)
        self.spread_ = np.where(spread <= noise, 1.0, spread)
        return self

    def transform(self, X: Records) -> Any:
        """Scale records by what was learnt."""
        check_is_fitted(self)
        matrix = self._read(X, reset=False)
        with np.errstate(over="ignore", invalid="ignore"):
            if sparse.issparse(matrix):
                return matrix @ sparse.diags_array(1.0 / self.unit_ / self.spread_)
            scaled: FloatArray = matrix / self.unit_
            scaled -= self.mean_
            scaled /= self.spread_
            flat = scaled.ravel()
            near = np.dot(flat, flat) <= _FURTHEST**2
        if not near:
            np.clip(scaled, -_FURTHEST, _FURTHEST, out=scaled)
        return scaled

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Name the features."""
        if hasattr(self, "table_features_"):
            return self.table_features_.get_feature_names_out(input_features)
        return super().get_feature_names_out(input_features)

    def _read(self, X: Records, *, reset: bool) -> Any:
        return read_features(
            self,
            X,
            reset=reset,
            owner=self.owner,
            allow_missing=self.allow_missing,
            largest=None,
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.allow_missing
        return tags


def _power_of_two(largest: FloatArray) -> FloatArray:
    """Find the powers of two next to these numbers; one for zero."""
    exponents = np.frexp(largest)[1]
    return np.where(largest > 0, np.ldexp(1.0, np.clip(exponents - 1, -1021, 1022)), 1.0)
