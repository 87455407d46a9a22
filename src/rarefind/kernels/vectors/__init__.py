"""Kernels on vectors of numbers, dense or sparse."""

from __future__ import annotations

from rarefind.kernels.vectors.distances import Gaussian, Laplacian
from rarefind.kernels.vectors.fourier import RandomFourier
from rarefind.kernels.vectors.monomials import AllSubsets, Anova
from rarefind.kernels.vectors.products import Cosine, Linear, Polynomial, Sigmoid
from rarefind.kernels.vectors.shared import VectorKernel, squared_norms
from rarefind.kernels.vectors.sketches import RandomPolynomial
from rarefind.kernels.vectors.splines import Spline

__all__ = [
    "AllSubsets",
    "Anova",
    "Cosine",
    "Gaussian",
    "Laplacian",
    "Linear",
    "Polynomial",
    "RandomFourier",
    "RandomPolynomial",
    "Sigmoid",
    "Spline",
    "VectorKernel",
    "squared_norms",
]
