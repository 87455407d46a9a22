"""Spline kernels: smooth functions with a knot at every record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import Constraint, OneOf
from rarefind.kernels.vectors.shared import DenseVectorKernel


class Spline(DenseVectorKernel):
    """Splines on numbers that are not negative, multiplied over the coordinates.

    With ``m = min(x, z)``, a coordinate contributes ``m`` for order 0 (steps), and
    ``1 + x z + x z m - (x + z) m² / 2 + m³ / 3`` for order 1 (linear pieces).

    Parameters
    ----------
    order
        0 or 1.

    Examples
    --------
    >>> Spline(order=0)([[2.0]], [[1.0], [5.0]])
    array([[1., 2.]])
    >>> Spline()([[1.0]], [[1.0]]).round(4)
    array([[2.3333]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"order": [OneOf(0, 1)]}

    def __init__(self, order: int = 1) -> None:
        self.order = order

    def _read(self, A: Records) -> FloatArray:
        read = super()._read(A)
        if (read < 0).any():
            row, column = np.argwhere(read < 0)[0]
            raise DataError(
                f"Spline needs numbers that are not negative. Row {row}, column {column} holds "
                f"{read[row, column]:g}; shift the column, for example with MinMaxScaler."
            )
        return read

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        gram = np.ones((len(left), len(right)))
        for x, z in zip(left.T, right.T, strict=True):
            gram *= self._coordinate(x[:, None], z[None, :])
        return gram

    def _diag(self, left: Any) -> FloatArray:
        return np.asarray(self._coordinate(left, left).prod(axis=1))

    def _coordinate(self, x: FloatArray, z: FloatArray) -> FloatArray:
        least = np.minimum(x, z)
        if self.order == 0:
            return least
        return 1.0 + x * z * (1.0 + least) - (x + z) * least**2 / 2.0 + least**3 / 3.0
