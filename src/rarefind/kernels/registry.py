"""Kernels by name."""

from __future__ import annotations

from typing import Any

from rarefind.core.errors import ParameterError
from rarefind.core.names import Registry
from rarefind.kernels.base import Kernel

registry = Registry(
    "kernel",
    "rarefind.kernels",
    {
        "gaussian": "rarefind.kernels.vectors:Gaussian",
        "linear": "rarefind.kernels.vectors:Linear",
    },
)


def make_kernel(kernel: str | Kernel, **params: Any) -> Kernel:
    """Return the kernel itself, or the one of that name with the given parameters."""
    if isinstance(kernel, Kernel):
        return kernel
    if not isinstance(kernel, str):
        raise ParameterError(
            "The 'kernel' parameter must be a name or a rarefind.kernels.Kernel. "
            f"Got {kernel!r} instead."
        )
    made: Kernel = registry.get(kernel)(**params)
    return made
