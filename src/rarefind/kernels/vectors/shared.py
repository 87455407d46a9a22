"""What all kernels on vectors share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records, finite_matrix
from rarefind.core.errors import DataError
from rarefind.core.memory_guard import ensure_fits
from rarefind.kernels.contract import Kernel
from rarefind.kernels.gram_blocks import gram_in_blocks


class VectorKernel(Kernel):
    """A kernel whose records are rows of numbers, dense or sparse."""

    @property
    def takes_vectors(self) -> bool:
        """Whether the records are rows of numbers."""
        return True

    def _read(self, A: Records) -> Any:
        name = type(self).__name__
        if not sparse.issparse(A):
            return finite_matrix(A, name)
        matrix = sparse.csr_array(A, dtype=np.float64)
        if not np.isfinite(matrix.data).all():
            raise DataError(
                f"{name} needs finite numbers. The sparse matrix holds NaN or infinity."
            )
        return matrix

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        self._compare_lengths(left, right)
        return self._similarities(left, left if right is None else right)

    def _compare_lengths(self, left: Any, right: Any | None) -> None:
        if right is not None and left.shape[1] != right.shape[1]:
            raise DataError(
                f"{type(self).__name__} compares vectors of equal length. "
                f"Got {left.shape[1]} and {right.shape[1]} columns."
            )

    @abstractmethod
    def _similarities(self, left: Any, right: Any) -> FloatArray:
        """Similarities of the rows of two matrices with equally many columns."""


_CELLS = 2**16
"""Similarities per block: half a megabyte, which stays in the processor's cache."""


class DenseVectorKernel(VectorKernel):
    """A kernel that goes through vectors coordinate by coordinate."""

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        self._compare_lengths(left, right)
        other = left if right is None else right
        return gram_in_blocks(
            lambda rows, columns: self._similarities(left[rows], other[columns]),
            len(left),
            None if right is None else len(right),
            task=f"{type(self).__name__} similarities",
            height=max(1, _CELLS // max(1, len(other))),
        )

    def _read(self, A: Records) -> FloatArray:
        read = super()._read(A)
        if sparse.issparse(read):
            ensure_fits(
                8 * read.shape[0] * read.shape[1],
                f"A sparse matrix of {read.shape[0]} x {read.shape[1]}, filled,",
                "Choose a kernel for sparse vectors, such as Linear, Polynomial or Gaussian.",
            )
            read = read.toarray()
        return np.asarray(read, dtype=np.float64)


def squared_norms(matrix: Any) -> FloatArray:
    """Squared length of every row."""
    if sparse.issparse(matrix):
        return np.asarray(matrix.multiply(matrix).sum(axis=1), dtype=np.float64).ravel()
    return np.einsum("ij,ij->i", matrix, matrix)
