"""Each record made longer or shorter: normalisation, and weights by a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.errors import DataError
from rarefind.core.params import CALLABLE, Constraint
from rarefind.kernels.algebra.columns import rows_scaled
from rarefind.kernels.contract import A_KERNEL, Features, Kernel


class Normalized(Kernel):
    """``k(x, z) / √(k(x, x) k(z, z))``: every record has length one, or zero if it had none.

    Long strings and large graphs then are no more similar to everything than short ones.

    Parameters
    ----------
    kernel
        The kernel to normalise.

    Examples
    --------
    >>> from rarefind.kernels import Linear
    >>> Normalized(Linear())([[3.0, 0.0], [1.0, 1.0], [0.0, 0.0]]).round(3)
    array([[1.   , 0.707, 0.   ],
           [0.707, 1.   , 0.   ],
           [0.   , 0.   , 0.   ]])
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"kernel": [A_KERNEL]}

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    @property
    def gives_unit_length(self) -> bool:
        """Whether every record has length one, or zero if the kernel finds nothing in it."""
        return True

    def _read(self, A: Records) -> Any:
        kernel = self._part("kernel")
        read = kernel._read(A)
        return read, self._inverse_lengths(kernel._diag(read))

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        own, other = left[1], left[1] if right is None else right[1]
        gram = self._part("kernel")._gram(left[0], None if right is None else right[0])
        gram = gram * own[:, None] * other[None, :]
        if right is None:
            np.fill_diagonal(gram, own > 0)
        return gram

    def _diag(self, left: Any) -> FloatArray:
        return (left[1] > 0).astype(np.float64)

    def _features(self, A: Records) -> Features:
        kernel = self._part("kernel")
        return rows_scaled(kernel.features(A), self._inverse_lengths(kernel.diag(A)))

    def _inverse_lengths(self, squares: FloatArray) -> FloatArray:
        if (squares < 0).any():
            row = int(np.argmax(squares < 0))
            raise DataError(
                f"Normalized needs a kernel that gives each record a length. Record {row} has the "
                f"similarity {squares[row]:g} with itself; check the kernel with check_mercer."
            )
        lengths = np.sqrt(squares)
        return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)


class RecordWeighted(Kernel):
    """``f(x) · k(x, z) · f(z)``: records count more or less, as a function of them says.

    Parameters
    ----------
    kernel
        The kernel to weight.
    weight
        A function that takes all records and returns one number for each.

    Examples
    --------
    >>> from rarefind.kernels import Constant
    >>> RecordWeighted(Constant(), weight=lambda words: [len(word) for word in words])(["a", "abc"])
    array([[1., 3.],
           [3., 9.]])
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "kernel": [A_KERNEL],
        "weight": [CALLABLE],
    }

    def __init__(self, kernel: Kernel, weight: Callable[[Records], Any]) -> None:
        self.kernel = kernel
        self.weight = weight

    def _read(self, A: Records) -> Any:
        return self._part("kernel")._read(A), self._weights(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        own, other = left[1], left[1] if right is None else right[1]
        gram = self._part("kernel")._gram(left[0], None if right is None else right[0])
        return gram * own[:, None] * other[None, :]

    def _diag(self, left: Any) -> FloatArray:
        return self._part("kernel")._diag(left[0]) * left[1] ** 2

    def _features(self, A: Records) -> Features:
        return rows_scaled(self._part("kernel").features(A), self._weights(A))

    def _weights(self, A: Records) -> FloatArray:
        try:
            weights = np.asarray(self.weight(A), dtype=np.float64)
        except (TypeError, ValueError) as problem:
            raise DataError(
                "The 'weight' function of RecordWeighted must take all records and return one "
                f"number for each. It failed: {problem}."
            ) from problem
        if weights.shape != (count(A),) or not np.isfinite(weights).all():
            raise DataError(
                "The 'weight' function of RecordWeighted must return one finite number for each "
                f"record. For {count(A)} records it gave an array of shape {weights.shape}"
                f"{'' if np.isfinite(weights).all() else ' with NaN or infinity'}."
            )
        return weights
