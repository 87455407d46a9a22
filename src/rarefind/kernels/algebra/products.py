"""Products of kernels, whole powers, and the exponential."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.params import Constraint, Integer
from rarefind.kernels.algebra.columns import multiplied
from rarefind.kernels.contract import A_KERNEL, Features, Kernel


class Product(Kernel):
    """``left(x, z) · right(x, z)``, also written ``left * right``: similar in both respects.

    Parameters
    ----------
    left, right
        The kernels to multiply.

    Examples
    --------
    >>> from rarefind.kernels import Linear
    >>> (Linear() * Linear())([[3.0]], [[2.0]])
    array([[36.]])
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "left": [A_KERNEL],
        "right": [A_KERNEL],
    }

    def __init__(self, left: Kernel, right: Kernel) -> None:
        self.left = left
        self.right = right

    def _read(self, A: Records) -> Any:
        return self._part("left")._read(A), self._part("right")._read(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        first, second = (None, None) if right is None else right
        gram = self._part("left")._gram(left[0], first)
        return gram * self._part("right")._gram(left[1], second)

    def _diag(self, left: Any) -> FloatArray:
        return self._part("left")._diag(left[0]) * self._part("right")._diag(left[1])

    def _features(self, A: Records) -> Features:
        return multiplied(self._part("left").features(A), self._part("right").features(A), self)


class Power(Kernel):
    """``kernel(x, z) ** degree``, also written ``kernel ** degree``.

    Parameters
    ----------
    kernel
        The kernel to raise.
    degree
        A whole number of at least one.

    Examples
    --------
    >>> from rarefind.kernels import Linear
    >>> (Linear() ** 3)([[1.0]], [[2.0]])
    array([[8.]])
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "kernel": [A_KERNEL],
        "degree": [Integer(1)],
    }

    def __init__(self, kernel: Kernel, degree: int = 2) -> None:
        self.kernel = kernel
        self.degree = degree

    def _read(self, A: Records) -> Any:
        return self._part("kernel")._read(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return self._part("kernel")._gram(left, right) ** self.degree

    def _diag(self, left: Any) -> FloatArray:
        return self._part("kernel")._diag(left) ** self.degree

    def _features(self, A: Records) -> Features:
        base = self._part("kernel").features(A)
        product = base
        for _ in range(self.degree - 1):
            product = multiplied(product, base, self)
        return product


class Exp(Kernel):
    """``exp(kernel(x, z))``: all powers of a kernel at once, high ones counting less.

    Parameters
    ----------
    kernel
        The kernel in the exponent; best normalised, since 710 is the largest exponent there is.

    Examples
    --------
    >>> from rarefind.kernels import Cosine
    >>> Exp(Cosine())([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]).round(3)
    array([[2.718, 1.   ]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"kernel": [A_KERNEL]}

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def _read(self, A: Records) -> Any:
        return self._part("kernel")._read(A)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return np.exp(self._part("kernel")._gram(left, right))

    def _diag(self, left: Any) -> FloatArray:
        return np.exp(self._part("kernel")._diag(left))
