"""Diffusion kernels: how similar are two nodes of one graph?"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh, expm_multiply, splu

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint, Is, Number
from rarefind.core.progress import announce
from rarefind.kernels.contract import Kernel
from rarefind.kernels.graphs.similarities import node_similarities
from rarefind.kernels.graphs.spectra import rounded_down
from rarefind.kernels.graphs.undirected import Graph

DENSE = 2000
"""Up to this many nodes all eigenvectors are found at once; beyond, column by column."""
COLUMNS_AT_ONCE = 128
"""Columns solved for together: enough for products with blocks, few enough to fit into memory."""


class Diffusion(Kernel):
    """A kernel whose records are nodes of one graph, by number or by name."""

    graph: Any
    decay: float
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "graph": [Is("a graph or a symmetric matrix", lambda value: value is not None)],
        "decay": [Number(0, closed="left")],
    }

    def __init__(self, graph: Graph | Any, decay: float = 0.1) -> None:
        self.graph = graph
        self.decay = decay

    def _read(self, A: Records) -> tuple[sparse.csr_array, IntArray]:
        base, numbers = node_similarities(self.graph, type(self).__name__)
        return base, _node_numbers(A, numbers, base.shape[0], type(self).__name__)

    def _gram(
        self,
        left: tuple[sparse.csr_array, IntArray],
        right: tuple[sparse.csr_array, IntArray] | None,
    ) -> FloatArray:
        base, rows = left
        columns = rows if right is None else right[1]
        if base.shape[0] <= DENSE:
            values, vectors = self._spectrum(base)
            weights = self._finite_weights(values)
            mine = vectors[rows] * weights
            return mine @ vectors[columns].T
        self._check_bound(_spectral_norm(base))
        # The matrix is symmetric: the fewer of rows and columns are worked out.
        if len(rows) < len(columns):
            return self._columns(base, rows, columns).T
        return self._columns(base, columns, rows)

    def _diag(self, left: tuple[sparse.csr_array, IntArray]) -> FloatArray:
        base, rows = left
        if base.shape[0] <= DENSE:
            values, vectors = self._spectrum(base)
            return (vectors[rows] ** 2) @ self._finite_weights(values)
        self._check_bound(_spectral_norm(base))
        return np.concatenate(
            [
                np.diagonal(self._columns(base, some, some))
                for some in np.split(rows, range(COLUMNS_AT_ONCE, len(rows), COLUMNS_AT_ONCE))
            ]
        )

    @abstractmethod
    def _weights(self, values: FloatArray) -> FloatArray:
        """Eigenvalues of the kernel from those of the base similarities."""

    @abstractmethod
    def _apply(self, base: sparse.csr_array) -> Any:
        """Make the function that multiplies a block of columns with the kernel's matrix."""

    def _check_bound(self, norm: float) -> None:
        """Refuse a decay for which the kernel does not exist."""

    def _finite_weights(self, values: FloatArray) -> FloatArray:
        self._check_bound(float(np.abs(values).max(initial=0.0)))
        with np.errstate(over="ignore"):
            weights = self._weights(values)
        if not np.isfinite(weights).all():
            raise DataError(
                f"{type(self).__name__} is too large for floating-point numbers with "
                f"decay={self.decay:g} on this graph. Choose a smaller decay."
            )
        return weights

    def _spectrum(self, base: sparse.csr_array) -> tuple[FloatArray, FloatArray]:
        """Eigenvalues and eigenvectors, kept for the next call on the same graph."""
        known = getattr(self, "_known", None)
        if known is None or known[0].shape != base.shape or (known[0] != base).nnz:
            values, vectors = np.linalg.eigh(base.toarray())
            known = self._known = (base, values, vectors)
        return known[1], known[2]

    def _columns(self, base: sparse.csr_array, columns: IntArray, rows: IntArray) -> FloatArray:
        """Work out some columns of the kernel's matrix, at some rows, for large graphs."""
        n = base.shape[0]
        ensure_fits(
            8 * n * COLUMNS_AT_ONCE * 6,
            f"{type(self).__name__} on {n} nodes",
            "Compare the nodes of a smaller graph.",
        )
        multiply = self._apply(base)
        result = np.empty((len(rows), len(columns)))
        for first in range(0, len(columns), COLUMNS_AT_ONCE):
            some = columns[first : first + COLUMNS_AT_ONCE]
            units = np.zeros((n, len(some)))
            units[some, np.arange(len(some))] = 1.0
            result[:, first : first + len(some)] = multiply(units)[rows]
            announce("diffusion", first + len(some), len(columns))
        return result


