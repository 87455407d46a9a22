"""Passes through records one by one, compiled: each step depends on the one before.

Records are the rows of a sparse matrix; the last of the weights is the bias.
"""

from __future__ import annotations

import math

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.jit import jit


@jit
def perceptron_pass(
    starts: IntArray,
    columns: IntArray,
    values: FloatArray,
    signs: FloatArray,
    order: IntArray,
    weights: FloatArray,
    late: FloatArray,
    eta: float,
    seen: int,
) -> int:
    """Visit the records in this order, change the weights at every mistake, and count these.

    ``late`` adds up each change times the number of its step (``seen`` before this pass), from
    which the mean of the weights over all steps follows.
    """
    mistakes = 0
    bias = len(weights) - 1
    for place in range(len(order)):
        row = order[place]
        score = weights[bias]
        for entry in range(starts[row], starts[row + 1]):
            score += weights[columns[entry]] * values[entry]
        if signs[row] * score <= 0.0:
            mistakes += 1
            change = eta * signs[row]
            step = float(seen + place)
            for entry in range(starts[row], starts[row + 1]):
                weights[columns[entry]] += change * values[entry]
                late[columns[entry]] += step * change * values[entry]
            weights[bias] += change
            late[bias] += step * change
    return mistakes


@jit
def logistic_pass(
    starts: IntArray,
    columns: IntArray,
    values: FloatArray,
    wanted: FloatArray,
    counts: FloatArray,
    order: IntArray,
    weights: FloatArray,
    late: FloatArray,
    eta: float,
) -> None:
    """Visit the records in this order and move the weights by ``eta (y - p) x`` at each.

    ``wanted`` is ``y``, one or zero, and a record of ``counts`` two moves twice as far. ``late`` is
    as in the perceptron's pass, for this pass alone.
    """
    bias = len(weights) - 1
    for place in range(len(order)):
        row = order[place]
        odds = weights[bias]
        for entry in range(starts[row], starts[row + 1]):
            odds += weights[columns[entry]] * values[entry]
        chance = 1.0 / (1.0 + math.exp(-min(max(odds, -500.0), 500.0)))
        change = eta * counts[row] * (wanted[row] - chance)
        step = float(place)
        for entry in range(starts[row], starts[row + 1]):
            weights[columns[entry]] += change * values[entry]
            late[columns[entry]] += step * change * values[entry]
        weights[bias] += change
        late[bias] += step * change
