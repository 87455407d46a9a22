"""The subsequence kernel in which the number of gaps counts, not their length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.params import Constraint, Integer, Number
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.pairs import PairValues
from rarefind.kernels.strings.routes import ROUTE
from rarefind.kernels.strings.subsequences.of_one_length import SubsequenceKernel
from rarefind.kernels.strings.subsequences.tensors import Weigh, gap_weights


class GapNumberWeighted(SubsequenceKernel):
    """Common subsequences; one with g gaps in a string counts ``decay**g``, however long they are.

    Parameters
    ----------
    length
        Letters of a subsequence.
    decay
        Weight of a gap: zero gives `Spectrum`, one `FixedSubsequences`.
    route
        ``"features"``, ``"recursion"`` or ``"auto"``, the faster of the two.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> GapNumberWeighted(2, decay=0.5)(["ab"], ["ab", "axb", "axxxb"])
    array([[1. , 0.5, 0.5]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "decay": [Number(0, 1)],
        "route": [ROUTE],
    }

    def __init__(self, length: int = 3, decay: float = 0.5, *, route: str = "auto") -> None:
        self.length = length
        self.decay = decay
        self.route = route

    def _decays(self, strings: Strings) -> FloatArray:
        return np.full(strings.codes.size, float(self.decay))

    def _weigh(self) -> Weigh:
        return partial(gap_weights, length=self.length)

    def _recursion(self, strings: Strings) -> PairValues:
        from rarefind.kernels.strings.loops import gap_number_weighted

        length, decay = self.length, float(self.decay)

        def values(left: IntArray, right: IntArray) -> FloatArray:
            return gap_number_weighted(strings.codes, strings.starts, left, right, length, decay)

        return values
