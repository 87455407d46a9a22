"""Kernels made of kernels."""

from __future__ import annotations

from rarefind.kernels.algebra.centering import Centered
from rarefind.kernels.algebra.on import On
from rarefind.kernels.algebra.products import Exp, Power, Product
from rarefind.kernels.algebra.scaling import Normalized, RecordWeighted
from rarefind.kernels.algebra.sums import Constant, Multiple, Sum

__all__ = [
    "Centered",
    "Constant",
    "Exp",
    "Multiple",
    "Normalized",
    "On",
    "Power",
    "Product",
    "RecordWeighted",
    "Sum",
]
