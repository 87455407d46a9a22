"""How far apart are records: distances and angles, straight from vectors or through a kernel.

A kernel is an inner product, so it gives both: ``d² = k(x,x) - 2 k(x,z) + k(z,z)`` and
``cos θ = k(x,z) / √(k(x,x) k(z,z))``. Everything above this layer uses a measure and nothing else,
which is why it works on strings and graphs exactly as on vectors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.utils.extmath import safe_sparse_dot

from rarefind.core.arrays import BoolArray, FloatArray, Records, finite_matrix
from rarefind.geometry import thresholds
from rarefind.geometry.fingerprint import NoFingerprintError, fingerprint
from rarefind.kernels.contract import Kernel
from rarefind.kernels.vectors import squared_norms


def row_blocks(
    n_rows: int, n_columns: int, *, block_bytes: int = thresholds.BLOCK_BYTES
) -> Iterator[slice]:
    """Cut ``n_rows`` into slices whose block of float64 with ``n_columns`` stays in bounds.

    >>> list(row_blocks(5, 100, block_bytes=1600))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    height = max(1, block_bytes // (8 * max(1, n_columns)))
    for start in range(0, n_rows, height):
        yield slice(start, min(start + height, n_rows))


class Measure(ABC):
    """A way to say how far apart two records are, as a matrix for two lists of them."""

    @property
    def fingerprint(self) -> str:
        """What distances follow from beside the records; without one they are not kept in files."""
        raise NoFingerprintError(f"{type(self).__name__} has no fingerprint.")

    @abstractmethod
    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Distances of all records in ``A`` from all in ``B`` (from each other if None)."""


class Euclidean(Measure):
    """The length of the difference of two vectors."""

    fingerprint = "Euclidean"

    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Distances of all rows of ``A`` from all rows of ``B``."""
        left = _vectors(A)
        right = left if B is None or B is A else _vectors(B)
        if sparse.issparse(left) != sparse.issparse(right):
            left, right = sparse.csr_array(left), sparse.csr_array(right)
        if not sparse.issparse(left) and left.shape[1] <= thresholds.DIRECT_DIMENSIONS:
            return cdist(left, right)
        return _by_product(left, right)


class Angle(Measure):
    """The angle between two vectors, in radians; a zero vector is at a right angle to all."""

    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Angles of all rows of ``A`` with all rows of ``B``."""
        left = _unit_rows(_vectors(A))
        right = left if B is None or B is A else _unit_rows(_vectors(B))
        # Half the chord, through the arcsine, keeps small angles accurate where the arccosine of
        # a number near one would lose half the digits.
        chord = Euclidean()(left, right)
        angles = 2.0 * np.arcsin(np.clip(chord / 2.0, 0.0, 1.0))
        zero_left, zero_right = _zero_rows(left), _zero_rows(right)
        if zero_left.any() or zero_right.any():
            angles[zero_left[:, None] | zero_right[None, :]] = np.pi / 2
        return angles


class KernelDistance(Measure):
    """The distance in the feature space of a kernel (see ``Kernel.for_distances``)."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    @property
    def fingerprint(self) -> str:
        """The kernel, in short."""
        return fingerprint("distance", self.kernel)

    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Distances of all records in ``A`` from all in ``B``."""
        similar = self.kernel(A, B)
        alone = B is None or B is A
        own = similar.diagonal() if alone else self.kernel.diag(A)
        other = own if alone else self.kernel.diag(B)
        squared = own[:, None] + other[None, :]
        # What is left of a difference of equal numbers is rounding error, not distance.
        rounding = 4e-15 * squared
        squared -= 2.0 * similar
        squared[squared < rounding] = 0.0
        if alone:
            np.fill_diagonal(squared, 0.0)
        return np.sqrt(squared, out=squared)


class KernelAngle(Measure):
    """The angle in the feature space of a kernel, in radians; zero vectors as in Angle."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Angles of all records in ``A`` with all in ``B``."""
        own = np.sqrt(np.maximum(self.kernel.diag(A), 0.0))
        other = own if B is None or B is A else np.sqrt(np.maximum(self.kernel.diag(B), 0.0))
        lengths = own[:, None] * other[None, :]
        cosine = np.zeros_like(lengths)
        np.divide(self.kernel(A, B), lengths, out=cosine, where=lengths > 0)
        cosine[cosine > 1.0 - 4e-15] = 1.0
        angles = np.arccos(np.clip(cosine, -1.0, 1.0))
        if B is None or B is A:
            np.fill_diagonal(angles, np.where(own > 0, 0.0, np.pi / 2))
        return angles


def measure_for(kernel: Kernel | None = None, *, angle: bool = False) -> Measure:
    """Choose the measure for vectors (no kernel) or for the records of a kernel."""
    if kernel is None:
        return Angle() if angle else Euclidean()
    return KernelAngle(kernel) if angle else KernelDistance(kernel)


def _vectors(A: Records) -> FloatArray | sparse.csr_array:
    return (
        sparse.csr_array(A, dtype=np.float64)
        if sparse.issparse(A)
        else finite_matrix(A, "A distance")
    )


def _by_product(
    left: FloatArray | sparse.csr_array, right: FloatArray | sparse.csr_array
) -> FloatArray:
    """Euclidean distances through one matrix product, with close pairs computed again exactly."""
    lengths = squared_norms(left)[:, None] + squared_norms(right)[None, :]
    squared: FloatArray = lengths - 2.0 * safe_sparse_dot(left, right.T, dense_output=True)
    # The expansion loses all digits where the distance is small against the lengths.
    rows, columns = np.nonzero(squared < 1e-6 * lengths)
    for part in row_blocks(len(rows), left.shape[1]):
        difference = left[rows[part]] - right[columns[part]]
        squared[rows[part], columns[part]] = squared_norms(difference)
    return np.sqrt(np.maximum(squared, 0.0, out=squared), out=squared)


def _unit_rows(matrix: FloatArray | sparse.csr_array) -> FloatArray | sparse.csr_array:
    lengths = np.sqrt(squared_norms(matrix))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    if sparse.issparse(matrix):
        return sparse.csr_array(sparse.diags_array(scale) @ matrix)
    return matrix * scale[:, None]


def _zero_rows(matrix: FloatArray | sparse.csr_array) -> BoolArray:
    return np.asarray(squared_norms(matrix) == 0.0)
