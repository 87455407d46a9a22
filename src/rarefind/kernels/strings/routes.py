"""Two routes to the same similarities, and the choice between them."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.memory_guard import allowed_bytes
from rarefind.core.params import OneOf
from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.pairs import PairValues, gram_of_pairs
from rarefind.kernels.strings.shared import FeatureKernel

ROUTE = OneOf("auto", "features", "recursion")
"""What ``route`` may be; 'auto' takes the cheaper by an estimate."""

COMPILATION = 1e9  # steps that could be done while a loop is compiled


class TwoRoutes(FeatureKernel):
    """A kernel with features and with a recursion over pairs; ``route`` names the one to take.

    Features are made once per string, the recursion runs once per pair, so features nearly always
    win where they fit: steps of both are estimated and compared.
    """

    route: str

    def _products(self, both: Strings, n: int, m: int | None) -> FloatArray:
        if self._by_features(both, n, n if m is None else m):
            return super()._products(both, n, m)
        return gram_of_pairs(self._recursion(both), n, m)

    def _squares(self, strings: Strings) -> FloatArray:
        if self._by_features(strings, len(strings), 1):
            return super()._squares(strings)
        every = np.arange(len(strings))
        return self._recursion(strings)(every, every)

    def _by_features(self, strings: Strings, n: int, m: int) -> bool:
        if self.route != "auto":
            return self.route == "features"
        if self._feature_bytes(strings) > allowed_bytes() // 2:
            return False
        mean_length = strings.codes.size / max(len(strings), 1)
        by_pairs = COMPILATION + self._pair_steps() * mean_length**2 * n * m
        return self._feature_steps(strings, m) < by_pairs

    @abstractmethod
    def _recursion(self, strings: Strings) -> PairValues:
        """Return the function that gives similarities of pairs of these strings."""

    @abstractmethod
    def _feature_steps(self, strings: Strings, others: int) -> float:
        """Rough number of steps to make features and multiply each with ``others``."""

    @abstractmethod
    def _pair_steps(self) -> float:
        """Rough number of steps of the recursion for each pair of letters."""
