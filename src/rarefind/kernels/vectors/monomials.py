"""Products of distinct coordinates: of any number of them, or of exactly so many."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint, Integer
from rarefind.kernels.contract import Features
from rarefind.kernels.vectors.shared import DenseVectorKernel


class MonomialKernel(DenseVectorKernel):
    """A kernel whose features are products of distinct coordinates."""

    _fixed_columns = True

    def _columns(self, features: int, rows: int) -> FloatArray:
        ensure_fits(
            8 * rows * features,
            f"A matrix of {rows} x {features} products of coordinates",
            "Call the kernel itself for similarities.",
        )
        return np.ones((rows, features))


class AllSubsets(MonomialKernel):
    """``∏ (1 + x_i z_i)``: one feature for every subset of the coordinates, their product.

    Examples
    --------
    >>> AllSubsets()([[1.0, 2.0]], [[3.0, 0.5]])
    array([[8.]])
    """

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        gram = np.ones((len(left), len(right)))
        for x, z in zip(left.T, right.T, strict=True):
            gram *= 1.0 + np.outer(x, z)
        return gram

    def _diag(self, left: Any) -> FloatArray:
        return np.asarray((1.0 + left**2).prod(axis=1))

    def _features(self, A: Records) -> Features:
        read = self._read(A)
        rows, width = read.shape
        features = self._columns(2**width, rows)
        for i in range(width):
            # Subsets that hold coordinate i are those whose number has bit i.
            features[:, 2**i : 2 ** (i + 1)] = features[:, : 2**i] * read[:, i : i + 1]
        return features


class Anova(MonomialKernel):
    """``Σ ∏ x_i z_i`` over all sets of exactly ``degree`` coordinates.

    Parameters
    ----------
    degree
        How many distinct coordinates are multiplied with each other.

    Examples
    --------
    >>> Anova(degree=2)([[1.0, 2.0, 3.0]], [[1.0, 1.0, 1.0]])
    array([[11.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"degree": [Integer(1)]}

    def __init__(self, degree: int = 2) -> None:
        self.degree = degree

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        shape = (len(left), len(right))
        if self.degree > left.shape[1]:  # there are no such sets
            return np.zeros(shape)
        pairs = (np.outer(x, z) for x, z in zip(left.T, right.T, strict=True))
        return self._symmetric_sum(pairs, shape)

    def _diag(self, left: Any) -> FloatArray:
        if self.degree > left.shape[1]:
            return np.zeros(len(left))
        return self._symmetric_sum((x**2 for x in left.T), (len(left),))

    def _symmetric_sum(self, products: Any, shape: tuple[int, ...]) -> FloatArray:
        """Sum over sets of coordinates, adding one coordinate after the other to the sets."""
        sums = [np.ones(shape), *(np.zeros(shape) for _ in range(self.degree))]
        for product in products:
            for size in range(self.degree, 0, -1):
                sums[size] += product * sums[size - 1]
        return sums[self.degree]

    def _features(self, A: Records) -> Features:
        read = self._read(A)
        rows, width = read.shape
        features = self._columns(math.comb(width, self.degree), rows)
        for column, chosen in enumerate(combinations(range(width), self.degree)):
            features[:, column] = read[:, list(chosen)].prod(axis=1)
        return features
