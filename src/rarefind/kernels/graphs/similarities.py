"""Base similarities between the nodes of one graph, and the names of its nodes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.errors import DataError
from rarefind.kernels.graphs.batch import read_graphs
from rarefind.kernels.graphs.undirected import Graph, as_graph, is_matrix


def node_similarities(
    graph: Any, owner: str
) -> tuple[sparse.csr_array, Mapping[Hashable, int] | None]:
    """Symmetric matrix of a graph and, if its nodes have names, their numbers.

    Matrices may hold any finite similarities; every other form is an unweighted graph. Nodes have
    names in networkx graphs and in lists of edges; in the other forms they are numbered from zero.
    """
    if is_matrix(graph):
        return _checked_matrix(graph, owner), None
    names: list[Hashable] | None = None
    try:
        read = as_graph(graph)
    except DataError as problem:
        raise DataError(f"{owner} cannot read its graph: {problem}") from None
    if not isinstance(graph, Graph):
        if hasattr(graph, "is_directed"):
            names = list(graph.nodes)
        elif isinstance(graph, tuple) and len(graph) == 2 and isinstance(graph[1], Mapping):
            names = list(graph[1])
        elif isinstance(graph, (list, tuple)) and read.nodes == read.size:
            names = list(dict.fromkeys(end for edge in graph for end in edge))
    matrix = read_graphs([read], owner).adjacency
    return matrix, None if names is None else {name: i for i, name in enumerate(names)}


def _checked_matrix(given: Any, owner: str) -> sparse.csr_array:
    try:
        matrix = sparse.csr_array(
            given if sparse.issparse(given) else np.asarray(given), dtype=float
        )
    except (TypeError, ValueError):
        raise DataError(f"{owner} needs a matrix of numbers. Got {type(given).__name__}.") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"{owner} needs as many rows as columns, one for each node. Got shape {matrix.shape}."
        )
    if not np.isfinite(matrix.data).all():
        raise DataError(f"{owner} needs finite similarities. The matrix holds NaN or infinity.")
    gap = abs(matrix - matrix.T)
    if gap.nnz and gap.max() > 1e-10 * abs(matrix).max():
        raise DataError(
            f"{owner} needs a symmetric matrix: similarity has no direction. "
            "Pass (matrix + matrix.T) / 2 to forget the directions."
        )
    return sparse.csr_array((matrix + matrix.T) / 2)
