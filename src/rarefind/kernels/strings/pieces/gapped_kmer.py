"""The gapped k-mer kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import Records
from rarefind.core.errors import ParameterError
from rarefind.core.params import Constraint, Integer
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.pairs import PairValues, weighted_windows
from rarefind.kernels.strings.pieces.patterns import Pattern, PatternKernel
from rarefind.kernels.strings.routes import ROUTE, TwoRoutes


class GappedKmer(PatternKernel, TwoRoutes):
    """Windows of two strings that agree in ``length`` chosen places, over all choices.

    Two windows that differ in d of their ``window`` places agree in
    ``comb(window - d, length)`` choices of places.

    Parameters
    ----------
    window
        Letters of a window.
    length
        Places of it that are compared, at most ``window``.
    route
        ``"features"``, ``"recursion"`` or ``"auto"``, the faster of the two.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> GappedKmer(3, 2)(["abc"], ["abd", "abc", "xyz"])
    array([[1., 3., 0.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "window": [Integer(1, MOST_STEPS)],
        "length": [Integer(1, MOST_STEPS)],
        "route": [ROUTE],
    }

    def __init__(self, window: int = 6, length: int = 4, *, route: str = "auto") -> None:
        self.window = window
        self.length = length
        self.route = route

    def _read(self, A: Records) -> Strings:
        if self.length > self.window:
            raise ParameterError(
                "The 'length' parameter of GappedKmer must be at most its 'window', "
                f"{self.window}. Got {self.length!r} instead."
            )
        return super()._read(A)

    def _reach(self) -> int:
        return self.window

    def _blocks(self, longest: int) -> Sequence[Sequence[Pattern]]:
        choices = combinations(range(self.window), self.length)
        return [[Pattern(offsets, self.window)] for offsets in choices]

    def _readings(self, longest: int) -> int:
        return comb(self.window, self.length)

    def _pair_steps(self) -> float:
        return 2.0

    def _recursion(self, strings: Strings) -> PairValues:
        agreeing = range(self.window, -1, -1)
        weights = np.array([float(comb(places, self.length)) for places in agreeing])
        return weighted_windows(strings, self.window, weights)
