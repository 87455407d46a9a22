"""Kernels that count patterns: the similarity of two graphs is the product of their counts."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.kernels.contract import Kernel
from rarefind.kernels.graphs.batch import GraphBatch, read_graphs
from rarefind.kernels.graphs.hashing import Hashes
from rarefind.kernels.sparse_features import with_small_indices

_COMMON = 0.1
"""A pattern in more than this share of the records is multiplied densely."""


@dataclass(frozen=True)
class Counts:
    """How often each pattern occurs in each record; columns are sorted by the patterns' keys."""

    patterns: Hashes
    matrix: sparse.csr_array

    @classmethod
    def tally(cls, rows: IntArray, keys: Hashes, times: FloatArray, n_rows: int) -> Counts:
        """Add up the occurrences of each pattern in each record."""
        patterns, columns = np.unique(keys, return_inverse=True)
        found = sparse.coo_array((times, (rows, columns)), shape=(n_rows, len(patterns)))
        return cls(patterns, with_small_indices(found.tocsr()))

    def onto(self, patterns: Hashes) -> sparse.csr_array:
        """Return the counts of these patterns only, in this order; ``patterns`` must be sorted."""
        place = np.searchsorted(patterns, self.patterns)
        kept = place < len(patterns)
        kept[kept] = patterns[place[kept]] == self.patterns[kept]
        found = self.matrix.tocoo()
        row, column = found.coords
        use = kept[column]
        shape = (self.matrix.shape[0], len(patterns))
        kept_counts = (found.data[use], (row[use], place[column[use]]))
        return with_small_indices(sparse.csr_array(kept_counts, shape=shape))


class PatternKernel(Kernel):
    """A kernel between graphs with one feature per pattern: how often it occurs.

    ``features`` lists the patterns that occur in the given records. After ``fit`` the columns are
    the patterns of the records fitted on, for every list of records: patterns that only new
    records hold have no column, so products of new with fitted records are still exact.
    """

    _learns_columns: ClassVar[bool] = True

    def _learn(self, A: Records) -> None:
        self.patterns_: Hashes = self._read(A).patterns

    def _features(self, A: Records) -> sparse.csr_array:
        counts = self._read(A)
        patterns = getattr(self, "patterns_", None)
        return counts.matrix if patterns is None else counts.onto(patterns)

    def _read(self, A: Records) -> Counts:
        return self._count(read_graphs(A, type(self).__name__))

    @abstractmethod
    def _count(self, batch: GraphBatch) -> Counts:
        """Count the patterns in all graphs."""

    def _gram(self, left: Counts, right: Counts | None) -> FloatArray:
        if right is None:
            return _product(left.matrix, left.matrix)
        _, ours, theirs = np.intersect1d(
            left.patterns, right.patterns, assume_unique=True, return_indices=True
        )
        return _product(left.matrix[:, ours], right.matrix[:, theirs])

    def _diag(self, left: Counts) -> FloatArray:
        return np.asarray(left.matrix.multiply(left.matrix).sum(axis=1), dtype=np.float64).ravel()


def _product(left: sparse.csr_array, right: sparse.csr_array) -> FloatArray:
    """Products of all rows, with the few columns that most records share in a dense product."""
    n_rows = left.shape[0] + right.shape[0]
    spread = np.bincount(left.indices, minlength=left.shape[1])
    spread = spread + np.bincount(right.indices, minlength=right.shape[1])
    common = spread > _COMMON * n_rows
    # A dense copy of the common columns must not outgrow the result.
    if not common.any() or common.sum() > 4 * n_rows:
        return np.asarray((left @ right.T).toarray(), dtype=np.float64)
    dense_left = left[:, common].toarray()
    dense_right = dense_left if right is left else right[:, common].toarray()
    product = dense_left @ dense_right.T
    if not common.all():
        product += left[:, ~common] @ right[:, ~common].T
    return product