class ExponentialDiffusion(Diffusion):
    """``exp(decay * B)``: similarity that spreads along the edges of one graph.

    ``B`` is the adjacency matrix of a graph, or any symmetric matrix of base similarities; paths
    of k steps weigh ``decay**k / k!`` (Kondor and Lafferty, 2002).

    Parameters
    ----------
    graph
        A graph in any of the forms that kernels between graphs take, or a symmetric matrix of
        similarities.
    decay
        How far similarity spreads; with 0 each node is similar to itself only.

    Examples
    --------
    >>> path = Graph(3, [(0, 1), (1, 2)])
    >>> ExponentialDiffusion(path, decay=0.5)([0, 1, 2]).round(3)
    array([[1.13 , 0.543, 0.13 ],
           [0.543, 1.261, 0.543],
           [0.13 , 0.543, 1.13 ]])
    """

    def _weights(self, values: FloatArray) -> FloatArray:
        return np.exp(self.decay * values)

    def _apply(self, base: sparse.csr_array) -> Any:
        scaled = self.decay * base
        trace = float(scaled.trace())
        return lambda units: expm_multiply(scaled, units, traceA=trace)


class VonNeumannDiffusion(Diffusion):
    """``(I - decay * B)**-1``: as exponential diffusion, but far nodes matter more.

    Paths of k steps weigh ``decay**k``. The sum is finite only while ``decay`` is less than one
    over the spectral radius of ``B``; otherwise the call is refused and the bound is said.

    Parameters
    ----------
    graph
        A graph in any of the forms that kernels between graphs take, or a symmetric matrix of
        similarities.
    decay
        How far similarity spreads.

    Examples
    --------
    >>> path = Graph(3, [(0, 1), (1, 2)])
    >>> VonNeumannDiffusion(path, decay=0.5)([0, 1, 2])
    array([[1.5, 1. , 0.5],
           [1. , 2. , 1. ],
           [0.5, 1. , 1.5]])
    """

    def _weights(self, values: FloatArray) -> FloatArray:
        return 1 / (1 - self.decay * values)

    def _apply(self, base: sparse.csr_array) -> Any:
        system = sparse.csc_array(sparse.eye_array(base.shape[0]) - self.decay * base)
        return splu(system).solve

    def _check_bound(self, norm: float) -> None:
        if self.decay * norm >= 1 - 1e-12:
            raise ParameterError(
                "The 'decay' parameter of VonNeumannDiffusion must be below "
                f"{rounded_down(1 / norm)}, one over the spectral radius of this graph. "
                f"Got {self.decay!r} instead."
            )


def _spectral_norm(base: sparse.csr_array) -> float:
    """Largest absolute eigenvalue of a symmetric matrix."""
    if base.nnz == 0:
        return 0.0
    start = np.random.default_rng(0).uniform(0.5, 1.5, size=base.shape[0])
    found = eigsh(base, k=1, which="LM", v0=start, return_eigenvectors=False, tol=1e-10)
    return float(abs(found[0]))


def _node_numbers(
    A: Records, numbers: Mapping[Hashable, int] | None, n_nodes: int, owner: str
) -> IntArray:
    """Positions of the named nodes."""
    array = A if isinstance(A, (list, tuple, range)) else np.asarray(A)
    if isinstance(array, np.ndarray) and array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if isinstance(A, (str, bytes)) or getattr(array, "ndim", 1) != 1:
        raise DataError(
            f"{owner} needs a list of nodes, by {'number' if numbers is None else 'name'}. "
            f"Got {A!r}."
        )
    found = np.empty(len(array), dtype=np.int64)
    for position, node in enumerate(array):
        number = _number(node, numbers, n_nodes)
        if number is None:
            known = f"0 to {n_nodes - 1}" if numbers is None else f"such as {next(iter(numbers))!r}"
            raise DataError(
                f"{owner} knows the nodes of its graph ({n_nodes} of them, {known}). "
                f"Record {position} is {node!r}."
                if n_nodes
                else f"{owner} has a graph without nodes. Record {position} is {node!r}."
            )
        found[position] = number
    return found


def _number(node: Any, numbers: Mapping[Hashable, int] | None, n_nodes: int) -> int | None:
    try:
        if numbers is not None:
            return numbers.get(node)
        whole = int(node)
        return whole if whole == node and 0 <= whole < n_nodes else None
    except (TypeError, ValueError, OverflowError):
        return None
