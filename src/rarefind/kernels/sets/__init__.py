"""Kernels on sets: tags, words, items bought together."""

from __future__ import annotations

from rarefind.kernels.sets.derived import DerivedSubsets
from rarefind.kernels.sets.overlap import Agreement, Intersection, Subsets, UnionComplement

__all__ = ["Agreement", "DerivedSubsets", "Intersection", "Subsets", "UnionComplement"]
