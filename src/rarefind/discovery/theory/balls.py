"""Volumes of balls and of what two of them share, as logarithms: in many dimensions they vanish."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betainc, gammaln


def log_volume(dimensions: int, radius: float) -> float:
    """Return the logarithm of the volume of a ball.

    >>> round(math.exp(log_volume(2, 2.0)), 4)  # a disc: pi times the square of its radius
    12.5664
    """
    half = dimensions / 2
    return float(half * math.log(math.pi) - gammaln(half + 1) + dimensions * math.log(radius))


def log_overlap(dimensions: int, small: float, large: float) -> float:
    """Return the logarithm of the volume that two balls share, one with its centre on the other.

    The centre of the small ball, of at most the large one's radius, lies on the surface of the
    large one. A plane cuts what they share into a cap of each.

    >>> round(math.exp(log_overlap(1, 0.5, 1.0)), 4)  # on a line: half of the small one
    0.5
    """
    depth = small**2 / (2 * large)
    of_large = log_volume(dimensions, large) + _log_cap(dimensions, depth / large)
    of_small = log_volume(dimensions, small) + _log_cap(dimensions, 1 - depth / small)
    return float(np.logaddexp(of_large, of_small))


def _log_cap(dimensions: int, height: float) -> float:
    """Logarithm of the share of a ball that a plane cuts off, ``height`` of its radius deep."""
    inside = height * (2 - height)
    share = float(betainc((dimensions + 1) / 2, 0.5, inside)) / 2
    return math.log(share) if share > 0 else -math.inf
