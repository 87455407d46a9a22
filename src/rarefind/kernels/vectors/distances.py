"""Kernels that fall with the distance of two records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances, laplacian_kernel

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.params import NOTHING, Constraint, Number
from rarefind.kernels.contract import A_KERNEL, Kernel
from rarefind.kernels.vectors.shared import VectorKernel

_WIDTH = Number(0, closed="neither")
"""Zero would divide by zero."""


class Gaussian(VectorKernel):
    """``exp(-d² / (2 width²))``: one for equal records, falling with their distance ``d``.

    Parameters
    ----------
    width
        The distance over which similarity falls off.
    kernel
        The kernel whose distance is taken, ``d² = k(x,x) - 2 k(x,z) + k(z,z)``, which makes
        it a Gaussian on strings or graphs; the Euclidean distance of vectors if None.
    gamma
        The factor in ``exp(-gamma d²)``, as scikit-learn has it; takes the place of ``width``.

    Examples
    --------
    >>> Gaussian(width=2.0)([[0.0], [2.0]]).round(3)
    array([[1.   , 0.607],
           [0.607, 1.   ]])
    >>> from rarefind.kernels import Intersection
    >>> Gaussian(kernel=Intersection())([{"a", "b"}], [{"a"}, {"a", "b"}]).round(3)
    array([[0.607, 1.   ]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "width": [_WIDTH],
        "kernel": [A_KERNEL, NOTHING],
        "gamma": [_WIDTH, NOTHING],
    }

    gamma: float | None = None  # of the class, for kernels saved before there was one

    def __init__(
        self, width: float = 1.0, *, kernel: Kernel | None = None, gamma: float | None = None
    ) -> None:
        self.width = width
        self.kernel = kernel
        self.gamma = gamma

    @property
    def takes_vectors(self) -> bool:
        """Whether the records are rows of numbers."""
        return self.kernel is None or self.kernel.takes_vectors

    def _read(self, A: Records) -> Any:
        if self.kernel is None:
            return super()._read(A)
        part = self._part("kernel")
        read = part._read(A)
        return read, part._diag(read)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        if self.kernel is None:
            return super()._gram(left, right)
        own, other = left[1], left[1] if right is None else right[1]
        gram = self._part("kernel")._gram(left[0], None if right is None else right[0])
        squared = own[:, None] + other[None, :] - 2.0 * gram
        np.maximum(squared, 0.0, out=squared)
        if right is None:
            np.fill_diagonal(squared, 0.0)
        return np.exp(squared * -self._factor())

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        # The same object twice tells scikit-learn that the diagonal is zero.
        gram: FloatArray = euclidean_distances(left, right, squared=True)
        gram *= -self._factor()
        return np.exp(gram, out=gram)

    def _diag(self, left: Any) -> FloatArray:
        return np.ones(left.shape[0] if self.kernel is None else len(left[1]))

    def _factor(self) -> float:
        return 0.5 / self.width**2 if self.gamma is None else self.gamma


class Laplacian(VectorKernel):
    """``exp(-|x - z| / width)`` with absolute differences: a sharper peak, a longer tail.

    Parameters
    ----------
    width
        The distance over which similarity falls off.

    Examples
    --------
    >>> Laplacian(width=2.0)([[0.0]], [[2.0]]).round(3)
    array([[0.368]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"width": [_WIDTH]}

    def __init__(self, width: float = 1.0) -> None:
        self.width = width

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        return laplacian_kernel(left, right, gamma=1.0 / self.width)

    def _diag(self, left: Any) -> FloatArray:
        return np.ones(left.shape[0])
