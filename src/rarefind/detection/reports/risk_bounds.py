"""What statistical learning theory allows to say about a machine from its training records."""

from __future__ import annotations

import math

import numpy as np

from rarefind.core.arrays import FloatArray


def vc_bound(radius_times_length: float, dimensions: int | None) -> float:
    """Upper bound on the VC dimension of planes with this margin: ``min(R²‖w‖², d) + 1``.

    >>> vc_bound(17.6, 2)
    3.0
    """
    limit = math.inf if dimensions is None else float(dimensions)
    return min(radius_times_length, limit) + 1.0


def srm_bound(errors: float, h: float, n: int, delta: float = 0.05) -> float | None:
    """Risk bound of structural risk minimisation; None where the theory says nothing (h >= n).

    With probability ``1 - delta``, the risk is at most
    ``errors + √((h (ln(2n/h) + 1) - ln(δ/4)) / n)``.

    >>> round(srm_bound(0.0, 3.0, 1000), 3)
    0.164
    """
    if h >= n:
        return None
    return errors + math.sqrt((h * (math.log(2 * n / h) + 1) - math.log(delta / 4)) / n)


def xi_alpha_estimate(alphas: FloatArray, slacks: FloatArray, squared_range: float) -> float:
    """Share of records with ``2 α R² + ξ >= 1``: an upper estimate of the leave-one-out error.

    ``squared_range`` is an upper bound of ``k(x, x) - k(x, z)``.
    """
    return float(np.mean((2.0 * alphas * squared_range + slacks >= 1.0) & (alphas > 0)))
