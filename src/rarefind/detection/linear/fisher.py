"""Fisher's linear discriminant as textbooks work it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import linalg
from sklearn.utils import Tags

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.params import Constraint, Number, OneOf
from rarefind.detection.linear.learner import LinearLearner
from rarefind.features.reading import read_features
from rarefind.features.vectors import LARGEST

_LEAST_RIDGE = 1e-9
"""Added where columns repeat each other: six digits above what double precision loses anyway."""


class FisherDiscriminant(LinearLearner):
    """Find the direction in which two classes lie furthest apart for their spread.

    The greatest ``λ`` with ``S_B w = λ S_W w``, where ``S_B`` is made of the means and ``S_W`` of
    the spreads of the classes. Nothing is shrunken: the model "lda" is the one for many features.

    Parameters
    ----------
    scatter
        ``"covariances"``: ``S_W = S_1 + S_2`` of covariances (divided by the number of records of
        the class) and ``S_B = (μ_1 - μ_2)(μ_1 - μ_2)ᵀ``. ``"sums"``: the same with sums of squares
        in ``S_W``. ``"classes"``: as for any number of classes, sums of squares in ``S_W`` and
        ``S_B = Σ N_c (μ_c - μ)(μ_c - μ)ᵀ``. The direction is the same in all three.
    ridge
        Added to the diagonal of ``S_W``, as a share of its mean. Where ``S_W`` is singular without,
        a billionth is added.

    Attributes
    ----------
    classes_
        The classes; scores are for the second.
    eigenvalues_
        The ``λ``.
    coef_, intercept_
        ``w`` of length one towards the second class, and minus the middle of the two means on it.
    means_, within_, between_
        The means, ``S_W`` and ``S_B``.

    Examples
    --------
    >>> X = [[4, 1], [2, 4], [2, 3], [3, 6], [4, 4], [9, 10], [6, 8], [9, 5], [8, 7], [10, 8]]
    >>> model = FisherDiscriminant().fit(X, [1] * 5 + [2] * 5)
    >>> model.eigenvalues_.round(4).tolist(), model.coef_.round(4).tolist()
    ([15.6569], [[0.9196, 0.393]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "scatter": [OneOf("covariances", "sums", "classes")],
        "ridge": [Number(0)],
    }

    def __init__(
        self,
        *,
        scatter: Literal["covariances", "sums", "classes"] = "covariances",
        ridge: float = 0.0,
    ) -> None:
        self.scatter = scatter
        self.ridge = ridge

    def fit(self, X: Records, y: Any) -> FisherDiscriminant:
        """Learn the direction from records of two classes."""
        X, numbers = self._read_training(X, y)
        parts = [X[numbers == number] for number in (0, 1)]
        self.means_ = np.array([part.mean(axis=0) for part in parts])
        centred = [part - mean for part, mean in zip(parts, self.means_, strict=True)]
        shares = [1 / len(part) if self.scatter == "covariances" else 1.0 for part in parts]
        self.within_ = sum(
            share * (part.T @ part) for share, part in zip(shares, centred, strict=True)
        )
        apart = self.means_[1] - self.means_[0]
        factor = len(parts[0]) * len(parts[1]) / len(X) if self.scatter == "classes" else 1.0
        self.between_ = factor * np.outer(apart, apart)
        # S_B has one direction only, so the greatest λ is that of w = S_W⁻¹(μ_2 - μ_1).
        direction = self._solved(apart)
        self.eigenvalues_ = np.array([factor * float(apart @ direction)])
        self.coef_ = (direction / (float(np.linalg.norm(direction)) or 1.0))[None, :]
        self.intercept_ = -(self.coef_ @ self.means_.mean(axis=0))
        return self

    def _solved(self, apart: FloatArray) -> FloatArray:
        """Solve ``S_W w = μ_2 - μ_1``, with every feature brought to spread one on the way."""
        diagonal = np.diag(self.within_)
        scale = np.sqrt(diagonal + self.ridge * diagonal.mean())
        scale[scale == 0] = 1.0
        alike = self.within_ / np.outer(scale, scale)
        alike += np.diag(self.ridge * diagonal.mean() / scale**2)
        if np.linalg.cond(alike) > 1 / _LEAST_RIDGE:
            alike += _LEAST_RIDGE * np.eye(len(scale))
        solved: FloatArray = linalg.solve(alike, apart / scale, assume_a="pos") / scale
        return solved

    def _read(self, X: Records, *, reset: bool) -> Any:
        largest = LARGEST if reset else None  # squares are needed of the training records alone
        return read_features(self, X, reset=reset, accept_sparse=False, largest=largest)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags
