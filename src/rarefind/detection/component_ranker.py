"""Ranking in few components that were found without labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.detection.ranker import RareRanker


class ComponentRanker(TransformerMixin, RareRanker):
    """A pipeline whose first steps give components and whose last step ranks in them.

    Principal components know of no class: they are the directions in which records differ most.
    With labels, a classifier in these components ranks the records. Without labels the components
    alone are learnt, for pictures.

    Parameters
    ----------
    estimator
        A pipeline of transformers with a classifier at its end.
    target
        The class to rank for, or a list of classes; as in Lago.

    Attributes
    ----------
    components_
        The fitted steps that give the components.
    estimators_, classes_, targets_, background_class_
        As in RareRanker; only after a fit with labels.

    Examples
    --------
    >>> from sklearn.decomposition import PCA
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> ranker = ComponentRanker(make_pipeline(PCA(1), LogisticRegression()))
    >>> X = [[0.0, 0.0], [1.0, 1.1], [2.0, 2.0], [9.0, 9.0]]
    >>> ranker.fit(X, [0, 0, 0, 1]).predict([[8.0, 8.0], [1.0, 1.0]]).tolist()
    [1, 0]
    >>> ranker.fit_transform(X).shape
    (4, 1)
    """

    def fit(self, X: Records, y: Any = None, sample_weight: Any = None) -> ComponentRanker:
        """Learn the components and, if there are labels, how to rank in them."""
        if y is not None:
            super().fit(X, y, sample_weight)
            self.components_ = self.estimators_[0][:-1]
            return self
        for name in ("estimators_", "classes_", "targets_", "background_class_"):
            self.__dict__.pop(name, None)
        self.components_ = clone(self.estimator[:-1]).fit(self._read(X, reset=True))
        return self

    def transform(self, X: Records) -> FloatArray:
        """Components of the records."""
        check_is_fitted(self, "components_")
        return np.asarray(self.components_.transform(self._read(X, reset=False)))

    def decision_function(self, X: Records) -> FloatArray:
        """Score records as Lago does: higher is more like the target."""
        if hasattr(self, "components_") and not hasattr(self, "estimators_"):
            raise DataError(
                "ComponentRanker was fitted without labels, so it can transform records but not "
                "rank them. Fit it with y."
            )
        return super().decision_function(X)
