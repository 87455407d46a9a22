"""The least number of mistakes that Novikoff's theorem guarantees a perceptron."""

from __future__ import annotations

import numpy as np
from scipy import linalg, optimize

from rarefind.core.arrays import FloatArray


def novikoff_bound(gram: FloatArray, signs: FloatArray) -> float:
    """``(R / γ)²`` with the greatest possible ``γ``; infinite if no plane separates the classes.

    The bias is one more coordinate, of value one, of every record. The plane with the greatest
    margin is normal to the shortest vector of the convex hull of the points ``y x``, and that
    comes out of one non-negative least squares problem: minimising ``‖Z a‖² + (Σa - 1)²`` over
    ``a >= 0`` scales the shortest vector, but does not turn it.

    Parameters
    ----------
    gram
        Similarities of the training records with each other.
    signs
        1 or -1 for each of them.

    Examples
    --------
    >>> novikoff_bound(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]))
    2.0
    """
    own = np.asarray(gram, dtype=np.float64) + 1.0
    values, vectors = linalg.eigh(own * signs[:, None] * signs[None, :])
    kept = values > 1e-12 * max(values[-1], 0.0)
    points = (vectors[:, kept] * np.sqrt(values[kept])).T
    scale = float(np.sqrt(max(values[-1], 1e-300) / len(signs)))
    system = np.vstack([points, np.full((1, len(signs)), scale)])
    target = np.zeros(system.shape[0])
    target[-1] = scale
    shares, _ = optimize.nnls(system, target)
    normal = points @ shares
    length = float(np.linalg.norm(normal))
    margin = float((normal @ points).min()) / length if length > 0 else 0.0
    radius_squared = float(np.diag(own).max())
    if margin <= 1e-9 * np.sqrt(radius_squared):
        return float(np.inf)
    return radius_squared / margin**2
