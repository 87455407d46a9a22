"""The gap-weighted kernel with a limit on gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import ClassVar

from rarefind.core.params import Constraint, Integer, Number
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.strings.pieces.patterns import Pattern, PatternKernel


class RestrictedGapWeighted(PatternKernel):
    """Common subsequences with at most ``gaps`` letters left out, weighted by what they span.

    A subsequence of ``length`` letters that stretches over n letters of a string counts
    ``decay**n``. With ``length + gaps`` no less than the longest string it is `GapWeighted`; with
    no gaps it is `Spectrum` times ``decay**(2 length)``.

    Parameters
    ----------
    length
        Letters of a subsequence.
    gaps
        Letters that may be left out between its first and last.
    decay
        Weight of every letter it spans.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> RestrictedGapWeighted(2, gaps=1, decay=0.5)(["cat"], ["cart", "car"])
    array([[0.09375, 0.0625 ]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "gaps": [Integer(0)],
        "decay": [Number(0, 1, closed="right")],
    }

    def __init__(self, length: int = 3, gaps: int = 1, decay: float = 0.5) -> None:
        self.length = length
        self.gaps = gaps
        self.decay = decay

    def _reach(self) -> int:
        return self.length

    def _blocks(self, longest: int) -> Sequence[Sequence[Pattern]]:
        places = range(1, self._span(longest))
        offsets = [(0, *rest) for rest in combinations(places, self.length - 1)]
        decay = float(self.decay)
        return [[Pattern(each, 1 + each[-1], decay ** (1 + each[-1])) for each in offsets]]

    def _readings(self, longest: int) -> int:
        return comb(self._span(longest) - 1, self.length - 1)

    def _span(self, longest: int) -> int:
        """Letters from the first to the last that a subsequence can take up."""
        return max(self.length, min(self.length + self.gaps, longest))
