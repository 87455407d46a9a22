"""Any learner that takes a precomputed Gram matrix, on any records."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.svm import SVC
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.errors import DataError, ParameterError
from rarefind.detection.kernel.learner import finite_gram, similarities
from rarefind.detection.labels import read_labels
from rarefind.detection.training import read_weights
from rarefind.features.reading import read_features
from rarefind.kernels.contract import Kernel
from rarefind.kernels.estimator_records import vector_tags
from rarefind.kernels.reference import Reference
from rarefind.kernels.registry import make_kernel


def _learner_has(method: str) -> Any:
    def check(machine: KernelMachine) -> bool:
        learner = machine.estimator_ if hasattr(machine, "estimator_") else machine._learner()
        getattr(learner, method)  # its AttributeError names the method that is missing
        return True

    return available_if(check)


class KernelMachine(MetaEstimatorMixin, BaseEstimator):
    """A learner and a kernel, chosen independently of each other.

    The learner sees only similarities, so any that takes a precomputed Gram matrix works on any
    records that the kernel compares: support vector machines, kernel ridge regression,
    nearest neighbours excepted (they want distances).

    Parameters
    ----------
    kernel
        A kernel, or its name.
    estimator
        The learner; one with a ``kernel`` parameter is told "precomputed". A support vector
        machine if None.

    Attributes
    ----------
    estimator_
        The learner, fitted.
    kernel_
        The kernel, fitted.
    reference_
        The training records, or their features.
    classes_
        The classes, if the learner has them.

    Examples
    --------
    >>> from rarefind.kernels import Intersection
    >>> baskets = [{"tea", "milk"}, {"tea"}, {"nails", "glue"}, {"glue"}]
    >>> machine = KernelMachine(Intersection()).fit(baskets, ["food", "food", "tool", "tool"])
    >>> machine.predict([{"tea", "cups"}, {"glue"}]).tolist()
    ['food', 'tool']
    """

    def __init__(self, kernel: str | Kernel = "gaussian", estimator: Any = None) -> None:
        self.kernel = kernel
        self.estimator = estimator

    def fit(self, X: Records, y: Any = None, sample_weight: Any = None) -> Self:
        """Compare the records with each other and train the learner."""
        kernel = clone(make_kernel(self.kernel))
        learner = self._learner()
        records = self._read(X, kernel, reset=True)
        targets = _read_targets(self, learner, records, y)
        self.kernel_ = kernel.fit(records)
        self.reference_ = Reference(self.kernel_, records)
        gram = similarities(self.kernel_, records)
        if sample_weight is None:
            self.estimator_ = learner.fit(gram, targets)
        elif has_fit_parameter(learner, "sample_weight"):
            weight = read_weights(sample_weight, len(gram), type(self).__name__)
            self.estimator_ = learner.fit(gram, targets, sample_weight=weight)
        else:
            raise ParameterError(
                f"The 'sample_weight' argument of KernelMachine.fit needs a learner that takes "
                f"it. {type(learner).__name__} does not."
            )
        return self

    def predict(self, X: Records) -> Any:
        """Return the learner's answer for each record."""
        similarities = self._similarities(X)
        return self.estimator_.predict(similarities)

    @_learner_has("decision_function")
    def decision_function(self, X: Records) -> FloatArray:
        """Return the learner's scores; higher is more like the second of two classes."""
        similarities = self._similarities(X)
        return np.asarray(self.estimator_.decision_function(similarities))

    @_learner_has("predict_proba")
    def predict_proba(self, X: Records) -> FloatArray:
        """Return the learner's probabilities of each class."""
        similarities = self._similarities(X)
        return np.asarray(self.estimator_.predict_proba(similarities))

    @_learner_has("score")
    def score(self, X: Records, y: Any = None, sample_weight: Any = None) -> float:
        """Return the learner's own measure of success: accuracy, or R² for numbers."""
        similarities = self._similarities(X)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(self.estimator_.score(similarities, y, **weights))

    @property
    def classes_(self) -> Any:
        """Return the classes of the learner."""
        return self.estimator_.classes_

    def _similarities(self, X: Records) -> FloatArray:
        check_is_fitted(self, "estimator_")
        records = self._read(X, self.kernel_, reset=False)
        with np.errstate(over="ignore", invalid="ignore"):
            return finite_gram(self.reference_.gram(records), self.kernel_)

    def _read(self, X: Records, kernel: Kernel, *, reset: bool) -> Records:
        if kernel.takes_vectors:
            return read_features(self, X, reset=reset)
        if count(X) == 0:
            raise DataError("KernelMachine needs records. Got none.")
        return X

    def _learner(self) -> Any:
        if self.estimator is None:
            return SVC(kernel="precomputed")
        if not hasattr(self.estimator, "fit") or isinstance(self.estimator, type):
            raise ParameterError(
                "The 'estimator' parameter of KernelMachine must be a learner that takes a "
                f"precomputed Gram matrix, such as SVC(). Got {self.estimator!r} instead."
            )
        learner = clone(self.estimator)
        if "kernel" in learner.get_params(deep=False):
            learner.set_params(kernel="precomputed")
        return learner

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def __sklearn_tags__(self) -> Any:
        tags = vector_tags(super().__sklearn_tags__(), self.kernel)
        inner = get_tags(self._learner())
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = inner.classifier_tags
        tags.regressor_tags = inner.regressor_tags
        tags.target_tags = inner.target_tags
        return tags


def _read_targets(machine: KernelMachine, learner: Any, records: Records, y: Any) -> Any:
    """Check labels, or the numbers a regression learns; a learner without target takes None."""
    if y is None and not get_tags(learner).target_tags.required:
        return None
    if y is None or is_classifier(learner):
        labels = read_labels(machine, records, y)
        if len(np.unique(labels)) < 2:
            raise DataError(
                "KernelMachine needs records of at least two classes in y. Got one class, "
                f"{labels.tolist()[0]!r}, in all {len(labels)} records; label others too."
            )
        return labels
    try:
        targets = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"{type(learner).__name__} in KernelMachine needs numbers as y. Got "
            f"{type(y).__name__} that cannot be read so; use a classifier for words."
        ) from None
    if len(np.atleast_1d(targets)) != count(records):
        raise DataError(
            "KernelMachine needs one number per record. "
            f"Got {count(records)} records and {len(np.atleast_1d(targets))} numbers."
        )
    if not np.isfinite(targets).all():
        raise DataError("KernelMachine needs finite numbers as y. Got NaN or infinity (inf).")
    return targets
