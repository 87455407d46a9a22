"""Kernels that count the pieces two strings have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.params import Constraint, Integer, Number
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.pairs import PairValues, weighted_windows
from rarefind.kernels.strings.pieces.patterns import Pattern, PatternKernel
from rarefind.kernels.strings.routes import ROUTE, TwoRoutes


class Spectrum(PatternKernel, TwoRoutes):
    """Pieces of ``length`` letters that two strings share, counted with multiplicity.

    Parameters
    ----------
    length
        Letters per piece.
    route
        ``"features"`` counts pieces, ``"recursion"`` compares pairs of strings, ``"auto"`` takes
        the faster.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> Spectrum(3)(["statistics", "computation"])
    array([[8., 2.],
           [2., 9.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "route": [ROUTE],
    }

    def __init__(self, length: int = 3, *, route: str = "auto") -> None:
        self.length = length
        self.route = route

    def _reach(self) -> int:
        return self.length

    def _blocks(self, longest: int) -> Sequence[Sequence[Pattern]]:
        return [[Pattern(tuple(range(self.length)), self.length)]]

    def _readings(self, longest: int) -> int:
        return 1

    def _pair_steps(self) -> float:
        return 2.0

    def _recursion(self, strings: Strings) -> PairValues:
        return _same_windows(strings, self.length)


class BlendedSpectrum(PatternKernel, TwoRoutes):
    """Shared pieces of one to ``length`` letters; a piece of q letters counts ``decay**(2 q)``.

    Parameters
    ----------
    length
        Letters of the longest piece.
    decay
        Weight of a letter; one counts all pieces alike.
    route
        ``"features"``, ``"recursion"`` or ``"auto"``, the faster of the two.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> BlendedSpectrum(2)(["ab"], ["abc"])
    array([[3.]])
    >>> BlendedSpectrum(2, decay=0.5)(["ab"], ["abc"])
    array([[0.5625]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "decay": [Number(0, closed="neither")],
        "route": [ROUTE],
    }

    def __init__(self, length: int = 3, decay: float = 1.0, *, route: str = "auto") -> None:
        self.length = length
        self.decay = decay
        self.route = route

    def _reach(self) -> int:
        return 1

    def _blocks(self, longest: int) -> Sequence[Sequence[Pattern]]:
        lengths = range(1, self.length + 1)
        return [[Pattern(tuple(range(q)), q, float(self.decay) ** q)] for q in lengths]

    def _readings(self, longest: int) -> int:
        return self.length

    def _pair_steps(self) -> float:
        return 2.0 * self.length

    def _recursion(self, strings: Strings) -> PairValues:
        lengths = range(1, self.length + 1)
        weights = [float(self.decay) ** (2 * q) for q in lengths]
        counts = [_same_windows(strings, q) for q in lengths]

        def values(left: IntArray, right: IntArray) -> FloatArray:
            total = np.zeros(left.size)
            for weight, count in zip(weights, counts, strict=True):
                total += weight * count(left, right)
            return total

        return values


def _same_windows(strings: Strings, length: int) -> PairValues:
    """Return the function that counts pairs of equal pieces of ``length`` letters."""
    weights = np.zeros(length + 1)
    weights[0] = 1.0
    return weighted_windows(strings, length, weights)
