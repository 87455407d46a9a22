"""The support vector machine inside: how good are these kernel weights?"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from sklearn.svm import SVC

from rarefind.core.arrays import FloatArray

_MOST_STEPS = 20_000_000
"""Steps after which libsvm gives up instead of running on."""


class Solution:
    """The machine for given kernel weights, and how good they are.

    ``coef`` holds ``y α`` and ``intercepts`` the constants, one column per function. A search
    along a line only needs the objective, so the rest is computed when asked for.
    """

    def __init__(
        self,
        machine: InnerSvm,
        weights: FloatArray,
        gram: FloatArray,
        coef: FloatArray,
        intercepts: FloatArray,
    ) -> None:
        self.machine = machine
        self.weights = weights
        self.coef = coef
        self.intercepts = intercepts
        values = gram @ coef
        self.total = float((coef * machine.signs).sum())
        lengths = (coef * values).sum(axis=0)
        self.objective = self.total - float(lengths.sum()) / 2
        self.primal = machine.primal(values, intercepts, lengths)

    @cached_property
    def images(self) -> FloatArray:
        """The products ``K_m y α``."""
        return self.machine.stack @ self.coef

    @cached_property
    def gradient(self) -> FloatArray:
        """Derivatives of the objective by the weights: ``-½ α'Y K_m Yα``."""
        return -np.einsum("mif,if->m", self.images, self.coef) / 2

    @property
    def gap(self) -> float:
        """Relative duality gap.

        The primal objective is not below the true ``J`` of these weights, and
        ``Σα - max_m ½ α'Y K_m Yα`` is not above the ``J`` of any weights, whatever machine the
        ``α`` come from: the difference to the best such bound met so far certifies the weights
        even if the machine is inexact.
        """
        self.machine.bound = max(self.machine.bound, self.total + float(self.gradient.min()))
        return (self.primal - self.machine.bound) / max(abs(self.objective), 1e-300)


class InnerSvm:
    """Solve the machine for the weighted sum of kernels, as often as asked, and count.

    With several functions (one class against the rest each), all share the weights and the
    objectives add up.
    """

    def __init__(
        self, stack: FloatArray, signs: FloatArray, bounds: FloatArray, tol: float
    ) -> None:
        self.stack = stack
        self.signs = signs
        self.bounds = bounds
        self.tol = tol
        self.n_solves = 0
        self.n_steps = 0
        self.bound = -np.inf

    def solve(self, weights: FloatArray) -> Solution:
        """Train the machine, whose objective is ``J = Σα - ½ α'YKYα``."""
        gram = self._sum(weights)
        coef = np.zeros_like(self.signs)
        intercepts = np.zeros(self.signs.shape[1])
        for function, signs in enumerate(self.signs.T):
            coef[:, function], intercepts[function] = self._train(gram, signs)
        self.n_solves += 1
        return Solution(self, weights, gram, coef, intercepts)

    def _sum(self, weights: FloatArray) -> FloatArray:
        """Weighted sum of the matrices, passing over the many whose weight is zero."""
        used = np.flatnonzero(weights)
        if 2 * len(used) > len(weights):
            return np.tensordot(weights, self.stack, axes=1)
        total = np.zeros(self.stack.shape[1:])
        for number in used:
            total += weights[number] * self.stack[number]
        return total

    def certifies(self, now: Solution, tol: float) -> bool:
        """Whether a machine nearby shows that the gap of these weights is below ``tol``.

        Where kernels are left out, records that differ only in those look the same, and of all
        multipliers that are equally good the machine takes any: the bound they give may be far
        too low. A little of every kernel tells the records apart again.
        """
        even = 1.0 / len(now.weights)
        for part in (0.01, 0.001, 0.1):
            near = self.solve((1.0 - part) * now.weights + part * even)
            if near.gap <= tol or now.gap <= tol:
                break
        return now.gap <= tol

    def primal(self, values: FloatArray, intercepts: FloatArray, lengths: FloatArray) -> float:
        """Least primal objective of these functions, with the best of some intercepts and sizes.

        The loss is piecewise linear in an intercept, and its slope grows by a record's bound
        where the record meets its margin: the best place is where the slope changes sign. A
        function that misses a margin by the tolerance of the machine, which costs much where
        violations do, is made larger by that little.
        """
        places = self.signs - values
        order = np.argsort(places, axis=0)
        grown = np.cumsum(self.bounds[order], axis=0)
        falling = self.bounds @ (self.signs > 0)
        best = (grown >= falling).argmax(axis=0)
        total = 0.0
        for function, sign in enumerate(self.signs.T):
            turning = places[order[best[function], function], function]
            options = np.array([intercepts[function], turning, self._middle(values, function)])
            margins = sign[:, None] * (values[:, function, None] + options)
            losses = self.bounds @ np.maximum(1.0 - margins, 0.0)
            found = lengths[function] / 2 + float(losses.min())
            least = float(margins.min(axis=0).max())
            if least > 0:
                found = min(found, lengths[function] / least**2 / 2)
            total += found
        return total

    def _middle(self, values: FloatArray, function: int) -> float:
        """Intercept that puts the nearest records of both sides at the same distance."""
        members = self.signs[:, function] > 0
        least, most = values[members, function].min(), values[~members, function].max()
        return -float(least + most) / 2

    def _train(self, gram: FloatArray, signs: FloatArray) -> tuple[FloatArray, float]:
        machine = SVC(kernel="precomputed", C=1.0, tol=self.tol, max_iter=_MOST_STEPS)
        machine.fit(gram, signs, sample_weight=self.bounds)
        coef = np.zeros(len(signs))
        coef[machine.support_] = machine.dual_coef_[0]
        limits = self.bounds[machine.support_]
        coef[machine.support_] = np.clip(coef[machine.support_], -limits, limits)
        return coef, float(machine.intercept_[0])
