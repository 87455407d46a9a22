"""Kernels that are joint probabilities: both records come from the same hidden states.

``k(s, t)`` is the sum over hidden states h of ``P(h) P(s | h) P(t | h)``, an inner product of the
vectors ``sqrt(P(h)) P(s | h)``, so it is positive semidefinite whatever the probabilities are.
Probabilities of long records are smaller than any floating-point number, so they are carried as
logarithms until the end.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import RarefindWarning
from rarefind.core.params import Constraint, Is
from rarefind.kernels.contract import Kernel
from rarefind.kernels.gram_blocks import gram_in_blocks

_SMALLEST = -740.0
"""Logarithm of about the smallest positive floating-point number."""

TABLE: Constraint = Is("probabilities", lambda value: value is not None)
"""Tables are looked at when the kernel is used, with the alphabet they belong to."""

ALPHABET: Constraint = Is("a string or a list of symbols", lambda value: hasattr(value, "__len__"))
"""Its letters may be any symbols."""


class JointProbability(Kernel):
    """A kernel that is the probability of two records from shared hidden states."""

    normalized: bool

    @abstractmethod
    def _log_block(self, left: Any, right: Any) -> FloatArray:
        """Logarithms of the probabilities of all records on the left with all on the right."""

    @abstractmethod
    def _log_diag(self, left: Any) -> FloatArray:
        """Logarithms of the joint probabilities of each record with itself."""

    @abstractmethod
    def _slice(self, left: Any, rows: slice) -> Any:
        """Take some of the records."""

    @abstractmethod
    def _number(self, left: Any) -> int:
        """How many records there are."""

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        other = left if right is None else right
        if not self._number(left) or not self._number(other):
            return np.zeros((self._number(left), self._number(other)))
        if right is not None:
            self._agree(left, right)
        logs = gram_in_blocks(
            lambda rows, columns: self._log_block(
                self._slice(left, rows), self._slice(other, columns)
            ),
            self._number(left),
            None if right is None else self._number(right),
            height=self._height(other),
        )
        if not self.normalized:
            return self._from_logs(logs)
        mine = self._log_diag(left)
        theirs = mine if right is None else self._log_diag(other)
        # A record that the model cannot give is similar to nothing: 0/0 is 0.
        impossible = np.isneginf(mine)[:, None] | np.isneginf(theirs)
        with np.errstate(invalid="ignore"):
            return np.where(impossible, 0.0, np.exp(logs - mine[:, None] / 2 - theirs / 2))

    def _diag(self, left: Any) -> FloatArray:
        logs = self._log_diag(left)
        if self.normalized:
            return np.where(np.isneginf(logs), 0.0, 1.0)
        return self._from_logs(logs)

    def _agree(self, left: Any, right: Any) -> None:
        """Refuse two lists of records that cannot be compared with each other."""

    def _height(self, right: Any) -> int | None:
        """How many records are compared with all others at a time."""
        return None

    def _from_logs(self, logs: FloatArray) -> FloatArray:
        finite = logs[np.isfinite(logs)]
        if finite.size and finite.min() < _SMALLEST:
            warnings.warn(
                f"Some similarities of {type(self).__name__} are smaller than the smallest "
                "floating-point number and become 0. Use normalized=True for records this long.",
                RarefindWarning,
                stacklevel=5,
            )
        return np.exp(logs)


def log_safe(values: FloatArray) -> FloatArray:
    """Logarithms, minus infinity for zero."""
    with np.errstate(divide="ignore"):
        return np.log(values)
