"""The walk kernel: walks that two graphs have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import DataError
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import BOOLEAN, Constraint, Number, OneOf
from rarefind.core.progress import announce
from rarefind.kernels.contract import Kernel
from rarefind.kernels.graphs.batch import GraphBatch, read_graphs, share_labels
from rarefind.kernels.graphs.fixed_point import accelerated_fixed_point
from rarefind.kernels.graphs.product import Products
from rarefind.kernels.graphs.spectra import (
    degree_bounds,
    largest_eigenvalue,
    rounded_down,
    walk_spectra,
)

_PRECISION = 1e-17
"""What is left out is below half a unit in the last place."""

MOST_TERMS = 1000
"""Beyond, eigenvalues are cheaper than counting walks step by step. A rough figure."""

_CLOSE = 0.8
"""Growth per step above which the degree bound is replaced by the eigenvalue itself."""
PRODUCT_AT_ONCE = 2**20
"""Nodes of product graphs joined: a hundred bytes each, so about 100 MB."""

_PAIRS_AT_ONCE = 2**14
"""Pairs looked at to find how many fit, so that a long list is not summed up each time."""

_LARGEST_GROWTH = 600.0
"""exp(709) is the largest double; some room is left for sums over nodes."""


class Walk(Kernel):
    """Counts the walks that two graphs have in common, long ones weighing less.

    The similarity is the sum over all pairs of walks with as many steps and, if wanted, the same
    labels along the way: ``decay**k`` for walks of k steps if ``weights`` is "geometric",
    ``decay**k / k!`` if it is "exponential" (Gärtner, Flach and Wrobel, 2003). Geometric sums are
    finite only while ``decay`` is less than one over the largest eigenvalue of the product of a
    graph with itself; otherwise the call is refused and the bound is said.

    Parameters
    ----------
    decay
        How much less each further step weighs.
    weights
        "geometric" or "exponential".
    labelled
        Whether nodes along both walks must have the same labels.
    edge_labelled
        Whether edges along both walks must have the same labels.

    Examples
    --------
    >>> from rarefind.kernels.graphs import Graph
    >>> edge, path = Graph(2, [(0, 1)]), Graph(3, [(0, 1), (1, 2)])
    >>> Walk(decay=0.1)([edge, path]).round(3)
    array([[ 4.444,  6.939],
           [ 6.939, 11.042]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "decay": [Number(0, closed="neither")],
        "weights": [OneOf("geometric", "exponential")],
        "labelled": [BOOLEAN],
        "edge_labelled": [BOOLEAN],
    }

    def __init__(
        self,
        decay: float = 0.01,
        *,
        weights: str = "geometric",
        labelled: bool = False,
        edge_labelled: bool = False,
    ) -> None:
        self.decay = decay
        self.weights = weights
        self.labelled = labelled
        self.edge_labelled = edge_labelled

    def _read(self, A: Records) -> GraphBatch:
        batch = read_graphs(A, type(self).__name__)
        return batch.without_labels(nodes=not self.labelled, edges=not self.edge_labelled)

    def _gram(self, left: GraphBatch, right: GraphBatch | None) -> FloatArray:
        growth = max(self._growth(left), 0.0 if right is None else self._growth(right))
        if not self._plain():
            return self._product_gram(left, right, growth)
        if self._terms(growth) > MOST_TERMS:
            return self._spectral_gram(left, right)
        mine = self._walk_features(left, growth)
        return mine @ (mine if right is None else self._walk_features(right, growth)).T

    def _diag(self, left: GraphBatch) -> FloatArray:
        growth = self._growth(left)
        every = np.arange(len(left))
        if not self._plain():
            return self._solve(Products(left, left), every, every, growth)
        if self._terms(growth) > MOST_TERMS:
            return np.array([self._spectral_gram(left.only(int(i)), None)[0, 0] for i in every])
        features = self._walk_features(left, growth)
        return np.einsum("ij,ij->i", features, features)

    def _plain(self) -> bool:
        """Whether labels play no part."""
        return not (self.labelled or self.edge_labelled)

    # ---- how fast the sums grow ------------------------------------------------------------

    def _growth(self, batch: GraphBatch) -> float:
        """Bound the factor by which k(G, G) grows per step of the walks, over all graphs.

        By the Cauchy-Schwarz inequality no pair of graphs grows faster than the faster of both
        with itself, so a graph either has a similarity with all others or with none.
        """
        bounds = degree_bounds(batch) ** 2
        for graph in np.flatnonzero(self.decay * bounds > _CLOSE).tolist():
            bounds[graph] = min(bounds[graph], largest_eigenvalue(batch.block(graph)) ** 2)
        if not self._plain():
            products = Products(batch, batch)
            for graph in np.flatnonzero(self.decay * bounds > _CLOSE).tolist():
                same = np.array([graph])
                product, _ = products.join(same, same)
                bounds[graph] = largest_eigenvalue(product)
        most = float(bounds.max(initial=0.0))
        growth = self.decay * most
        if self.weights == "geometric" and growth >= 1 - 1e-12:
            raise DataError(
                f"Walk with geometric weights needs decay < {rounded_down(1 / most)} for these "
                f"graphs (graph {int(np.argmax(bounds))} sets the bound). Got {self.decay:g}; "
                'choose a smaller decay or weights="exponential".'
            )
        if growth > _LARGEST_GROWTH:
            raise DataError(
                f"Walk counts too many walks in graph {int(np.argmax(bounds))} for floating-point "
                f"numbers. Choose decay below {_LARGEST_GROWTH / most:.3g}; got {self.decay:g}."
            )
        return growth

    def _terms(self, growth: float) -> int:
        """Count the steps after which what is left out is lost in rounding."""
        if growth == 0:
            return 0
        if self.weights == "geometric":
            return math.ceil(math.log(_PRECISION * (1 - growth)) / math.log(growth))
        terms, weight = 0, 1.0
        while terms <= 2 * growth or weight > _PRECISION:
            terms += 1
            weight *= growth / terms
        return terms

    # ---- without labels --------------------------------------------------------------------

    def _walk_features(self, batch: GraphBatch, growth: float) -> FloatArray:
        """Weighted number of walks of 0, 1, 2, ... steps in each graph.

        Without labels the product of two counts is the count in the product graph.
        """
        terms = self._terms(growth)
        counts = np.empty((len(batch), terms + 1))
        ways = np.ones(len(batch.labels))
        counts[:, 0] = batch.sizes
        for step in range(1, terms + 1):
            share = 1.0 if self.weights == "geometric" else 1 / step
            ways = math.sqrt(self.decay * share) * (batch.adjacency @ ways)
            counts[:, step] = np.bincount(batch.owners, weights=ways, minlength=len(batch))
        return counts

    def _spectral_gram(self, left: GraphBatch, right: GraphBatch | None) -> FloatArray:
        """Sum over pairs of eigenvalues, exact however slowly the series converges."""
        values, weights = walk_spectra(left)
        other_values, other_weights = (values, weights) if right is None else walk_spectra(right)
        adding = _adding(left if right is None else right)
        gram = np.empty((len(left), adding.shape[0]))
        for graph in range(len(left)):
            nodes = slice(int(left.starts[graph]), int(left.starts[graph + 1]))
            steps = self.decay * np.outer(values[nodes], other_values)
            sums = 1 / (1 - steps) if self.weights == "geometric" else np.exp(steps)
            gram[graph] = adding @ ((weights[nodes] @ sums) * other_weights)
            announce("walks", graph + 1, len(left))
        return (gram + gram.T) / 2 if right is None else gram

    # ---- with labels -----------------------------------------------------------------------

    def _product_gram(
        self, left: GraphBatch, right: GraphBatch | None, growth: float
    ) -> FloatArray:
        if right is None:
            mine, theirs = np.triu_indices(len(left))
            products = Products(left, left)
        else:
            shared, other = share_labels(left, right)
            products = Products(shared, other)
            mine, theirs = (grid.ravel() for grid in np.indices((len(left), len(right))))
        gram = np.zeros((len(left), len(left) if right is None else len(right)))
        gram[mine, theirs] = self._solve(products, mine, theirs, growth)
        if right is None:
            gram[theirs, mine] = gram[mine, theirs]
        return gram

    def _solve(
        self, products: Products, mine: IntArray, theirs: IntArray, growth: float
    ) -> FloatArray:
        """Similarities of these pairs of graphs, some thousand product graphs at a time."""
        similarities = np.empty(len(mine))
        first = 0
        while first < len(mine):
            near = slice(first, first + _PAIRS_AT_ONCE)
            cost = np.cumsum(products.sizes(mine[near], theirs[near]))
            fitting = int(np.searchsorted(cost, PRODUCT_AT_ONCE, side="right"))
            some = slice(first, min(first + max(fitting, 1), len(mine)))
            ensure_fits(
                100 * int(cost[some.stop - first - 1]),
                f"The product of graphs {mine[first]} and {theirs[first]}",
                "Compare smaller graphs, or without labels.",
            )
            adjacency, owners = products.join(mine[some], theirs[some])
            ways = self._sum_of_walks(adjacency, growth)
            size = some.stop - some.start
            similarities[some] = np.bincount(owners, weights=ways, minlength=size)
            first = some.stop
            announce("walks", first, len(mine))
        return similarities

    def _sum_of_walks(self, adjacency: sparse.csr_array, growth: float) -> FloatArray:
        """Weighted number of walks that start at each node of the product graphs."""
        ones = np.ones(adjacency.shape[0])
        if growth == 0:
            return ones
        if self.weights == "exponential":
            total, ways = ones.copy(), ones
            for step in range(1, self._terms(growth) + 1):
                ways = (self.decay / step) * (adjacency @ ways)
                total += ways
            return total
        return accelerated_fixed_point(self.decay * adjacency, growth)


def _adding(batch: GraphBatch) -> sparse.csr_array:
    """Matrix that adds up the nodes of each graph."""
    n = len(batch.labels)
    return sparse.csr_array((np.ones(n), np.arange(n), batch.starts), shape=(len(batch), n))
