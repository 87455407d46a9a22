"""``+``, ``*`` and ``**`` on kernels, and why ``-`` is not among them."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, cast

from rarefind.core.errors import ParameterError
from rarefind.core.params import Integer

if TYPE_CHECKING:
    from rarefind.kernels.contract import Kernel

WHY_POSITIVE = (
    "a sum with a negative or zero weight need not be an inner product, and then distances and "
    "learners built on it fail"
)
"""Said wherever a weight is refused."""


class Operators:
    """Sums, products, positive multiples and whole powers of kernels are kernels."""

    # numpy numbers must leave `number * kernel` to the kernel instead of making an object array.
    __array_ufunc__: ClassVar[None] = None

    def __add__(self, other: Any) -> Kernel:
        from rarefind.kernels.algebra.sums import Constant, Sum

        if _is_number(other):
            if other < 0:
                self.__sub__(other)
            return self._itself() if other == 0 else Sum(self._itself(), Constant(float(other)))
        return Sum(self._itself(), other) if _is_kernel(other) else NotImplemented

    def __radd__(self, other: Any) -> Kernel:
        # Python's sum() starts from zero.
        return self.__add__(other)

    def __mul__(self, other: Any) -> Kernel:
        from rarefind.kernels.algebra.products import Product
        from rarefind.kernels.algebra.sums import Multiple

        if _is_number(other):
            if not other > 0:
                raise ParameterError(
                    f"A kernel can be multiplied by a positive number only: {WHY_POSITIVE}. "
                    f"Got {other!r} instead."
                )
            return Multiple(self._itself(), float(other))
        return Product(self._itself(), other) if _is_kernel(other) else NotImplemented

    def __rmul__(self, other: Any) -> Kernel:
        return self.__mul__(other)

    def __truediv__(self, other: Any) -> Kernel:
        if not _is_number(other):
            return NotImplemented
        if not other > 0:
            raise ParameterError(
                f"A kernel can be divided by a positive number only: {WHY_POSITIVE}. "
                f"Got {other!r} instead."
            )
        return self.__mul__(1.0 / float(other))

    def __pow__(self, degree: Any) -> Kernel:
        from rarefind.kernels.algebra.products import Power

        if not Integer(1).allows(degree):
            raise ParameterError(
                "A kernel can be raised to a whole power of at least 1: other powers need not be "
                f"inner products. Got {degree!r} instead."
            )
        return Power(self._itself(), int(degree))

    def __sub__(self, other: Any) -> NoReturn:
        raise ParameterError(
            f"Kernels cannot be subtracted: {WHY_POSITIVE}. "
            "Add kernels with positive weights instead, or use Centered to take a mean away."
        )

    def __rsub__(self, other: Any) -> NoReturn:
        self.__sub__(other)

    def __neg__(self) -> NoReturn:
        self.__sub__(self)

    def _itself(self) -> Kernel:
        return cast("Kernel", self)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_kernel(value: Any) -> bool:
    return isinstance(value, Operators)
