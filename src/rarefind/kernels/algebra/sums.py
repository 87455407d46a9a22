"""Sums of kernels, positive multiples, and the constant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.params import Constraint, Is, Number
from rarefind.kernels.algebra.columns import side_by_side
from rarefind.kernels.contract import A_KERNEL, Features, Kernel

POSITIVE = Is(
    "a number in (0, inf), since a negative or zero weight need not give an inner product",
    Number(0, closed="neither").allows,
)
"""Weights that keep a kernel a kernel."""


class Sum(Kernel):
    """``left(x, z) + right(x, z)``, also written ``left + right``.

    Parameters
    ----------
    left, right
        The kernels to add.

    Examples
    --------
    >>> from rarefind.kernels import Gaussian, Linear
    >>> kernel = Linear() + 2.0 * Gaussian(width=3.0)
    >>> kernel([[1.0]], [[1.0]])
    array([[3.]])
    >>> kernel.terms()
    [Linear(), Multiple(factor=2.0, kernel=Gaussian(width=3.0))]
    """

    _fixed_columns = True
    _adds_distances = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "left": [A_KERNEL],
        "right": [A_KERNEL],
    }

    def __init__(self, left: Kernel, right: Kernel) -> None:
        self.left = left
        self.right = right

    def terms(self) -> list[Kernel]:
        """Return the kernels that are added, sums inside sums taken apart."""
        return [*self._part("left").terms(), *self._part("right").terms()]

    def _read(self, A: Records) -> Any:
        return self._part("left")._read(A), self._part("right")._read(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        first, second = (None, None) if right is None else right
        gram = self._part("left")._gram(left[0], first)
        return gram + self._part("right")._gram(left[1], second)

    def _diag(self, left: Any) -> FloatArray:
        return self._part("left")._diag(left[0]) + self._part("right")._diag(left[1])

    def _features(self, A: Records) -> Features:
        return side_by_side([self._part("left").features(A), self._part("right").features(A)])


class Multiple(Kernel):
    """``factor · kernel(x, z)`` with a positive factor, also written ``factor * kernel``.

    Parameters
    ----------
    kernel
        The kernel to multiply.
    factor
        By how much; above zero.

    Examples
    --------
    >>> from rarefind.kernels import Linear
    >>> (3 * Linear())([[1.0]], [[2.0]])
    array([[6.]])
    """

    _fixed_columns = True
    _adds_distances = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "kernel": [A_KERNEL],
        "factor": [POSITIVE],
    }

    def __init__(self, kernel: Kernel, factor: float = 1.0) -> None:
        self.kernel = kernel
        self.factor = factor

    def terms(self) -> list[Kernel]:
        """Return the terms of the kernel, each multiplied."""
        inner = self._part("kernel").terms()
        return [self] if len(inner) == 1 else [Multiple(term, self.factor) for term in inner]

    def _read(self, A: Records) -> Any:
        return self._part("kernel")._read(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return self.factor * self._part("kernel")._gram(left, right)

    def _diag(self, left: Any) -> FloatArray:
        return self.factor * self._part("kernel")._diag(left)

    def _features(self, A: Records) -> Features:
        scaled: Features = self._part("kernel").features(A) * float(np.sqrt(self.factor))
        return scaled


class Constant(Kernel):
    """The same similarity for all pairs: what a learner uses as an intercept.

    Parameters
    ----------
    value
        The similarity; above zero.

    Examples
    --------
    >>> Constant(2.0)(["a", "b"])
    array([[2., 2.],
           [2., 2.]])
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"value": [POSITIVE]}

    def __init__(self, value: float = 1.0) -> None:
        self.value = value

    @property
    def takes_vectors(self) -> bool:
        """Whether the records are rows of numbers."""
        # Records of any kind, so it never stands in the way of kernels on vectors.
        return True

    def _read(self, A: Records) -> Any:
        return count(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return np.full((left, left if right is None else right), float(self.value))

    def _diag(self, left: Any) -> FloatArray:
        return np.full(left, float(self.value))

    def _features(self, A: Records) -> Features:
        return np.full((count(A), 1), np.sqrt(self.value))
