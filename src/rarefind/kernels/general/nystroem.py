"""Few features for any kernel, from its similarities to some landmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import eigh

from rarefind.core.arrays import FloatArray, Records, count, take
from rarefind.core.params import Constraint, Integer
from rarefind.kernels.contract import A_KERNEL, Features, Kernel
from rarefind.kernels.reference import Reference


class Nystroem(Kernel):
    """A kernel approximated through landmarks: ``k(x, L) k(L, L)⁻¹ k(L, z)``.

    Landmarks are records drawn at random from those it learns from. The approximation is exact
    between landmarks, and gives any kernel a short list of features.

    Parameters
    ----------
    kernel
        The kernel to approximate.
    n_landmarks
        How many records to draw (all, if there are fewer).
    random_state
        Seed of the draw.

    Attributes
    ----------
    landmarks_
        The records drawn, or their features.
    map_
        Matrix that turns similarities to the landmarks into features.

    Examples
    --------
    >>> from rarefind.kernels import Gaussian
    >>> kernel = Nystroem(Gaussian(), n_landmarks=2).fit([[0.0], [1.0], [5.0]])
    >>> kernel.features([[0.5], [2.0]]).shape
    (2, 2)
    """

    _learns = True
    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "kernel": [A_KERNEL],
        "n_landmarks": [Integer(1)],
        "random_state": [Integer(0)],
    }

    def __init__(self, kernel: Kernel, n_landmarks: int = 100, *, random_state: int = 0) -> None:
        self.kernel = kernel
        self.n_landmarks = n_landmarks
        self.random_state = random_state

    def _columns_are_fixed(self) -> bool:
        # The map settles them, whatever features the kernel inside has.
        return self._has_learnt()

    def _learn(self, A: Records) -> None:
        self._refuse_none(A)
        drawn = np.random.default_rng(self.random_state).permutation(count(A))
        landmarks = take(A, np.sort(drawn[: self.n_landmarks]))
        self.landmarks_ = Reference(self._part("kernel"), landmarks)
        values, vectors = eigh(self._part("kernel")(landmarks))
        # Directions in which the landmarks do not differ would be blown up by the inverse.
        kept = values > max(float(values[-1]), 0.0) * len(values) * np.finfo(float).eps * 16
        self.map_: FloatArray = vectors[:, kept] / np.sqrt(values[kept])

    def _read(self, A: Records) -> Any:
        return self._features(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return np.asarray(left @ (left if right is None else right).T)

    def _diag(self, left: Any) -> FloatArray:
        return np.einsum("ij,ij->i", left, left)

    def _features(self, A: Records) -> Features:
        return self.landmarks_.gram(A) @ self.map_
