"""SimpleMKL as published: reduced gradient descent on the kernel weights.

Two slips of the printed algorithm are put right: the direction must keep summing to zero when a
component is dropped, and an accepted move becomes the new point of comparison.
"""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.progress import announce
from rarefind.detection.kernel.mkl.inner_svm import InnerSvm, Solution
from rarefind.detection.kernel.mkl.newton import cleaned

_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
"""The golden section: of two points tried, one can be used again. As in the published toolbox."""


def reduced_gradient(machine: InnerSvm, start: FloatArray, tol: float, max_iter: int) -> Solution:
    """Minimise the objective over the simplex until the gap is below ``tol``."""
    now = machine.solve(start)
    precision = 0.1
    for done in range(max_iter):
        announce("weighing kernels", done, max_iter)
        machine.n_steps = done + 1
        if now.gap <= tol or precision < 1e-8:
            break
        before = now
        direction, base = _descent(now)
        now, direction, step = _walk_to_the_edge(machine, now, direction, base)
        now = _golden_section(machine, now, direction, step, precision)
        kept = cleaned(now.weights)
        if (kept != now.weights).any():
            now = machine.solve(kept)
        if np.abs(now.weights - before.weights).max() < 1e-12:
            if machine.certifies(now, tol):
                break
            precision /= 10
    return now


def _descent(now: Solution) -> tuple[FloatArray, int]:
    """Direction of descent in the simplex, against the largest weight as a base."""
    weights = now.weights
    base = int(weights.argmax())
    gradient = now.gradient / max(float(np.linalg.norm(now.gradient)), 1e-300)
    direction = -(gradient - gradient[base])
    direction[(weights == 0.0) & (direction < 0.0)] = 0.0
    direction[base] = 0.0
    direction[base] = -direction.sum()
    return direction, base


def _walk_to_the_edge(
    machine: InnerSvm, now: Solution, direction: FloatArray, base: int
) -> tuple[Solution, FloatArray, float]:
    """Go on to where a weight becomes zero, and drop it, as long as that lowers the objective."""
    direction = direction.copy()
    while True:
        falling = np.flatnonzero(direction < 0.0)
        if not len(falling):
            return now, direction, 0.0
        steps = -now.weights[falling] / direction[falling]
        step = float(steps.min())
        if step <= 0.0:
            return now, direction, 0.0
        weights = np.maximum(now.weights + step * direction, 0.0)
        weights[falling[steps <= step]] = 0.0
        there = machine.solve(weights / weights.sum())
        if there.objective >= now.objective:
            return now, direction, step
        now = there
        direction[now.weights == 0.0] = 0.0
        direction[base] = 0.0
        direction[base] = -direction.sum()


def _golden_section(
    machine: InnerSvm, now: Solution, direction: FloatArray, step: float, precision: float
) -> Solution:
    """Find the best point on the way to the edge, to a share ``precision`` of the way."""
    if step <= 0.0:
        return now

    def at(size: float) -> Solution:
        weights = np.maximum(now.weights + size * direction, 0.0)
        return machine.solve(weights / weights.sum())

    low, high = 0.0, step
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    there_left, there_right = at(left), at(right)
    best = now
    while True:
        best = min((best, there_left, there_right), key=lambda found: found.objective)
        if high - low <= precision * step:
            return best
        if there_left.objective < there_right.objective:
            high, right, there_right = right, left, there_left
            left = high - _GOLDEN * (high - low)
            there_left = at(left)
        else:
            low, left, there_left = left, right, there_right
            right = low + _GOLDEN * (high - low)
            there_right = at(right)
