"""The polynomial kernel through random sketches of its monomials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint, Integer, Number
from rarefind.kernels.contract import Features
from rarefind.kernels.reference import dense
from rarefind.kernels.vectors.shared import VectorKernel


class RandomPolynomial(VectorKernel):
    """An approximate polynomial kernel with few features, however many monomials there are.

    The expectation over draws is ``(scale <x, z> + offset) ** degree``; the same seed draws the
    same, so it is a kernel in its own right (Pham and Pagh, 2013: tensor sketches).

    Parameters
    ----------
    degree
        Degree of the polynomial.
    offset, scale
        As in the polynomial kernel.
    n_features
        How many features; the variance falls as one over their number.
    random_state
        Seed of the draws.

    Examples
    --------
    >>> kernel = RandomPolynomial(2, n_features=4000)
    >>> abs(float(kernel([[1.0, 2.0]], [[2.0, 0.5]])[0, 0]) - 16.0) < 2.0
    True
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "degree": [Integer(1, 20)],
        "offset": [Number(0, closed="left")],
        "scale": [Number(0, closed="neither")],
        "n_features": [Integer(1)],
        "random_state": [Integer(0)],
    }

    def __init__(
        self,
        degree: int = 2,
        *,
        offset: float = 1.0,
        scale: float = 1.0,
        n_features: int = 1000,
        random_state: int = 0,
    ) -> None:
        self.degree = degree
        self.offset = offset
        self.scale = scale
        self.n_features = n_features
        self.random_state = random_state

    def _features(self, A: Records) -> Features:
        return self._sketches(self._read(A))

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        mine = self._sketches(left)
        return mine @ (mine if right is left else self._sketches(right)).T

    def _diag(self, left: Any) -> FloatArray:
        sketches = self._sketches(left)
        return np.einsum("ij,ij->i", sketches, sketches)

    def _sketches(self, read: Any) -> FloatArray:
        from sklearn.kernel_approximation import PolynomialCountSketch

        ensure_fits(
            16 * self.degree * read.shape[0] * self.n_features,
            f"A matrix of {read.shape[0]} x {self.n_features} random features",
            "Draw fewer (n_features), or take fewer records at a time.",
        )
        sketch = PolynomialCountSketch(
            gamma=self.scale,
            degree=self.degree,
            coef0=self.offset,
            n_components=self.n_features,
            random_state=self.random_state,
        )
        # What is drawn depends on the number of columns alone.
        return np.asarray(dense(sketch.fit(read[:1]).transform(read)), dtype=np.float64)
