"""From whatever the user has to the space a hunt takes place in."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import Records, count
from rarefind.geometry import Precomputed, Space, distance_space, kernel_space, vector_space
from rarefind.kernels import Precomputed as GivenGram
from rarefind.kernels import make_kernel
from rarefind.kernels.base import Kernel


def make_space(X: Records, kernel: str | Kernel | None, *, standardize: bool = True) -> Space:
    """Make the space of vectors, of given distances, of a given Gram matrix, or of a kernel."""
    if isinstance(X, Precomputed):
        return distance_space(X)
    if isinstance(kernel, str) and kernel == "precomputed":
        gram = GivenGram(X)
        return kernel_space(np.arange(count(X))[:, None], gram)
    if kernel is not None:
        return kernel_space(X, make_kernel(kernel))
    names = [str(name) for name in getattr(X, "columns", ())]
    return vector_space(X, standardize=standardize, names=names)
