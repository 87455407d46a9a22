"""GRADE and GRADE-LI: MALICE's question asked of a graph (He, Liu and Lawrence, 2008).

Nearness is measured along walks from neighbour to neighbour, so that a class may be long or bent.
The rest is as in MALICE: ask where many are near a record and few near one beside it. GRADE-LI
needs less information: one bound on the size of the classes instead of all their sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.core.params import NOTHING, Constraint, Integer, Is, Number, check_params
from rarefind.core.progress import announce
from rarefind.discovery.contract.priors import Priors
from rarefind.discovery.contract.strategy import Problem, Proposal, Search, Strategy
from rarefind.discovery.strategies.jumps.density_falls import DensityJump
from rarefind.discovery.strategies.jumps.graph_nearness import (
    GraphEngine,
    sparse_walks,
    too_large,
    walks,
)
from rarefind.discovery.strategies.jumps.malice import JumpSearch, require_priors
from rarefind.geometry import Engine, Space

_MATRIX = Is("a square matrix", lambda value: getattr(value, "ndim", 0) == 2)
"""What a similarity graph may be given as."""


class Grade(Strategy):
    """Ask at the largest jump of density along a graph; needs the shares of the rare classes.

    Up to ``exact_up_to`` different records every pair is linked, by a Gaussian of their distance
    as wide as the tightest group of the largest class. Beyond, only nearest neighbours are, and
    walks too faint to matter are dropped.

    Parameters
    ----------
    decay
        What a step of a walk is worth of the one before: 0.6 for real data, the authors say, 0.8
        for simulated.
    graph
        Similarities of all rows (a symmetric matrix, dense or sparse, none negative), or None to
        make them from distances.
    exact_up_to
        So many different records are all linked with each other.
    n_neighbors
        Beyond that number, with how many nearest a record is linked.
    cutoff
        Beyond that number, nearness below this is taken for none.
    gigabytes
        Memory that the graph may take.

    Examples
    --------
    >>> from rarefind.discovery import Hunt
    >>> X = [[float(i)] for i in range(20)] + [[7.0 + i / 100] for i in range(1, 6)]
    >>> Hunt(X, "grade", priors=[0.2]).ask().row >= 20
    True
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "decay": [Number(0, 1, closed="neither")],
        "graph": [_MATRIX, NOTHING],
        "exact_up_to": [Integer(0)],
        "n_neighbors": [Integer(1)],
        "cutoff": [Number(0, closed="neither")],
        "gigabytes": [Number(0, closed="neither")],
    }

    def __init__(
        self,
        decay: float = 0.6,
        graph: Any = None,
        exact_up_to: int = 5000,
        n_neighbors: int = 30,
        cutoff: float = 1e-4,
        gigabytes: float = 2.0,
    ) -> None:
        self.decay = decay
        self.graph = graph
        self.exact_up_to = exact_up_to
        self.n_neighbors = n_neighbors
        self.cutoff = cutoff
        self.gigabytes = gigabytes

    def prepare(self, problem: Problem) -> Search:
        """Add up the walks of the graph."""
        check_params(self, self._params)
        priors = require_priors(problem, "grade")
        return _GraphSearch(self._on_graph(problem, priors))

    def _on_graph(self, problem: Problem, priors: Priors) -> Problem:
        space = problem.space
        engine = self._engine(space, priors.sizes[-1])
        return Problem(
            Space(space.folded, engine, space.vectors, space.names), priors, problem.priority
        )

    def _engine(self, space: Space, size: int) -> GraphEngine:
        engine, limit = space.engine, self.gigabytes * 2**30
        exact = engine.n <= self.exact_up_to and not sparse.issparse(self.graph)
        if exact and 3.0 * 8.0 * engine.n**2 > limit:
            raise too_large(engine.n, limit)
        if self.graph is not None:
            links = _given_links(self.graph, space, type(self).__name__)
        elif exact:
            links = _all_links(space, _link_width(engine, size))
        else:
            links = _nearest_links(space, _link_width(engine, size), self.n_neighbors)
        if exact:
            return GraphEngine(walks(links, engine.weights, self.decay), engine.weights)
        return GraphEngine(
            sparse_walks(sparse.csr_array(links), engine.weights, self.decay, self.cutoff, limit),
            engine.weights,
        )


