"""Steps of a scikit-learn pipeline that turn any records into similarities or features."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.errors import DataError
from rarefind.kernels.contract import Features, Kernel
from rarefind.kernels.estimator_records import read_records, vector_tags
from rarefind.kernels.general.given_gram import report_gram
from rarefind.kernels.mercer import square_matrix
from rarefind.kernels.reference import Reference
from rarefind.kernels.registry import make_kernel


class GramTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Turn records into their similarities to the records it was fitted on.

    Put it before any learner that takes a precomputed Gram matrix, in a pipeline that is
    trained, searched (``gramtransformer__kernel__width``) and cross-validated as usual.

    Parameters
    ----------
    kernel
        A kernel, its name, or "precomputed" if the records are already rows of a Gram matrix.

    Attributes
    ----------
    kernel_
        The kernel, fitted.
    reference_
        The records it was fitted on, or their features.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import SVC
    >>> from rarefind.kernels import Intersection
    >>> baskets = [{"tea", "milk"}, {"tea"}, {"nails", "glue"}, {"glue"}]
    >>> model = make_pipeline(GramTransformer(Intersection()), SVC(kernel="precomputed"))
    >>> model.fit(baskets, [0, 0, 1, 1]).predict([{"tea", "cups"}, {"glue"}])
    array([0, 1])
    """

    def __init__(self, kernel: str | Kernel = "gaussian") -> None:
        self.kernel = kernel

    def fit(self, X: Records, y: Any = None) -> Self:
        """Keep the records to compare with."""
        self._fit(X)
        return self

    def fit_transform(self, X: Records, y: Any = None) -> FloatArray:
        """Keep the records and return their similarities with each other."""
        records = self._fit(X)
        return np.array(records) if self.kernel_ is None else self.kernel_(records)

    def transform(self, X: Records) -> FloatArray:
        """Return the similarities of records with those kept."""
        check_is_fitted(self)
        records = read_records(self, X, self.kernel_, reset=False)
        if self.kernel_ is not None:
            return self.reference_.gram(records)
        matrix = np.asarray(records, dtype=np.float64)
        if matrix.shape[1] != self._n_features_out:
            raise DataError(
                "GramTransformer needs similarities to the records it was fitted on. "
                f"Got {matrix.shape[1]} columns for {self._n_features_out} records."
            )
        return matrix

    def _fit(self, X: Records) -> Records:
        if self._is_precomputed():
            self.kernel_: Kernel | None = None
            records = read_records(self, X, None, reset=True)
            report_gram(square_matrix(records, "GramTransformer"), "GramTransformer")
        else:
            kernel = clone(make_kernel(self.kernel))
            records = read_records(self, X, kernel, reset=True)
            self.kernel_ = kernel.fit(records)
            self.reference_ = Reference(self.kernel_, records)
        self._n_features_out = count(records)
        return records

    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def __sklearn_tags__(self) -> Any:
        tags = vector_tags(super().__sklearn_tags__(), self.kernel)
        tags.input_tags.pairwise = self._is_precomputed()
        return tags


class FeatureTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Turn records into the explicit features of a kernel, for linear learners on any records.

    A kernel whose features are not finite, or too many, gets some through ``Nystroem``.

    Parameters
    ----------
    kernel
        A kernel with features whose columns stay the same from call to call, or its name.

    Attributes
    ----------
    kernel_
        The kernel, fitted.

    Examples
    --------
    >>> from rarefind.kernels import Gaussian, Nystroem
    >>> step = FeatureTransformer(Nystroem(Gaussian(), n_landmarks=2))
    >>> step.fit_transform([[0.0], [1.0], [5.0]]).shape
    (3, 2)
    """

    def __init__(self, kernel: str | Kernel = "linear") -> None:
        self.kernel = kernel

    def fit(self, X: Records, y: Any = None) -> Self:
        """Fit the kernel."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Records, y: Any = None) -> Features:
        """Fit the kernel and return the features of the records."""
        kernel = clone(make_kernel(self.kernel))
        records = read_records(self, X, kernel, reset=True)
        kernel.fit(records)
        features = kernel.features(records)
        if not kernel._columns_are_fixed():
            raise DataError(
                f"FeatureTransformer needs features whose columns are the same in every call, and "
                f"{type(kernel).__name__} does not promise that. Wrap it: Nystroem(kernel)."
            )
        self.kernel_ = kernel
        self._n_features_out = features.shape[1]
        return features

    def transform(self, X: Records) -> Features:
        """Return the features of records."""
        check_is_fitted(self)
        return self.kernel_.features(read_records(self, X, self.kernel_, reset=False))

    def __sklearn_tags__(self) -> Any:
        return vector_tags(super().__sklearn_tags__(), self.kernel)
