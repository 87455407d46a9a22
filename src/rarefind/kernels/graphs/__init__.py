"""Kernels on graphs: between the nodes of one graph, and between graphs."""

from __future__ import annotations

from rarefind.kernels.graphs.circular import Circular
from rarefind.kernels.graphs.diffusion import ExponentialDiffusion, VonNeumannDiffusion
from rarefind.kernels.graphs.shortest_path import ShortestPath
from rarefind.kernels.graphs.undirected import Graph
from rarefind.kernels.graphs.walk import Walk
from rarefind.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman

__all__ = [
    "Circular",
    "ExponentialDiffusion",
    "Graph",
    "ShortestPath",
    "VonNeumannDiffusion",
    "Walk",
    "WeisfeilerLehman",
]
