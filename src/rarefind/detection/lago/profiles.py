"""How a known example's vote falls with distance.

Every profile is one at distance zero and falls to nothing; none is normalised, because the
normaliser of a vote with radius r and LAGO's weight for that radius cancel exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from rarefind.core.arrays import FloatArray

Profile = Callable[[FloatArray], FloatArray]
"""Turns distances, in units of the bandwidth, into votes; may overwrite its argument."""


def gaussian(z: FloatArray) -> FloatArray:
    """``exp(-z²/2)``: never quite nothing."""
    np.multiply(z, z, out=z)
    z *= -0.5
    return np.exp(z, out=z)


def triangular(z: FloatArray) -> FloatArray:
    """``1 - z`` up to one."""
    np.subtract(1.0, z, out=z)
    return np.maximum(z, 0.0, out=z)


def uniform(z: FloatArray) -> FloatArray:
    """One up to one: a ball."""
    return (z <= 1.0).astype(z.dtype)


def cosine(z: FloatArray) -> FloatArray:
    """``cos z`` up to a right angle: the profile published for the unit sphere."""
    np.minimum(z, np.pi / 2, out=z)
    far = z >= np.pi / 2
    np.cos(z, out=z)
    z[far] = 0.0
    return z


PROFILES: Mapping[str, Profile] = {
    "gaussian": gaussian,
    "triangular": triangular,
    "uniform": uniform,
    "cosine": cosine,
}
"""By the names the estimator takes."""


def profile_name(profile: str, geometry: str) -> str:
    """Name the profile; ``"auto"`` is the one published for the geometry.

    >>> profile_name("auto", "sphere"), profile_name("auto", "euclidean")
    ('cosine', 'gaussian')
    """
    if profile != "auto":
        return profile
    return "cosine" if geometry == "sphere" else "gaussian"
