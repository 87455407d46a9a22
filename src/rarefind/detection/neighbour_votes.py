"""Votes of the nearest labelled records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.params import Constraint, Integer, OneOf, check_params
from rarefind.detection.labels import read_labels
from rarefind.features.reading import read_features


class NeighbourVotes(ClassifierMixin, BaseEstimator):
    """k nearest neighbours, as many as there are when there are fewer than k.

    Parameters
    ----------
    n_neighbors
        How many of the nearest records vote.
    weights
        "distance": a vote counts by one over its distance; "uniform": all count the same.

    Attributes
    ----------
    classes_
        The classes.
    model_
        scikit-learn's classifier, fitted.

    Examples
    --------
    >>> NeighbourVotes().fit([[0.0], [1.0], [5.0]], ["a", "a", "b"]).predict([[4.9]]).tolist()
    ['b']
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "n_neighbors": [Integer(1)],
        "weights": [OneOf("distance", "uniform")],
    }

    def __init__(self, n_neighbors: int = 20, *, weights: str = "distance") -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights

    def fit(self, X: Records, y: Any) -> NeighbourVotes:
        """Keep the records."""
        check_params(self, self._params)
        X = X if y is None else read_features(self, X, reset=True)
        labels = read_labels(self, X, y)
        k = min(self.n_neighbors, len(labels))
        self.model_ = KNeighborsClassifier(k, weights=self.weights).fit(X, labels)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: Records) -> FloatArray:
        """Share of the votes that each class gets."""
        check_is_fitted(self)
        return np.asarray(self.model_.predict_proba(read_features(self, X, reset=False)))

    def predict(self, X: Records) -> NDArray[Any]:
        """Class with the most votes."""
        votes = self.predict_proba(X)
        chosen: NDArray[Any] = self.classes_[votes.argmax(axis=1)]
        return chosen

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
