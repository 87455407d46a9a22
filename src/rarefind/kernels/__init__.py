"""How similar are two records? Kernels for every kind of data."""

from __future__ import annotations

from rarefind.kernels.base import Kernel
from rarefind.kernels.registry import make_kernel, registry
from rarefind.kernels.vectors import Gaussian, Linear

__all__ = ["Gaussian", "Kernel", "Linear", "make_kernel", "registry"]
