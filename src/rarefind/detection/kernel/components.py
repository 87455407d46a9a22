"""Principal components in the feature space of a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import linalg
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, Records, count, take
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint, Integer, check_params
from rarefind.core.random import generator
from rarefind.detection.kernel.feature_space import feature_space
from rarefind.detection.kernel.learner import KERNEL, fitted_kernel, is_vector_kernel, similarities
from rarefind.features.reading import read_features


class KernelComponents(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Kernel PCA for any number of records.

    Up to ``n_landmarks`` records the components are exactly those of kernel PCA. Beyond, the
    feature space is spanned by that many records drawn at random (Nyström), so that memory grows
    with the number of records and not with its square.

    Parameters
    ----------
    kernel
        A kernel, the name of one, or None: a Gaussian whose width is the median distance.
    n_components
        How many components to keep at most; those without variance are left out.
    n_landmarks
        How many records span the feature space.
    random_state
        Seed of the draw.

    Attributes
    ----------
    kernel_
        The kernel, fitted.
    landmarks_
        The records that span the feature space.
    explained_variance_
        Variance of each component, greatest first.

    Examples
    --------
    >>> KernelComponents("linear", n_components=1).fit_transform([[0.0], [1.0], [2.0]]).round(6)
    array([[-1.],
           [ 0.],
           [ 1.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "kernel": [KERNEL],
        "n_components": [Integer(1)],
        "n_landmarks": [Integer(1)],
    }

    def __init__(
        self,
        kernel: Any = None,
        *,
        n_components: int = 30,
        n_landmarks: int = 1000,
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.n_components = n_components
        self.n_landmarks = n_landmarks
        self.random_state = random_state

    def fit(self, X: Records, y: Any = None) -> KernelComponents:
        """Learn the components of these records."""
        check_params(self, self._params)
        random = generator(self.random_state, type(self).__name__)
        records = self._read(X, reset=True)
        n = count(records)
        rows = np.arange(n)
        if n > self.n_landmarks:
            rows = np.sort(random.choice(n, self.n_landmarks, replace=False))
        ensure_fits(8 * n * len(rows), "The components", "Set n_landmarks to fewer.")
        self.kernel_ = fitted_kernel(self.kernel, records)
        self.landmarks_ = take(records, rows)
        space = feature_space(similarities(self.kernel_, self.landmarks_))
        Z = space.features(similarities(self.kernel_, records, self.landmarks_))
        mean = Z.mean(axis=0)
        Z -= mean
        values, directions = linalg.eigh(Z.T @ Z / n) if Z.shape[1] else (np.zeros(0), Z.T)
        kept = np.flatnonzero(values > 1e-12 * values.max(initial=0.0))[::-1][: self.n_components]
        self.explained_variance_ = values[kept]
        turned = directions[:, kept]
        # The sign is free: the largest part of a direction is positive.
        largest = np.abs(turned).argmax(axis=0)
        turned = turned * np.where(turned[largest, np.arange(len(kept))] < 0, -1.0, 1.0)
        self._map = space.matrix @ turned
        self._shift = mean @ turned
        self._n_features_out = max(len(kept), 1)
        return self

    def transform(self, X: Records) -> FloatArray:
        """Components of the records; a single column of zeros where all records are alike."""
        check_is_fitted(self)
        records = self._read(X, reset=False)
        if not len(self.explained_variance_):
            return np.zeros((count(records), 1))
        found: FloatArray = similarities(self.kernel_, records, self.landmarks_) @ self._map
        return found - self._shift

    def _read(self, X: Records, *, reset: bool) -> Records:
        if is_vector_kernel(self.kernel):
            return read_features(self, X, reset=reset)
        return X

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = is_vector_kernel(self.kernel)
        tags.input_tags.two_d_array = is_vector_kernel(self.kernel)
        return tags
