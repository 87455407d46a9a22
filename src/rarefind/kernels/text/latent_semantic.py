"""Texts, or any records, compared by the few topics that explain most of their similarity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import issparse
from scipy.sparse.linalg import svds

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.params import NOTHING, Constraint, Integer
from rarefind.kernels.contract import A_KERNEL, Features, Kernel
from rarefind.kernels.reference import Reference, dense
from rarefind.kernels.text.vector_space import VectorSpace

_NEGLIGIBLE = 1e-12
"""Directions with less than this share of the largest eigenvalue are rounding errors."""


class LatentSemantic(Kernel):
    """A kernel reduced to the directions that matter most in the records it learns from.

    Words that occur in the same texts fall together, so that texts without a common word may be
    similar. With the eigenvectors ``V`` and eigenvalues ``L`` of the Gram matrix of those records,
    a record has the features ``L^(-1/2) V' k(·, x)``.

    Parameters
    ----------
    rank
        How many directions are kept (fewer, if the records do not have as many).
    kernel
        The kernel to reduce, on any kind of record; VectorSpace on texts if None.

    Attributes
    ----------
    reference_
        The records learnt from, or their features.
    map_
        Matrix that turns similarities to these records, or their features, into topics.
    eigenvalues_
        How much each direction explains, largest first.

    Examples
    --------
    >>> texts = ["car wheel", "car motor", "automobile motor", "rose tulip", "rose garden"]
    >>> kernel = LatentSemantic(rank=2).fit(texts)
    >>> bool(kernel(["wheel"], ["automobile"])[0, 0] > 0.05)
    True
    >>> abs(kernel(["wheel"], ["tulip"]).round(6))
    array([[0.]])
    """

    _learns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "rank": [Integer(1)],
        "kernel": [A_KERNEL, NOTHING],
    }

    def __init__(self, rank: int = 100, *, kernel: Kernel | None = None) -> None:
        self.rank = rank
        self.kernel = kernel

    def _columns_are_fixed(self) -> bool:
        # The map settles them, whatever features the kernel inside has.
        return self._has_learnt()

    def _learn(self, A: Records) -> None:
        self._refuse_none(A)
        kernel = VectorSpace().fit(A) if self.kernel is None else self._part("kernel")
        self.reference_ = Reference(kernel, A)
        if self.reference_.features is None:
            self._learn_from_similarities(kernel(A))
        else:
            self._learn_from_features(self.reference_.features)

    def _learn_from_similarities(self, gram: FloatArray) -> None:
        n = len(gram)
        values, vectors = eigh(gram, subset_by_index=[max(0, n - self.rank), n - 1])
        values, vectors = values[::-1], vectors[:, ::-1]
        kept = values > _NEGLIGIBLE * max(float(values[0]), 0.0)
        self.eigenvalues_: FloatArray = values[kept]
        self.map_: FloatArray = vectors[:, kept] / np.sqrt(values[kept])

    def _learn_from_features(self, features: Features) -> None:
        """Take the same directions from the features, without a Gram matrix."""
        if self.rank < min(features.shape) - 1 and issparse(features):
            start = np.random.default_rng(0).normal(size=min(features.shape))
            _, values, directions = svds(features, k=self.rank, v0=start)
            order = np.argsort(values)[::-1]
            values, directions = values[order], directions[order]
        else:
            _, values, directions = np.linalg.svd(dense(features), full_matrices=False)
        values, directions = values[: self.rank] ** 2, directions[: self.rank]
        kept = values > _NEGLIGIBLE * max(float(values[0]), 0.0)
        self.eigenvalues_ = values[kept]
        self.map_ = directions[kept].T

    def _read(self, A: Records) -> Any:
        return self._features(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return np.asarray(left @ (left if right is None else right).T)

    def _diag(self, left: Any) -> FloatArray:
        return np.einsum("ij,ij->i", left, left)

    def _features(self, A: Records) -> Features:
        reference = self.reference_
        if reference.features is None:
            return reference.gram(A) @ self.map_
        return dense(reference.kernel.features(A) @ self.map_)
