"""What learners of one plane share: reading records of two classes, and judging by ``w·x + b``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import Constraint, check_params
from rarefind.detection.labels import read_labels
from rarefind.features.reading import read_features


class LinearLearner(ClassifierMixin, BaseEstimator):
    """A classifier of two classes by the sign of ``w·x + b``, positive for the second class."""

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {}

    classes_: Any
    coef_: FloatArray
    intercept_: FloatArray

    def decision_function(self, X: Records) -> FloatArray:
        """Score of each record for the second class: ``w·x + b``."""
        scores: FloatArray = self._read_new(X) @ self.coef_[0] + self.intercept_[0]
        return scores

    def predict(self, X: Records) -> Any:
        """Class of each record: the second where the score is above zero."""
        return self.classes_[(self.decision_function(X) > 0).astype(np.int64)]

    def _read_training(self, X: Records, y: Any) -> tuple[Any, IntArray]:
        """Check parameters, records and labels; return the records, and 0 or 1 for each."""
        check_params(self, self._params)
        X = X if y is None else self._read(X, reset=True)
        labels = read_labels(self, X, y)
        self.classes_, numbers = np.unique(labels, return_inverse=True)
        if len(self.classes_) != 2:
            one = "y. Got one class" if len(self.classes_) == 1 else "y. Got"
            raise DataError(
                f"{type(self).__name__} needs records of two classes in {one}: "
                f"{len(self.classes_)} in {len(labels)} records. Only binary classification is "
                "supported; rarefind.detection.RareRanker sets each class against the rest."
            )
        return X, numbers.astype(np.int64)

    def _read_new(self, X: Records) -> Any:
        check_is_fitted(self)
        return self._read(X, reset=False)

    def _read(self, X: Records, *, reset: bool) -> Any:
        return read_features(self, X, reset=reset)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags
