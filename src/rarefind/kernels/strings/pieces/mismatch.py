"""The mismatch kernel."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import ParameterError
from rarefind.core.params import NOTHING, Constraint, Integer, Is, check_params
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.strings.letters import Strings, joined
from rarefind.kernels.strings.pairs import PairValues, weighted_windows
from rarefind.kernels.strings.pieces.patterns import Pattern, count_words
from rarefind.kernels.strings.pieces.words import LARGEST_CODE, Layout, Vocabulary, rows_of_words
from rarefind.kernels.strings.products import EXACT_IN_SINGLE
from rarefind.kernels.strings.routes import ROUTE, TwoRoutes

MANY_PIECES = 3000  # different pieces, above which a matrix of all pairs of them is too large


class Mismatch(TwoRoutes):
    """Words of ``length`` letters that two strings share up to ``mismatches`` changed letters.

    A string's features count, for every word over the alphabet, its pieces that differ from that
    word in at most ``mismatches`` letters. Changed letters may be any of the alphabet's, so values
    depend on it: give it, or ``fit`` the kernel, if similarities of several calls are compared.

    Parameters
    ----------
    length
        Letters per word.
    mismatches
        Letters that may differ.
    alphabet
        All letters, such as ``"ACGT"``; pieces with any other letter are passed over. None takes
        the letters seen by ``fit``, else those of the second list of a call (of the first if it
        is alone).
    route
        ``"features"``, ``"recursion"`` or ``"auto"``, the faster of the two.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> Mismatch(3, 1, alphabet="ACGT")(["AAA"], ["AAA", "AAC", "ACC", "CCC"])
    array([[10.,  4.,  2.,  0.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "mismatches": [Integer(0)],
        "alphabet": [Is("a string or list of letters", lambda value: _is_alphabet(value)), NOTHING],
        "route": [ROUTE],
    }

    def __init__(
        self,
        length: int = 5,
        mismatches: int = 1,
        *,
        alphabet: Sequence[Hashable] | None = None,
        route: str = "auto",
    ) -> None:
        self.length = length
        self.mismatches = mismatches
        self.alphabet = alphabet
        self.route = route

    def _read(self, A: Records) -> Strings:
        if self.mismatches >= self.length:
            raise ParameterError(
                "The 'mismatches' parameter of Mismatch must be less than its 'length', "
                f"{self.length}. Got {self.mismatches!r} instead."
            )
        return super()._read(A)

    def fit(self, A: Records, y: object = None) -> Self:
        """Learn the alphabet, unless it was given, and the columns of ``features``."""
        check_params(self, self._params)
        self._learn(A)
        return super().fit(A)

    def _learn(self, A: Records) -> None:
        self.alphabet_ = tuple(dict.fromkeys(self.alphabet or self._read(A).letters))

    def _unlearnt(self) -> bool:
        """Whether the alphabet is still to be taken from the records of a call."""
        return self.alphabet is None and not hasattr(self, "alphabet_")

    def _prepare(self, left: Strings, right: Strings | None) -> Strings:
        if self._unlearnt():
            # The second list is the one compared with, as in prediction: so a support vector
            # machine meets the same kernel when it is trained and when it predicts.
            letters = (left if right is None else right).letters
        else:
            letters = tuple(dict.fromkeys(self.alphabet or self.alphabet_))
        return joined(left, right).over(letters)

    def _reach(self) -> int:
        return self.length

    def _products(self, both: Strings, n: int, m: int | None) -> FloatArray:
        sigma = len(both.letters)
        if sigma**self.length >= LARGEST_CODE or not self._by_features(
            both, n, n if m is None else m
        ):
            return super()._products(both, n, m)
        pieces, counts = self._pieces(both)
        if len(pieces) > MANY_PIECES:
            return super()._products(both, n, m)
        # Few different pieces: weigh their counts by the number of words each two share. Whole
        # numbers below 2**24 are exact in single precision, which is twice as fast.
        shared = shared_neighbours(self.length, self.mismatches, sigma)
        most = float(counts.sum(axis=1).max(initial=0.0)) ** 2 * float(shared[0])
        kind = np.float32 if most < EXACT_IN_SINGLE else np.float64
        alike = shared.astype(kind)[_differences(pieces.seen, self.length, sigma)]
        counts = counts.astype(kind)
        right = counts if m is None else counts[n:]
        spread = np.ascontiguousarray((right @ alike).T)
        return np.asarray(counts[:n] @ spread, dtype=np.float64)

    def _pieces(self, strings: Strings) -> tuple[Vocabulary, sparse.csr_array]:
        pieces = Vocabulary(len(strings.letters))
        whole = [Pattern(tuple(range(self.length)), self.length)]
        return pieces, count_words(strings, whole, pieces, learn=True)

    def _expand(self, strings: Strings, layout: Layout, learn: bool) -> sparse.csr_array:
        if learn:
            layout.vocabularies.append(Vocabulary(len(layout.letters)))
        pieces, counts = self._pieces(strings)
        origins, codes = self._neighbours(pieces.seen, pieces.size)
        columns = layout.vocabularies[0].columns(codes, learn)
        shape = (len(pieces), len(layout.vocabularies[0]))
        spread = rows_of_words(origins, columns, np.ones(origins.size), shape)
        return sparse.csr_array(counts @ spread)

    def _neighbours(self, words: IntArray, sigma: int) -> tuple[IntArray, IntArray]:
        """All words within reach of each: the position of the one and the code of the other."""
        codes = [words]
        for changed in range(1, self.mismatches + 1):
            for places in combinations(range(self.length), changed):
                powers = [sigma**place for place in places]
                digits = [words // power % sigma for power in powers]
                for steps in product(range(1, sigma), repeat=changed):
                    code = words.copy()
                    for power, digit, step in zip(powers, digits, steps, strict=True):
                        code += ((digit + step) % sigma - digit) * power
                    codes.append(code)
        return np.tile(np.arange(words.size), len(codes)), np.concatenate(codes)

    def _within_reach(self, sigma: int) -> int:
        """Count the words that differ from one word in at most the mismatches allowed."""
        return sum(
            comb(self.length, changed) * max(sigma - 1, 0) ** changed
            for changed in range(self.mismatches + 1)
        )

    def _feature_bytes(self, strings: Strings) -> int:
        words = len(strings.letters) ** self.length
        if words >= LARGEST_CODE:  # more words than there are numbers for them
            return 8 * words
        near = self._within_reach(len(strings.letters))
        entries = 16 * min(near * strings.codes.size, len(strings) * words)
        pieces = min(strings.codes.size, words)
        if 40 * near * pieces > entries:  # worth counting: most pieces occur many times
            pieces = len(self._pieces(strings)[0])
        return 40 * near * pieces + entries

    def _feature_steps(self, strings: Strings, others: int) -> float:
        words = float(len(strings.letters)) ** self.length
        near = float(self._within_reach(len(strings.letters)))
        spread = near * strings.codes.size
        entries = min(spread, len(strings) * words)
        product = min(0.1 * min(words, spread) * len(strings), 4.0 * entries) * others
        return 20.0 * near * min(strings.codes.size, words) + 10.0 * spread + product

    def _pair_steps(self) -> float:
        return 2.0

    def _recursion(self, strings: Strings) -> PairValues:
        weights = shared_neighbours(self.length, self.mismatches, len(strings.letters))
        return weighted_windows(strings, self.length, weights)


def shared_neighbours(length: int, mismatches: int, sigma: int) -> FloatArray:
    """Count the words near both of two words that differ in 0, 1, ..., ``length`` places.

    Where the two agree, a word changes both or none; where they differ, it agrees with the one,
    the other or neither.

    >>> shared_neighbours(3, 1, 4)
    array([10.,  4.,  2.,  0.])
    """
    weights = np.zeros(length + 1)
    for differing in range(length + 1):
        for first, second in product(range(differing + 1), repeat=2):
            neither = differing - first - second
            if neither < 0:
                continue
            ways = comb(differing, first) * comb(differing - first, second)
            ways *= max(sigma - 2, 0) ** neither
            spare = mismatches - neither - max(first, second)
            agreeing = length - differing
            both = sum(comb(agreeing, x) * max(sigma - 1, 0) ** x for x in range(spare + 1))
            weights[differing] += ways * both
    return weights


def _differences(words: IntArray, length: int, sigma: int) -> NDArray[np.int32]:
    """Count the places in which each two words differ."""
    differences = np.zeros((words.size, words.size), dtype=np.int32)
    for place in range(length):
        letters = words // sigma**place % sigma
        differences += letters[:, None] != letters
    return differences


def _is_alphabet(value: Any) -> bool:
    return isinstance(value, str | list | tuple) and len(value) > 0
