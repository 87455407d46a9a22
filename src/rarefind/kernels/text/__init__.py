"""Kernels on texts in natural language."""

from __future__ import annotations

from rarefind.kernels.text.latent_semantic import LatentSemantic
from rarefind.kernels.text.vector_space import VectorSpace

__all__ = ["LatentSemantic", "VectorSpace"]