class GradeLI(Grade):
    """GRADE with less information: one bound on the share of every rare class.

    One scale serves all classes, so it suits those of similar size.

    Parameters
    ----------
    largest
        Share that no rare class exceeds; None for the largest of the priors.
    decay, graph, exact_up_to, n_neighbors, cutoff, gigabytes
        As for :class:`Grade`.

    Examples
    --------
    >>> from rarefind.discovery import Hunt
    >>> X = [[float(i)] for i in range(20)] + [[7.0 + i / 100] for i in range(1, 6)]
    >>> Hunt(X, GradeLI(largest=0.2)).ask().row >= 20
    True
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "largest": [Number(0, 1, closed="neither"), NOTHING],
        **Grade._params,
    }

    def __init__(
        self,
        largest: float | None = None,
        decay: float = 0.6,
        graph: Any = None,
        exact_up_to: int = 5000,
        n_neighbors: int = 30,
        cutoff: float = 1e-4,
        gigabytes: float = 2.0,
    ) -> None:
        super().__init__(decay, graph, exact_up_to, n_neighbors, cutoff, gigabytes)
        self.largest = largest

    def prepare(self, problem: Problem) -> Search:
        """Add up the walks of the graph."""
        check_params(self, self._params)
        total = problem.space.engine.total
        if self.largest is None:
            size = require_priors(problem, "grade-li").sizes[-1]
        else:
            size = min(max(1, round(total * self.largest)), total - 1)
        return _OneScaleSearch(self._on_graph(problem, Priors((size,), None)))


class _GraphSearch(JumpSearch):
    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, first_scale=2, shadows=True, patient=False)

    def _widen(self) -> None:
        super()._widen()
        # As published: no scale beyond the number of records.
        if self._scale > self.space.engine.total:
            self._next_slot()

    def proposal(
        self, jump: DensityJump, point: int, scale: int, row: int, shadows_lifted: int
    ) -> Proposal:
        fewest, _ = jump.sparsest(point, scale)
        inside = int(jump.counts[point])
        are = "record is" if inside == 1 else "records are"
        near = f"{inside} {are} near it along the graph of neighbours"
        jumps = f"{near}, but only {fewest} near one beside it: the density jumps here."
        flat = f"{near}, and nowhere left does the density fall more sharply."
        return Proposal(
            row,
            jumps if fewest < inside else flat,
            {
                "nearness": 1.0 / jump.radius,
                "records_near": inside,
                "fewest_nearby": fewest,
                "expected_size": jump.size,
                "scale": scale,
                "shadows_lifted": shadows_lifted,
            },
        )


class _OneScaleSearch(_GraphSearch):
    """The scale grows with every question and starts again at the end, whatever was found."""

    def _claimed_slot(self, label: Any) -> int:
        return -1


def _link_width(engine: Engine, size: int) -> float:
    """Size of the tightest group of so many records, or the least distance that is one."""
    width = engine.least_kth_distance(size)
    if width > 0:
        return width
    # A kernel may see no difference between many different records.
    least = np.inf
    for point in range(engine.n):
        away = engine.distances(point)
        least = min(least, float(away[away > 0].min(initial=np.inf)))
    return least if np.isfinite(least) else 1.0


def _all_links(space: Space, sigma: float) -> FloatArray:
    engine = space.engine
    links = np.empty((engine.n, engine.n))
    for point in range(engine.n):
        if point % 500 == 0:
            announce("linking records", point, engine.n)
        links[point] = engine.distances(point)
    np.square(links, out=links)
    links *= -0.5 / sigma**2
    np.exp(links, out=links)
    # The two halves may differ in the last digit.
    return (links + links.T) / 2.0


def _nearest_links(space: Space, sigma: float, k: int) -> sparse.csr_array:
    engine = space.engine
    distances, near = engine.nearest(k)
    values = np.exp(-0.5 * (distances / sigma) ** 2)
    rows = np.repeat(np.arange(engine.n), near.shape[1])
    links = sparse.csr_array((values.ravel(), (rows, near.ravel())), shape=(engine.n, engine.n))
    # Linked if either is among the nearest of the other; copies are alike.
    return links.maximum(links.T) + sparse.eye_array(engine.n)


def _given_links(graph: Any, space: Space, owner: str) -> Any:
    """Mean similarity of rows of distinct points: of two copies, on the diagonal."""
    n, point_of, weights = space.n_rows, space.folded.point_of, space.engine.weights
    if graph.shape != (n, n):
        raise DataError(
            f"The 'graph' of {owner} must have one row and one column for each of the {n} "
            f"records. Got {graph.shape[0]} by {graph.shape[1]}."
        )
    links = sparse.csr_array(graph, dtype=np.float64)
    if not np.isfinite(links.data).all() or (links.data < 0).any():
        raise DataError(f"The 'graph' of {owner} must hold finite numbers, none negative.")
    if abs(links - links.T).max() > 1e-8 * abs(links).max():
        raise DataError(
            f"The 'graph' of {owner} must be symmetric: the link from a to b is the one from b to "
            "a. Take (graph + graph.T) / 2."
        )
    # A record is no neighbour of its own.
    links = links - sparse.diags_array(links.diagonal())
    member = sparse.csr_array((np.ones(n), (np.arange(n), point_of)), shape=(n, len(weights)))
    summed = sparse.csr_array(member.T @ links @ member).tocoo()
    i, j = summed.coords
    pairs = np.where(i == j, weights[i] * np.maximum(weights[i] - 1, 1), weights[i] * weights[j])
    mean = sparse.csr_array((summed.data / pairs, (i, j)), shape=summed.shape)
    return mean if sparse.issparse(graph) else mean.toarray()
