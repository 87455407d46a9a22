"""The kernel of all common subsequences, of whatever length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import NotAvailableError
from rarefind.core.params import BOOLEAN, Constraint
from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.pairs import gram_of_pairs
from rarefind.kernels.strings.shared import StringKernel


class AllSubsequences(StringKernel):
    """Pairs of equal subsequences of any length, the empty one included.

    Counts grow like ``4**n`` for strings of n letters. Those of strings beyond about 500 letters
    can outgrow floating point and are refused, unless the kernel is normalised: then logarithms
    are computed, and any length will do.

    Parameters
    ----------
    normalized
        Divide by ``sqrt(k(s, s) k(t, t))``, so that every string has similarity one with itself.

    Examples
    --------
    >>> AllSubsequences()(["gatt", "gatta"], ["cata"])
    array([[ 7.],
           [14.]])
    >>> AllSubsequences(normalized=True)(["a" * 2000], ["a" * 2000, "b"])[0, 0]
    np.float64(1.0)
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"normalized": [BOOLEAN]}

    def __init__(self, normalized: bool = False) -> None:
        self.normalized = normalized

    def features(self, A: Records) -> FloatArray | sparse.csr_array:
        """Refuse: a string of n letters has up to ``2**n`` different subsequences."""
        raise NotAvailableError(
            "AllSubsequences has no list of features that fits anywhere: a string of n letters "
            "has up to 2**n subsequences. Call the kernel itself for similarities, or use "
            "FixedSubsequences, which has features."
        )

    def _products(self, both: Strings, n: int, m: int | None) -> FloatArray:
        if not self.normalized:
            return gram_of_pairs(lambda i, j: _counts(both, i, j), n, m)
        gram = gram_of_pairs(lambda i, j: _log_counts(both, i, j), n, m)
        own = self._log_squares(both) / 2
        gram -= own[:n, None]
        gram -= own[:n] if m is None else own[n:]
        np.exp(gram, out=gram)
        if m is None:
            np.fill_diagonal(gram, 1.0)
        return gram

    def _squares(self, strings: Strings) -> FloatArray:
        if self.normalized:
            return np.ones(len(strings))
        every = np.arange(len(strings))
        return _counts(strings, every, every)

    def _log_squares(self, strings: Strings) -> FloatArray:
        every = np.arange(len(strings))
        return _log_counts(strings, every, every)

    def _when_too_many(self) -> str:
        return "AllSubsequences(normalized=True) computes with logarithms instead."


def _counts(strings: Strings, left: IntArray, right: IntArray) -> FloatArray:
    from rarefind.kernels.strings.loops import all_subsequences

    with np.errstate(over="ignore"):  # plain Python's loops would warn; infinity is looked for
        return all_subsequences(strings.codes, strings.starts, left, right)


def _log_counts(strings: Strings, left: IntArray, right: IntArray) -> FloatArray:
    counts = _counts(strings, left, right)
    beyond = np.flatnonzero(~np.isfinite(counts))
    logs = np.log(counts)
    if beyond.size:
        from rarefind.kernels.strings.loops import log_all_subsequences

        logs[beyond] = log_all_subsequences(
            strings.codes, strings.starts, left[beyond], right[beyond]
        )
    return logs
