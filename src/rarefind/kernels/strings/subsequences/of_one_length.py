"""Kernels that count common subsequences of one length, and the routes they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import comb
from typing import ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray
from rarefind.core.params import Constraint, Integer
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.pairs import PairValues, weighted_subsequences
from rarefind.kernels.strings.pieces.words import LARGEST_CODE, Layout, Vocabulary, rows_of_words
from rarefind.kernels.strings.routes import ROUTE, TwoRoutes
from rarefind.kernels.strings.subsequences.tensors import Weigh, span_weights, subsequence_entries


class SubsequenceKernel(TwoRoutes):
    """Weighs the common subsequences of ``length`` letters."""

    length: int

    def _decays(self, strings: Strings) -> FloatArray:
        """Weight of every letter of every string."""
        return np.ones(strings.codes.size)

    def _weigh(self) -> Weigh:
        return partial(span_weights, length=self.length)

    def _reach(self) -> int:
        return self.length

    def _recursion(self, strings: Strings) -> PairValues:
        return weighted_subsequences(strings, self.length, self._decays(strings))

    def _pair_steps(self) -> float:
        return 2.0 * self.length

    def _expand(self, strings: Strings, layout: Layout, learn: bool) -> sparse.csr_array:
        if learn:
            layout.vocabularies.append(Vocabulary(len(layout.letters)))
        vocabulary = layout.vocabularies[0]
        entries = subsequence_entries(strings, self._decays(strings), self.length, self._weigh())
        nothing = (np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0))
        rows, codes, weights = (
            np.concatenate(parts) for parts in zip(nothing, *entries, strict=True)
        )
        words = vocabulary.columns(codes, learn)
        return rows_of_words(rows, words, weights, (len(strings), len(vocabulary)))

    def _feature_bytes(self, strings: Strings) -> int:
        numbered = len(strings.letters) ** self.length
        if numbered >= LARGEST_CODE:  # more words than there are numbers for them
            return 8 * numbered
        largest = int(np.diff(strings.own_letters[2]).max(initial=0))
        return int(64 * self._entries(strings).sum()) + 24 * largest**self.length

    def _feature_steps(self, strings: Strings, others: int) -> float:
        sizes = np.diff(strings.own_letters[2]).astype(np.float64)
        filling = 4.0 * float(strings.lengths @ sizes ** (self.length - 1))
        entries = float(self._entries(strings).sum())
        columns = min(float(len(strings.letters)) ** self.length, entries)
        product = min(0.1 * columns * len(strings), 4.0 * entries) * others
        return filling + 20.0 * entries + product

    def _entries(self, strings: Strings) -> FloatArray:
        """Bound on the number of different words in each string."""
        sizes = np.diff(strings.own_letters[2]).astype(np.float64)
        lengths, places = np.unique(strings.lengths, return_inverse=True)
        choices = np.array([float(min(comb(int(n), self.length), 2**62)) for n in lengths])
        return np.minimum(sizes**self.length, choices[places])


class FixedSubsequences(SubsequenceKernel):
    """Common subsequences of ``length`` letters, wherever their letters stand.

    Parameters
    ----------
    length
        Letters of a subsequence.
    route
        ``"features"``, ``"recursion"`` or ``"auto"``, the faster of the two.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> FixedSubsequences(2)(["gatt"], ["cata", "gatt"])
    array([[ 2., 10.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "route": [ROUTE],
    }

    def __init__(self, length: int = 3, *, route: str = "auto") -> None:
        self.length = length
        self.route = route
