"""The smallest ball around records in the space of a kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray

_MOST_STEPS = 100_000
"""An end in any case; the radius is then told with the gap it has. A choice."""


@dataclass(frozen=True)
class Ball:
    """A ball that holds all records; ``shares`` of the records make up its centre.

    ``squared_radius`` is exact to ``gap``: no ball with a squared radius smaller by more than
    that holds all records.
    """

    squared_radius: float
    gap: float
    shares: FloatArray

    @property
    def radius(self) -> float:
        """The radius."""
        return float(np.sqrt(self.squared_radius))


def enclosing_ball(
    own: FloatArray, column: Callable[[int], FloatArray], *, tol: float = 1e-6
) -> Ball:
    """Find the smallest enclosing ball from one column of the Gram matrix at a time.

    Maximises ``Σ b_i K_ii - b'Kb`` over shares ``b``. Each step moves share from the nearest
    record that has some to the record furthest from the centre, as far as that helps.

    Parameters
    ----------
    own
        Similarity of each record with itself.
    column
        Gives the similarities of all records with record ``i``.
    tol
        Precision of the squared radius, as a share of it.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 4.0])
    >>> round(enclosing_ball(x * x, lambda i: x * x[i]).radius, 3)
    2.0
    """
    n = len(own)
    columns: dict[int, FloatArray] = {}

    def similarities(i: int) -> FloatArray:
        if i not in columns:
            columns[i] = column(i)
        return columns[i]

    shares = np.zeros(n)
    shares[0] = 1.0
    with_centre = similarities(0).astype(np.float64)
    for _ in range(_MOST_STEPS):
        centre = float(shares @ with_centre)
        squared = own - 2.0 * with_centre + centre
        far = int(squared.argmax())
        used = np.flatnonzero(shares)
        near = int(used[squared[used].argmin()])
        # The squared radius of the dual is the mean of the distances, weighted by the shares.
        gap = float(squared[far] - shares @ squared)
        if gap <= tol * max(float(squared[far]), 1e-300) or far == near:
            break
        apart = similarities(far) - similarities(near)
        curvature = float(apart[far] - apart[near])
        wish = (squared[far] - squared[near]) / (2.0 * curvature) if curvature > 0 else np.inf
        step = min(float(wish), float(shares[near]))
        shares[far] += step
        shares[near] = 0.0 if step == shares[near] else shares[near] - step
        with_centre = with_centre + step * apart
    return Ball(max(float(squared[far]), 0.0), max(gap, 0.0), shares)
