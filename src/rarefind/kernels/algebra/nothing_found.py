"""A place of their own for records in which a kernel finds nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, Records
from rarefind.core.params import Constraint
from rarefind.kernels.algebra.columns import side_by_side
from rarefind.kernels.contract import A_KERNEL, Features, Kernel


class NothingFound(Kernel):
    """A kernel of records of length one, in which those of length zero get length one as well.

    A text without words has length zero whatever is done to it, and so the distance 1 from every
    other text: less than the √2 between two texts that have no word in common. Here it is like
    others without words and like nothing else, which puts it √2 away from all that have some.

    Parameters
    ----------
    kernel
        A kernel that gives every record length one, or zero where it finds nothing.

    Examples
    --------
    >>> from rarefind.kernels import Cosine
    >>> NothingFound(Cosine())([[2.0, 0.0], [0.0, 0.0], [0.0, 3.0]])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"kernel": [A_KERNEL]}

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def _read(self, A: Records) -> Any:
        kernel = self._part("kernel")
        read = kernel._read(A)
        return read, _nothing(kernel._diag(read))

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        gram = self._part("kernel")._gram(left[0], None if right is None else right[0])
        return gram + np.outer(left[1], (left if right is None else right)[1])

    def _diag(self, left: Any) -> FloatArray:
        return self._part("kernel")._diag(left[0]) + left[1]

    def _features(self, A: Records) -> Features:
        kernel = self._part("kernel")
        nothing = _nothing(kernel.diag(A))
        features = kernel.features(A)
        return side_by_side([features, nothing[:, None].astype(np.float64)])


def _nothing(lengths: FloatArray) -> BoolArray:
    return np.asarray(lengths == 0.0)
