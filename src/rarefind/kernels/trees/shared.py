"""What the kernels on trees have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import BOOLEAN, Constraint, Number
from rarefind.kernels.contract import Kernel
from rarefind.kernels.trees.ordered import FlatTree, read_trees


class TreeKernel(Kernel):
    """A kernel that counts the parts that two trees share."""

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "labelled": [BOOLEAN],
        "decay": [Number(0, 1, closed="right")],
    }

    def __init__(self, *, labelled: bool = True, decay: float = 1.0) -> None:
        self.labelled = labelled
        self.decay = decay

    def _read(self, A: Records) -> list[FlatTree]:
        return read_trees(A, type(self).__name__)

    def _countable(self, values: FloatArray) -> FloatArray:
        if not np.isfinite(values).all():
            raise DataError(
                f"{type(self).__name__} counts more shared parts than floating-point numbers hold. "
                f"Choose decay below {self.decay:g}, so that large parts weigh less."
            )
        return values
