"""What a worker is asked: each task reads its partitions and gives something small.

No task knows of another or leaves anything behind but its answer, so any may be run again.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from rarefind.cluster.journal import Result
from rarefind.cluster.partitions import Part
from rarefind.core.arrays import FloatArray, IntArray
from rarefind.geometry.tree_search import nearest_in_order


def distances_from(part: Part, vector: FloatArray) -> Result:
    """Distances of one vector from all points of a partition."""
    return {"distances": cdist(vector[None], part.engine().vectors)[0]}


def counts_within(
    parts: tuple[Part, ...], own: Part, points: IntArray | None, limits: FloatArray, exact: bool
) -> Result:
    """Count what lies in some partitions within its limit of each of these points of another."""
    asking = own.engine()
    order, rows = asking.in_tree_order(points)
    queries = asking.vectors[rows]
    wide = np.broadcast_to(limits, len(rows))[order]
    total = np.zeros(len(rows), dtype=np.int64)
    for part in parts:
        total += part.engine().tiles.counts(queries, wide, exact=exact)
    found = np.empty_like(total)
    found[order] = total
    return {"counts": found}


def nearest_of(parts: tuple[Part, ...], own: int, points: IntArray | None, k: int) -> Result:
    """Find the ``k`` nearest others of points of one partition among all partitions.

    The own partition is looked at first. Others are looked at only for those points whose last
    neighbour so far is farther away than the box.
    """
    home = parts[own].engine()
    rows = np.arange(home.n) if points is None else points
    queries = home.vectors[rows]
    distances = np.full((len(rows), k), np.inf)
    numbers = np.full((len(rows), k), -1, dtype=np.int64)
    for place in sorted(range(len(parts)), key=lambda place: place != own):
        part = parts[place]
        away = np.maximum(np.array(part.low) - queries, queries - np.array(part.high))
        away = np.maximum(away, 0.0)
        near = np.sqrt(np.einsum("ij,ij->i", away, away))
        chosen = np.flatnonzero(near * (1 - 1e-9) <= distances[:, -1])
        if not chosen.size:
            continue
        tree = part.engine().tree
        found, who = nearest_in_order(tree, queries[chosen], min(k + (place == own), tree.n))
        who = who + part.first
        found = np.where(who == (parts[own].first + rows[chosen])[:, None], np.inf, found)
        found = np.hstack([distances[chosen], found])
        who = np.hstack([numbers[chosen], who])
        order = np.lexsort((who, found), axis=1)[:, :k]
        distances[chosen] = np.take_along_axis(found, order, axis=1)
        numbers[chosen] = np.take_along_axis(who, order, axis=1)
    return {"distances": distances, "numbers": numbers}
