"""Plain ways to explore records that need nothing but their distances, as a measure for ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.geometry import Space

_FEWEST = 5
"""Records of a cluster at least: HDBSCAN's own default."""

Explorer = Callable[[FloatArray, IntArray, np.random.Generator], Iterator[int]]
"""Yields points in the order they are asked about: distances, weights of points, chance."""


def spread_out(distances: FloatArray, weights: IntArray, rng: np.random.Generator) -> Iterator[int]:
    """Draw as k-means++ draws its centres: by the squared distance from those drawn before."""
    nearest = np.full(len(weights), np.inf)
    chance: FloatArray = weights.astype(np.float64)
    left = np.ones(len(weights), dtype=bool)
    while left.any():
        if not (chance[left] > 0).any():
            chance = np.where(left, weights, 0.0)
        point = int(rng.choice(len(weights), p=chance / chance.sum()))
        yield point
        left[point] = False
        nearest = np.minimum(nearest, distances[point])
        chance = np.where(left, weights * nearest**2, 0.0)


def clusters_in_turn(
    distances: FloatArray, weights: IntArray, rng: np.random.Generator
) -> Iterator[int]:
    """Ask one record of every cluster of HDBSCAN in turn, smallest cluster first.

    Of a cluster the surest members come first; what is in no cluster is one more, in any order.
    """
    from sklearn.cluster import HDBSCAN

    found = HDBSCAN(min_cluster_size=_FEWEST, metric="precomputed", copy=True).fit(distances)
    chance = rng.permutation(len(weights))
    queues = []
    for cluster in np.unique(found.labels_):
        members = np.flatnonzero(found.labels_ == cluster)
        sure = found.probabilities_[members] if cluster >= 0 else np.zeros(len(members))
        queues.append(members[np.lexsort((chance[members], -sure))].tolist())
    queues.sort(key=len)
    for place in range(max(map(len, queues))):
        yield from (queue[place] for queue in queues if place < len(queue))


EXPLORERS: dict[str, Explorer] = {"k-means++": spread_out, "HDBSCAN": clusters_in_turn}
"""By the names they have in tables."""


def explored_rows(explorer: Explorer, space: Space, seed: int) -> Iterator[int]:
    """Yield rows in the order an explorer asks about them, copies of a record once."""
    engine = space.engine
    distances = np.array([engine.distances(point) for point in range(engine.n)])
    np.fill_diagonal(distances, 0.0)
    distances = np.minimum(distances, distances.T)
    rng = np.random.default_rng(seed)
    for point in explorer(distances, engine.weights, rng):
        yield int(space.folded.first_row[point])
