"""The gap-weighted kernel for letters that are more or less alike."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import NOTHING, Constraint, Integer, Is, Number
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.pairs import PairValues, weighted_subsequences
from rarefind.kernels.strings.pieces.words import Layout
from rarefind.kernels.strings.routes import ROUTE, TwoRoutes
from rarefind.kernels.strings.subsequences.tensors import CELLS, soft_weights

LetterSimilarity = (
    Mapping[tuple[Hashable, Hashable], float] | Sequence[Sequence[float]] | FloatArray
)


class SoftMatching(TwoRoutes):
    """Common subsequences as in `GapWeighted`, but letters may match in part.

    A pair of subsequences counts the product of its letters' similarities instead of one or zero.

    Parameters
    ----------
    length
        Letters of a subsequence.
    decay
        Weight of every letter from its first to its last.
    similarity
        How alike letters are: a mapping such as ``{("A", "G"): 0.5}``, in which order does not
        matter, a letter is alike to itself by 1 and unnamed pairs by 0; or a matrix whose rows and
        columns stand for the letters of ``alphabet``. It must be positive semidefinite. None
        gives `GapWeighted`.
    alphabet
        The letters of a matrix, in its order. Strings may then hold no others.
    route
        ``"features"``, ``"recursion"`` or ``"auto"``, the faster of the two.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> SoftMatching(2, 0.5, {("t", "d"): 0.5})(["at"], ["at", "ad", "ag"])
    array([[0.0625 , 0.03125, 0.     ]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "decay": [Number(0, 1, closed="right")],
        "similarity": [
            Is("a mapping of pairs of letters, or a matrix", lambda value: _is_similarity(value)),
            NOTHING,
        ],
        "alphabet": [
            Is("a string or list of letters", lambda value: isinstance(value, str | list | tuple)),
            NOTHING,
        ],
        "route": [ROUTE],
    }

    def __init__(
        self,
        length: int = 3,
        decay: float = 0.5,
        similarity: LetterSimilarity | None = None,
        *,
        alphabet: Sequence[Hashable] | None = None,
        route: str = "auto",
    ) -> None:
        self.length = length
        self.decay = decay
        self.similarity = similarity
        self.alphabet = alphabet
        self.route = route

    def _read(self, A: Records) -> Strings:
        strings = super()._read(A)
        if self.similarity is None or isinstance(self.similarity, Mapping):
            return strings
        known = strings.over(self._named_letters())
        outside = np.flatnonzero(known.codes < 0)
        if outside.size:
            letter = strings.letters[int(strings.codes[outside[0]])]
            raise DataError(
                f"SoftMatching knows no similarity for the letter {letter!r} of row "
                f"{strings.rows[outside[0]]}; add it to 'alphabet' and to the matrix."
            )
        return known

    def _prepare(self, left: Strings, right: Strings | None) -> Strings:
        both = super()._prepare(left, right)
        return both.over(tuple(dict.fromkeys(self._named_letters() + both.letters)))

    def _reach(self) -> int:
        return self.length

    def _recursion(self, strings: Strings) -> PairValues:
        decays = np.full(strings.codes.size, float(self.decay))
        matrix = self._matrix(strings.letters)
        return weighted_subsequences(strings, self.length, decays, matrix)

    def _pair_steps(self) -> float:
        return 2.0 * self.length

    def _expand(self, strings: Strings, layout: Layout, learn: bool) -> FloatArray:
        # Letters become vectors whose inner products are the similarities; letters that were not
        # there when the layout was learnt are alike to none that were, hence zero.
        vectors = np.vstack([_root(self._matrix(layout.letters)), np.zeros(len(layout.letters))])
        columns = len(layout.letters) ** self.length
        features = np.zeros((len(strings), columns))
        lengths = strings.lengths
        order = np.argsort(lengths, kind="stable")
        size = max(CELLS // max(columns, 1), 1)
        for first in range(0, order.size if columns else 0, size):
            rows = order[first : first + size]
            places = strings.starts[rows][:, None] + np.arange(int(lengths[rows].max()))
            letters = vectors[strings.codes[np.minimum(places, strings.codes.size - 1)]]
            decays = np.full(places.shape, float(self.decay))
            features[rows] = soft_weights(letters, decays, lengths[rows], length=self.length)
        return features

    def _feature_bytes(self, strings: Strings) -> int:
        columns = len(strings.letters) ** self.length
        return 8 * columns * (len(strings) + 4)

    def _feature_steps(self, strings: Strings, others: int) -> float:
        columns = float(len(strings.letters)) ** self.length
        return columns * (3.0 * strings.codes.size + 0.1 * len(strings) * others)

    def _named_letters(self) -> tuple[Hashable, ...]:
        if self.similarity is None:
            return ()
        if isinstance(self.similarity, Mapping):
            return tuple(dict.fromkeys(letter for pair in self.similarity for letter in pair))
        return tuple(self.alphabet or ())

    def _matrix(self, letters: tuple[Hashable, ...]) -> FloatArray:
        """Similarities of these letters, checked; letters without any match only themselves."""
        named = self._named_letters()
        known = self._named_matrix(named)
        ensure_fits(8 * len(letters) ** 2, "The similarities of all letters", "Use GapWeighted.")
        matrix = np.eye(len(letters))
        place = {letter: number for number, letter in enumerate(letters)}
        rows = [place[letter] for letter in named]
        matrix[np.ix_(rows, rows)] = known
        return matrix

    def _named_matrix(self, named: tuple[Hashable, ...]) -> FloatArray:
        if isinstance(self.similarity, Mapping) or self.similarity is None:
            matrix = _from_pairs(named, self.similarity or {})
        else:
            matrix = _from_rows(named, self.similarity)
        least = float(np.linalg.eigvalsh(matrix)[0]) if len(named) else 0.0
        if least < -1e-9 * max(float(np.abs(matrix).max(initial=0.0)), 1e-300):
            raise ParameterError(
                "The 'similarity' parameter of SoftMatching must be positive semidefinite. "
                f"Its smallest eigenvalue is {least:.6g}; add at least that much to its diagonal."
            )
        return matrix


def _is_similarity(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(
            isinstance(pair, tuple) and len(pair) == 2 and Number().allows(weight)
            for pair, weight in value.items()
        )
    return isinstance(value, list | tuple | np.ndarray)


def _from_pairs(
    letters: tuple[Hashable, ...], pairs: Mapping[tuple[Hashable, Hashable], float]
) -> FloatArray:
    place = {letter: number for number, letter in enumerate(letters)}
    matrix = np.eye(len(letters))
    for (first, second), weight in pairs.items():
        if pairs.get((second, first), weight) != weight:
            raise ParameterError(
                "The 'similarity' parameter of SoftMatching must be symmetric. "
                f"Got {weight} for {(first, second)!r} and {pairs[second, first]} for "
                f"{(second, first)!r}."
            )
        matrix[place[first], place[second]] = matrix[place[second], place[first]] = weight
    return matrix


def _from_rows(letters: tuple[Hashable, ...], rows: Any) -> FloatArray:
    try:
        matrix = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    size = len(letters)
    if matrix.shape != (size, size) or len(set(letters)) != size:
        raise ParameterError(
            "The 'similarity' parameter of SoftMatching must be a matrix of numbers with one row "
            f"and column for each letter of 'alphabet'. Got shape {matrix.shape} for "
            f"{len(set(letters))} different letters of {size}."
        )
    if not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T, rtol=1e-12, atol=0.0):
        raise ParameterError(
            "The 'similarity' parameter of SoftMatching must be a symmetric matrix of finite "
            "numbers. Use (M + M.T) / 2 if it is meant to be symmetric."
        )
    return matrix


def _root(matrix: FloatArray) -> FloatArray:
    """Rows whose inner products are the entries of a positive semidefinite matrix."""
    values, vectors = np.linalg.eigh(matrix)
    return vectors * np.sqrt(np.maximum(values, 0.0))
