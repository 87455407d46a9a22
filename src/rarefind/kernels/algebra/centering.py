"""A kernel whose records have mean zero in its feature space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint
from rarefind.kernels.contract import A_KERNEL, Features, Kernel
from rarefind.kernels.reference import Reference, dense


class Centered(Kernel):
    """``<φ(x) - m, φ(z) - m>``, where ``m`` is the mean of the records it has learnt from.

    Parameters
    ----------
    kernel
        The kernel to centre.

    Attributes
    ----------
    reference_
        The records learnt from, or their features.
    mean_
        Mean similarity of those records with each other.

    Examples
    --------
    >>> from rarefind.kernels import Linear
    >>> Centered(Linear()).fit([[1.0], [3.0]])([[1.0], [3.0], [4.0]])
    array([[ 1., -1., -2.],
           [-1.,  1.,  2.],
           [-2.,  2.,  4.]])
    """

    _learns = True
    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"kernel": [A_KERNEL]}

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def _learn(self, A: Records) -> None:
        self._refuse_none(A)
        self.reference_ = Reference(self._part("kernel"), A)
        self.mean_ = float(self.reference_.means(A).mean())

    def _read(self, A: Records) -> Any:
        return self._part("kernel")._read(A), self.reference_.means(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        own, other = left[1], left[1] if right is None else right[1]
        gram = self._part("kernel")._gram(left[0], None if right is None else right[0])
        return gram - own[:, None] - other[None, :] + self.mean_

    def _diag(self, left: Any) -> FloatArray:
        return self._part("kernel")._diag(left[0]) - 2.0 * left[1] + self.mean_

    def _features(self, A: Records) -> Features:
        features = self._part("kernel").features(A)
        if sparse.issparse(features):
            # Taking a mean away fills all the zeros.
            ensure_fits(
                8 * features.shape[0] * features.shape[1],
                f"A matrix of {features.shape[0]} x {features.shape[1]} centred features",
                "Call the kernel itself for similarities, or use LatentSemantic for fewer columns.",
            )
        reference = self.reference_
        if reference.features is not None:
            mean = reference.mean_features()
        else:
            kept = self._part("kernel").features(reference.records)
            mean = np.asarray(kept.mean(axis=0)).ravel()
        return dense(features) - mean
