"""Learning which kernels matter, together with the machine that uses them."""

from __future__ import annotations

from rarefind.detection.kernel.mkl.machine import SimpleMKL

__all__ = ["SimpleMKL"]
