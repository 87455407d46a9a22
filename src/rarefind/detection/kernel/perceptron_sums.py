"""What a perceptron adds up on its way through the records."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import IntArray


class PerceptronSums:
    """The function after the last step, and what it takes to average over all steps.

    A mistake at step ``t`` (from zero) counts in all later steps, that is in ``steps - t`` of
    ``steps``: so the average is ``last - late / steps`` with ``late = Σ t y``.
    """

    def __init__(self, n: int, functions: int) -> None:
        self.last = np.zeros((n, functions))
        self.late = np.zeros((n, functions))
        self.bias = np.zeros(functions)
        self.late_bias = np.zeros(functions)
        self.mistakes = np.zeros(functions, dtype=np.int64)
        self.steps = 0

    def add(self, row: int, function: int, sign: float, step: int) -> None:
        """Count a mistake."""
        self.last[row, function] += sign
        self.late[row, function] += step * sign
        self.bias[function] += sign
        self.late_bias[function] += step * sign
        self.mistakes[function] += 1

    def extended(self, n: int) -> PerceptronSums:
        """Make room for more records behind those known."""
        more = self.taken(np.arange(len(self.last)))
        room = np.zeros((n, self.last.shape[1]))
        more.last, more.late = np.vstack([more.last, room]), np.vstack([more.late, room])
        return more

    def taken(self, rows: IntArray) -> PerceptronSums:
        """Keep only some records."""
        fewer = PerceptronSums(0, self.last.shape[1])
        fewer.last, fewer.late = self.last[rows], self.late[rows]
        fewer.bias, fewer.late_bias = self.bias.copy(), self.late_bias.copy()
        fewer.mistakes, fewer.steps = self.mistakes.copy(), self.steps
        return fewer
