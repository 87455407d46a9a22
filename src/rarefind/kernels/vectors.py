"""Kernels on vectors of numbers, dense or sparse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import euclidean_distances

from rarefind.core.arrays import FloatArray, Records, finite_matrix
from rarefind.core.params import Constraint, Number
from rarefind.kernels.base import Kernel


class VectorKernel(Kernel):
    """A kernel whose records are rows of numbers."""

    def _read(self, A: Records) -> Any:
        if sparse.issparse(A):
            return sparse.csr_array(A, dtype=np.float64)
        return finite_matrix(A, type(self).__name__)


class Linear(VectorKernel):
    """The inner product ``<x, z>``.

    Examples
    --------
    >>> Linear()([[1.0, 2.0], [0.0, 1.0]])
    array([[5., 2.],
           [2., 1.]])
    """

    def features(self, A: Records) -> FloatArray | sparse.csr_array:
        """Return the vectors themselves."""
        read: FloatArray | sparse.csr_array = self._read(A)
        return read

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        product = left @ (left if right is None else right).T
        return product.toarray() if sparse.issparse(product) else np.asarray(product)

    def _diag(self, left: Any) -> FloatArray:
        return squared_norms(left)


class Gaussian(VectorKernel):
    """``exp(-‖x - z‖² / (2 width²))``: one for equal vectors, falling with their distance.

    Parameters
    ----------
    width
        The distance over which similarity falls off.

    Examples
    --------
    >>> Gaussian(width=2.0)([[0.0], [2.0]]).round(3)
    array([[1.   , 0.607],
           [0.607, 1.   ]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"width": [Number(0, closed="neither")]}

    def __init__(self, width: float = 1.0) -> None:
        self.width = width

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        gram: FloatArray = euclidean_distances(left, right, squared=True)
        gram *= -0.5 / self.width**2
        return np.exp(gram, out=gram)

    def _diag(self, left: Any) -> FloatArray:
        return np.ones(left.shape[0])


def squared_norms(matrix: Any) -> FloatArray:
    """Squared length of every row."""
    if sparse.issparse(matrix):
        return np.asarray(matrix.multiply(matrix).sum(axis=1), dtype=np.float64).ravel()
    return np.einsum("ij,ij->i", matrix, matrix)
