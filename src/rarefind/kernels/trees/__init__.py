"""Kernels on ordered trees, labelled or not."""

from __future__ import annotations

from rarefind.kernels.trees.all_subtree import AllSubtree
from rarefind.kernels.trees.co_rooted import CoRootedSubtree
from rarefind.kernels.trees.ordered import Tree

__all__ = ["AllSubtree", "CoRootedSubtree", "Tree"]
