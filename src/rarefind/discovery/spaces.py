"""From whatever the user has to the space a hunt takes place in."""

from __future__ import annotations

from rarefind.core.arrays import Records
from rarefind.geometry import Space, kernel_space, vector_space
from rarefind.kernels import make_kernel
from rarefind.kernels.base import Kernel


def make_space(X: Records, kernel: str | Kernel | None, *, standardize: bool = True) -> Space:
    """Make the space of standardised vectors, or the one a kernel gives."""
    if kernel is None:
        names = [str(name) for name in getattr(X, "columns", ())]
        return vector_space(X, standardize=standardize, names=names)
    return kernel_space(X, make_kernel(kernel))
