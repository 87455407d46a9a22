"""Records to compare new ones with, kept as features where the kernel can list them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records, count, take
from rarefind.core.errors import NotAvailableError, TooLargeError
from rarefind.core.memory_guard import ensure_fits
from rarefind.kernels.contract import Features, Kernel

_BLOCK_BYTES = 64 * 2**20
"""Similarities made at a time: small beside a machine's memory, large beside the cost of a call."""


class Reference:
    """A fitted kernel and the records it compares with.

    Features, where the kernel has some whose columns stay the same, stand for the records: they
    are smaller than texts or graphs, and comparing becomes one matrix product. Rows of numbers are
    kept as they are.

    Attributes
    ----------
    features
        Features of the records, or None.
    records
        The records themselves, or None where their features are kept.
    """

    def __init__(self, kernel: Kernel, records: Records) -> None:
        self.kernel = kernel
        self.size = count(records)
        self.features: Features | None = None
        if not kernel.takes_vectors and kernel._columns_are_fixed():
            try:
                self.features = kernel.features(records)
            except (NotAvailableError, TooLargeError):
                self.features = None
        self.records = records if self.features is None else None

    def gram(self, A: Records) -> FloatArray:
        """Similarities of new records with all that are kept."""
        if self.features is None:
            return self.kernel(A, self.records)
        ensure_fits(
            8 * count(A) * self.size,
            f"A matrix of {count(A)} x {self.size} similarities",
            "Use fewer records at a time.",
        )
        return dense(self.kernel.features(A) @ self.features.T)

    def means(self, A: Records) -> FloatArray:
        """Mean similarity of each new record to those kept, never holding a large matrix."""
        if self.features is not None:
            return dense(self.kernel.features(A) @ self.mean_features()).ravel()
        blocks = [self.gram(take(A, rows)).mean(axis=1) for rows in self._blocks(count(A))]
        return np.concatenate(blocks) if blocks else np.zeros(0)

    def mean_features(self) -> FloatArray:
        """Mean of the features of the records kept."""
        assert self.features is not None
        return np.asarray(self.features.mean(axis=0), dtype=np.float64).ravel()

    def _blocks(self, n_rows: int) -> Iterator[slice]:
        height = max(1, _BLOCK_BYTES // (8 * max(1, self.size)))
        for start in range(0, n_rows, height):
            yield slice(start, min(start + height, n_rows))


def dense(product: Any) -> FloatArray:
    """Turn a product of features, sparse or not, into a plain matrix."""
    return product.toarray() if sparse.issparse(product) else np.asarray(product, dtype=np.float64)
