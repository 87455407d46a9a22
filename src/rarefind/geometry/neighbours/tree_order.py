"""The nearest records in a tree, in an order that does not depend on the tree."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.threads import workers


def nearest_in_order(tree: cKDTree, queries: FloatArray, k: int) -> tuple[FloatArray, IntArray]:
    """Find the ``k`` nearest records of each query; of equally near ones the lower numbers.

    A tree itself returns any of the equally near. ``k`` must not exceed the size of the tree.
    """
    found, near = _asked(tree, queries, min(k + 1, tree.n))
    distances, numbers = found[:, :k], near[:, :k]
    open_rows, more = np.arange(len(queries)), found.shape[1]
    while more < tree.n:
        # Where the one after the last is as near as the last, there may be further such.
        open_rows = open_rows[found[:, k - 1] == found[:, -1]]
        if not open_rows.size:
            break
        more = min(4 * more, tree.n)
        found, near = _asked(tree, queries[open_rows], more)
        distances[open_rows], numbers[open_rows] = found[:, :k], near[:, :k]
    return distances, numbers


def _asked(tree: cKDTree, queries: FloatArray, k: int) -> tuple[FloatArray, IntArray]:
    found, near = tree.query(queries, k=np.arange(1, k + 1), workers=workers())
    tied = np.flatnonzero((found[:, 1:] == found[:, :-1]).any(axis=1))
    if tied.size:
        order = np.lexsort((near[tied], found[tied]), axis=1)
        found[tied] = np.take_along_axis(found[tied], order, axis=1)
        near[tied] = np.take_along_axis(near[tied], order, axis=1)
    return found, near
