"""Subsequence kernels in which letters between the first and the last cost something."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.params import NOTHING, Constraint, Integer, Is, Number, check_param
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.routes import ROUTE
from rarefind.kernels.strings.subsequences.of_one_length import SubsequenceKernel

SHARE = Number(0, 1)
"""Above one, longer gaps would count more than shorter ones."""


class GapWeighted(SubsequenceKernel):
    """Common subsequences; one that stretches over n letters of a string counts ``decay**n``.

    Parameters
    ----------
    length
        Letters of a subsequence.
    decay
        Weight of every letter from its first to its last, whether it belongs to it or not. One
        gives `FixedSubsequences`.
    route
        ``"features"`` weighs the subsequences of each string, ``"recursion"`` compares pairs of
        strings, ``"auto"`` takes the faster.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> GapWeighted(2, decay=0.5)(["cat"], ["car", "cat"])
    array([[0.0625  , 0.140625]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "decay": [Number(0, 1, closed="right")],
        "route": [ROUTE],
    }

    def __init__(self, length: int = 3, decay: float = 0.5, *, route: str = "auto") -> None:
        self.length = length
        self.decay = decay
        self.route = route

    def _decays(self, strings: Strings) -> FloatArray:
        return np.full(strings.codes.size, float(self.decay))


class CharacterWeighted(SubsequenceKernel):
    """Common subsequences; every letter they stretch over multiplies by a weight of its own.

    Parameters
    ----------
    length
        Letters of a subsequence.
    weights
        Weight in [0, 1] for letters, such as ``{"N": 0.1}``; None gives all the default.
    default
        Weight of all other letters.
    route
        ``"features"``, ``"recursion"`` or ``"auto"``, the faster of the two.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> CharacterWeighted(2, {"-": 1.0}, default=0.5)(["ab"], ["ab", "a--b", "axxb"])
    array([[0.0625  , 0.0625  , 0.015625]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "weights": [
            Is("a mapping of letters to weights", lambda value: isinstance(value, Mapping)),
            NOTHING,
        ],
        "default": [SHARE],
        "route": [ROUTE],
    }

    def __init__(
        self,
        length: int = 3,
        weights: Mapping[Hashable, float] | None = None,
        default: float = 0.5,
        *,
        route: str = "auto",
    ) -> None:
        self.length = length
        self.weights = weights
        self.default = default
        self.route = route

    def _read(self, A: Records) -> Strings:
        for letter, weight in (self.weights or {}).items():
            check_param(self, f"weights[{letter!r}]", weight, SHARE)
        return super()._read(A)

    def _decays(self, strings: Strings) -> FloatArray:
        weights = self.weights or {}
        table = [float(weights.get(letter, self.default)) for letter in strings.letters]
        return np.array([*table, float(self.default)])[strings.codes]
