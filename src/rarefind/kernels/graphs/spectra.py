"""Largest eigenvalues and eigenvectors of the adjacency matrices of many graphs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.kernels.graphs.batch import GraphBatch

_DENSE = 400
"""Larger matrices are left sparse when only the largest eigenvalue is wanted."""


def rounded_down(bound: float) -> str:
    """Write a bound with six digits, never more than it is, so that what is said also holds.

    >>> rounded_down(2 / 3)
    '0.666666'
    """
    if not 0 < bound < math.inf:
        return f"{bound:g}"
    unit = 10.0 ** (math.floor(math.log10(bound)) - 5)
    return f"{math.floor(bound / unit * (1 + 1e-12)) * unit:.6g}"


def degree_bounds(batch: GraphBatch) -> FloatArray:
    """Largest degree in each graph, which no eigenvalue of its adjacency matrix exceeds."""
    largest = np.zeros(len(batch))
    np.maximum.at(largest, batch.owners, np.diff(batch.first_arcs).astype(np.float64))
    return largest


def largest_eigenvalue(matrix: sparse.csr_array) -> float:
    """Largest eigenvalue of a symmetric matrix without negative entries, its spectral radius."""
    n = matrix.shape[0]
    if n == 0 or matrix.nnz == 0:
        return 0.0
    if n <= _DENSE:
        return float(np.linalg.eigvalsh(matrix.toarray())[-1])
    # Starting from ones finds the largest eigenvalue of every such matrix, and always the same.
    found = eigsh(matrix, k=1, which="LA", v0=np.ones(n), return_eigenvectors=False, tol=1e-12)
    return float(found[0])


def equal_sizes(batch: GraphBatch) -> Iterator[tuple[IntArray, FloatArray]]:
    """Graphs of equal size and the stack of their adjacency matrices, one size after another."""
    tails, heads, _ = batch.arcs
    arc_owners = batch.owners[tails]
    rows, columns = tails - batch.starts[arc_owners], heads - batch.starts[arc_owners]
    place = np.empty(len(batch), dtype=np.int64)
    for size in np.unique(batch.sizes):
        graphs = np.flatnonzero(batch.sizes == size)
        for some in np.array_split(graphs, max(1, len(graphs) * int(size) ** 2 // 2**22)):
            place[some] = np.arange(len(some))
            inside = np.isin(arc_owners, some)
            stack = np.zeros((len(some), size, size))
            stack[place[arc_owners[inside]], rows[inside], columns[inside]] = 1.0
            yield some, stack


def walk_spectra(batch: GraphBatch) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues of every graph, and the squared sums of their eigenvectors.

    Both have one entry per node, graph after graph.
    """
    values = np.zeros(len(batch.labels))
    weights = np.zeros(len(batch.labels))
    for graphs, stack in equal_sizes(batch):
        if stack.shape[1] == 0:
            continue
        found, vectors = np.linalg.eigh(stack)
        nodes = batch.starts[graphs][:, None] + np.arange(stack.shape[1])
        values[nodes] = found
        weights[nodes] = vectors.sum(axis=1) ** 2
    return values, weights
