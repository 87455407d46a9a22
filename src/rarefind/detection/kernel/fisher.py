"""Fisher's discriminant with a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import linalg
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.params import Constraint, Number, OneOf
from rarefind.core.random import generator
from rarefind.detection.kernel.feature_space import LANDMARKS, choose_landmarks, feature_space
from rarefind.detection.kernel.learner import KERNEL, KernelLearner


class KernelFisherDiscriminant(ClassNamePrefixFeaturesOutMixin, TransformerMixin, KernelLearner):
    """The directions along which classes lie furthest apart for their own spread.

    In the space of the kernel, directions ``w`` solve ``S_B w = λ (S_W + ridge) w``: the spread
    between the class means against the spread within the classes. ``C`` classes give at most
    ``C - 1`` directions. With the linear kernel and a small ridge this is ordinary linear
    discriminant analysis. As a transformer it gives the projections; as a classifier it takes the
    class whose mean is nearest in them, corrected for the classes' shares.

    Parameters
    ----------
    kernel
        A kernel, the name of one, "precomputed", or None: a Gaussian whose width is the median
        distance of the training records.
    ridge
        What is added to the variance within classes in every direction, as a share of the total
        variance.
    weighting
        "size": a class counts by its number of records (``S_W`` and ``S_B`` are sums over
        records, ``S_W + S_B`` is the total). "equal": all classes count the same, a rare one as
        much as the background (``S_W`` sums the classes' covariances, ``S_B`` the products of the
        differences of each two means).
    n_components
        Directions to keep; None keeps all.
    n_landmarks
        How many records span the directions: a number, "all", or "auto", which takes all up to
        2000, and beyond that those of the rarer classes (up to 500) and 500 others.
    random_state
        Seed of the draw of landmarks.

    Attributes
    ----------
    classes_
        The classes.
    support_, support_records_
        Rows and records of the landmarks.
    dual_coef_
        Coefficients of the landmarks, one row per direction, scaled so that the (ridged) variance
        within classes is one.
    eigenvalues_
        The ``λ`` of each direction, greatest first.
    means_
        Projected class means, one row per class.
    priors_
        Shares of the classes in the training records ("equal": the same for all).

    Examples
    --------
    >>> X, y = [[1.0, 2.0], [2.0, 1.0], [5.0, 6.0], [6.0, 5.0]], ["a", "a", "b", "b"]
    >>> model = KernelFisherDiscriminant("linear").fit(X, y)
    >>> model.transform(X).shape
    (4, 1)
    >>> model.predict([[0.0, 0.0], [7.0, 7.0]]).tolist()
    ['a', 'b']
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "kernel": [KERNEL],
        "ridge": [Number(0, closed="neither")],
        "weighting": [OneOf("size", "equal")],
        "n_components": [LANDMARKS[0], OneOf(None)],
        "n_landmarks": LANDMARKS,
    }

    def __init__(
        self,
        kernel: Any = None,
        *,
        ridge: float = 1e-3,
        weighting: str = "size",
        n_components: int | None = None,
        n_landmarks: Any = "auto",
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.ridge = ridge
        self.weighting = weighting
        self.n_components = n_components
        self.n_landmarks = n_landmarks
        self.random_state = random_state

    def fit(self, X: Records, y: Any) -> KernelFisherDiscriminant:
        """Learn from records and their labels."""
        random = generator(self.random_state, type(self).__name__)
        X, numbers = self._read_training(X, y)
        self._fit_kernel(X)
        rows = np.arange(len(numbers))
        landmarks = choose_landmarks(numbers, self.n_landmarks, random, type(self).__name__)
        space = feature_space(self._gram(X, landmarks))
        Z = space.features(self._gram(X, rows, landmarks))
        directions = self._directions(Z, numbers)
        self.dual_coef_ = (space.matrix @ directions).T
        self._keep(X, landmarks)
        means = np.array([Z[numbers == c].mean(axis=0) for c in range(len(self.classes_))])
        self.means_ = means @ directions
        self._n_features_out = directions.shape[1]
        return self

    def _directions(self, Z: FloatArray, numbers: IntArray) -> FloatArray:
        """Solve the generalised eigenproblem in coordinates, through the few class means."""
        sizes = np.bincount(numbers).astype(np.float64)
        equal = self.weighting == "equal"
        means = np.array([Z[numbers == c].mean(axis=0) for c in range(len(sizes))])
        reading = Z - means[numbers]
        share = (1.0 / sizes)[numbers] if equal else np.ones(len(Z))
        within = (reading * share[:, None]).T @ reading
        self.priors_ = np.full(len(sizes), 1.0 / len(sizes)) if equal else sizes / sizes.sum()
        apart = means - self.priors_ @ means
        # Σ over pairs (m_c - m_d)(m_c - m_d)' is C Σ (m_c - m)(m_c - m)'.
        count = np.full(len(sizes), float(len(sizes))) if equal else sizes
        between = apart * np.sqrt(count)[:, None]
        total = float(np.trace(within)) + float((between**2).sum())
        dimensions = Z.shape[1]
        most = min(len(sizes) - 1, self.n_components or len(sizes) - 1)
        if dimensions == 0 or total <= 0.0:
            self.eigenvalues_ = np.zeros(most)
            return np.zeros((dimensions, most))
        within[np.diag_indices(dimensions)] += self.ridge * total
        lower = linalg.cholesky(within, lower=True)
        whitened = linalg.solve_triangular(lower, between.T, lower=True)
        left, values, _ = linalg.svd(whitened, full_matrices=False)
        found = min(most, len(values))
        self.eigenvalues_ = np.zeros(most)
        self.eigenvalues_[:found] = values[:found] ** 2
        directions = np.zeros((dimensions, most))
        directions[:, :found] = linalg.solve_triangular(lower.T, left[:, :found], lower=False)
        # The mean spread within classes becomes one: S_W sums over records (or over classes).
        directions *= np.sqrt(len(sizes) if equal else len(Z))
        # The sign of a direction is free: the last of two classes, or the class that lies
        # furthest out, is on the positive side.
        places = apart @ directions
        furthest = (
            places[-1] if len(sizes) == 2 else places[np.abs(places).argmax(axis=0), range(most)]
        )
        return directions * np.where(furthest < 0, -1.0, 1.0)

    def transform(self, X: Records) -> FloatArray:
        """Projections of the records on the directions."""
        return self._similarities(self._read_new(X)) @ self.dual_coef_.T

    def decision_function(self, X: Records) -> FloatArray:
        """Score of each record: for the second of two classes, or one column per class."""
        places = self.transform(X)
        constants = np.log(self.priors_) - (self.means_**2).sum(axis=1) / 2
        scores = places @ self.means_.T + constants
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
