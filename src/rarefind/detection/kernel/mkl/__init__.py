"""Learning which kernels matter, together with the machine that uses them."""

from __future__ import annotations

from rarefind.detection.kernel.mkl.simple_mkl import SimpleMKL

__all__ = ["SimpleMKL"]
