"""The records of a hunt as a space: who is where, how many stand there, who is near."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray, Records, count, finite_matrix
from rarefind.core.errors import DataError, NotAvailableError, TooLargeError
from rarefind.geometry.block_engine import BlockEngine
from rarefind.geometry.engine import Engine
from rarefind.geometry.folding import Folded, fold
from rarefind.geometry.measures import Euclidean, KernelDistance
from rarefind.geometry.tree_engine import TreeEngine
from rarefind.kernels.base import Kernel

_TREE_DIMENSIONS = 15
"""Up to this many dimensions a k-d tree answers faster than blocks of distances."""


class Space:
    """Rows folded into weighted points, and the engine that answers questions about them.

    Attributes
    ----------
    folded
        Which rows are identical.
    engine
        Answers questions about distances among the points.
    vectors
        The points as prepared vectors, or None where only a kernel knows them.
    names
        The names of the columns of ``vectors``.
    """

    def __init__(
        self,
        folded: Folded,
        engine: Engine,
        vectors: FloatArray | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self.folded = folded
        self.engine = engine
        self.vectors = vectors
        self.names = list(names)

    @property
    def n_rows(self) -> int:
        """How many rows there are, identical ones included."""
        return len(self.folded.point_of)

    def distances_from(self, row: int) -> FloatArray:
        """Distances of one row from all rows."""
        return self.engine.distances(int(self.folded.point_of[row]))[self.folded.point_of]

    def neighbours(self, row: int, k: int) -> IntArray:
        """List the rows of the ``k`` nearest other points, nearest first, one row each."""
        _, near = self.engine.nearest(k, np.array([self.folded.point_of[row]]))
        return self.folded.first_row[near[0]]


def vector_space(X: Records, *, standardize: bool = True, names: Sequence[str] = ()) -> Space:
    """Make the space of vectors, each feature brought to mean 0 and deviation 1 if asked for."""
    if sparse.issparse(X):
        return _sparse_space(X)
    matrix = finite_matrix(X, "A hunt")
    _require_two(fold(matrix))
    folded = fold(standardized(matrix) if standardize else matrix)
    engine = choose_engine(folded.records, folded.weights)
    return Space(folded, engine, folded.records, names)


def kernel_space(records: Records, kernel: Kernel) -> Space:
    """Make the space in which a kernel places the records."""
    folded = fold(records)
    _require_two(folded)
    try:
        features = kernel.features(folded.records)
    except (NotAvailableError, TooLargeError):
        return Space(folded, BlockEngine(KernelDistance(kernel), folded.records, folded.weights))
    return Space(folded, choose_engine(features, folded.weights))


def choose_engine(vectors: FloatArray | sparse.csr_array, weights: IntArray) -> Engine:
    """Choose what answers fastest: a tree for few dimensions, blocks for many."""
    if not sparse.issparse(vectors) and vectors.shape[1] <= _TREE_DIMENSIONS:
        return TreeEngine(vectors, weights)
    return BlockEngine(Euclidean(), vectors, weights)


def standardized(matrix: FloatArray) -> FloatArray:
    """Bring every column to mean 0 and standard deviation 1; constant columns become 0."""
    centred = matrix - matrix.mean(axis=0)
    deviation = np.sqrt(np.einsum("ij,ij->j", centred, centred) / max(1, len(matrix)))
    noise = 1e-12 * np.abs(matrix).max(axis=0, initial=0.0)
    return centred / np.where(deviation > noise, deviation, np.inf)


def _sparse_space(X: Records) -> Space:
    folded = fold(sparse.csr_array(X, dtype=np.float64))
    _require_two(folded)
    return Space(folded, choose_engine(folded.records, folded.weights))


def _require_two(folded: Folded) -> None:
    if count(folded.records) < 2:
        raise DataError(
            f"A hunt needs at least two different records. Got {len(folded.point_of)} row(s) that "
            "are all the same."
        )
