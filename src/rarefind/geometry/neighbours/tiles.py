"""Counting the neighbours of many vectors at once, tile by tile.

Records lie in the order of a k-d tree, so that each run of them fills a small box. A block of
queries, in the same order, needs only the boxes its radii touch: those wholly inside are counted
without looking at their records, and the rest are compared with one matrix product in single
precision. Pairs too close to the border for that precision are compared again, exactly.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.core.threads import in_threads

SingleArray: TypeAlias = NDArray[np.float32]

_BOX = 32
"""Records in a box."""

_BLOCK, _WIDE_BLOCK, _WIDE = 64, 256, 20
"""Queries compared together: more of them from so many dimensions on, where boxes hardly help."""

_TURN = 4
"""Blocks a thread takes at a time."""

_WIDTH = 4096
"""Records compared with a block at a time: what fits into a processor's cache."""

_ROUNDING = 2.0**-22
"""Relative error of a sum of products in single precision, for each dimension, with a margin."""

_LOOKED_AT = 8
"""Blocks looked at to estimate the cost of counting."""

_FARTHEST = 1e15
"""Squares of larger numbers might be infinite in single precision."""


class Tiles:
    """Vectors in boxes, ready to count how many lie within a radius of others.

    Parameters
    ----------
    vectors
        The records.
    weights
        How many records each of them stands for.
    order
        Their numbers, in an order in which neighbours follow each other.
    """

    def __init__(self, vectors: FloatArray, weights: IntArray, order: IntArray) -> None:
        self._vectors = vectors[order]
        self._block_size = _BLOCK if vectors.shape[1] < _WIDE else _WIDE_BLOCK
        self._starts = np.arange(0, len(vectors), _BOX)
        self._low = np.minimum.reduceat(self._vectors, self._starts)
        self._high = np.maximum.reduceat(self._vectors, self._starts)
        self._box_weights = np.add.reduceat(weights[order], self._starts)
        single = bool((weights == 1).all())
        # Sums of whole numbers below 2**24 are exact in single precision.
        exact = np.float32 if weights.sum() < 2**24 else np.float64
        self._weights = None if single else weights[order].astype(exact)

    def counts(self, queries: FloatArray, limits: FloatArray, *, exact: bool = True) -> IntArray:
        """Tell how much weight lies within its limit of each query.

        Queries are best in the order of the records. Unless ``exact``, the numbers may be a little
        too large, but never too small.
        """
        found = np.empty(len(queries), dtype=np.int64)
        turn = _TURN * self._block_size

        def fill(start: int) -> None:
            for place in range(start, min(start + turn, len(queries)), self._block_size):
                part = slice(place, place + self._block_size)
                found[part] = self._block(queries[part], limits[part], exact)

        for _ in in_threads(fill, range(0, len(queries), turn)):
            pass
        return found

    def compared(self, queries: FloatArray, limits: FloatArray) -> float:
        """Estimate with how many records each query is compared, from a few blocks."""
        blocks = range(0, len(queries), max(self._block_size, len(queries) // _LOOKED_AT))
        touched = 0
        for start in blocks:
            part = slice(start, start + self._block_size)
            low, high = queries[part].min(axis=0), queries[part].max(axis=0)
            touched += len(self._boxes(low, high, limits[part].min(), limits[part].max())[1])
        return _BOX * touched / len(blocks)

    def _block(self, queries: FloatArray, limits: FloatArray, exact: bool) -> IntArray:
        low, high = queries.min(axis=0), queries.max(axis=0)
        inside, touched = self._boxes(low, high, float(limits.min()), float(limits.max()))
        found = np.full(len(queries), self._box_weights[inside].sum())
        # Seen from the middle of the block lengths are small, and so are their rounding errors.
        middle, unit = (low + high) / 2, float(limits.max()) or 1.0
        left, doubt = _left_factor(_seen_from(middle, unit, queries), limits / unit)
        step = _WIDTH // _BOX
        for start in range(0, len(touched), step):
            rows = (self._starts[touched[start : start + step], None] + np.arange(_BOX)).ravel()
            rows = rows[rows < len(self._vectors)]
            beyond = left @ _right_factor(_seen_from(middle, unit, self._vectors[rows]))
            most = self._weighed(beyond <= doubt, rows)
            if not exact:
                found += most
                continue
            least = self._weighed(beyond < -doubt, rows)
            found += least
            unsure = np.flatnonzero(most > least)
            if unsure.size:
                query, place = np.nonzero(np.abs(beyond[unsure]) <= doubt[unsure])
                found += self._close(queries, limits, unsure[query], rows[place])
        return found

    def _boxes(
        self, low: FloatArray, high: FloatArray, least: float, most: float
    ) -> tuple[IntArray, IntArray]:
        """Boxes within the least radius of all the block, and others within the most of any."""
        gap = np.maximum(np.maximum(self._low - high, low - self._high), 0.0)
        near = np.flatnonzero(np.einsum("ij,ij->i", gap, gap) <= most**2 * (1 + 1e-9))
        span = np.maximum(self._high[near] - low, high - self._low[near])
        whole = np.einsum("ij,ij->i", span, span) < least**2 * (1 - 1e-9)
        return near[whole], near[~whole]

    def _weighed(self, chosen: BoolArray, rows: IntArray) -> IntArray:
        """Sum the weights of the records chosen for each query."""
        if self._weights is None:
            bits = np.packbits(chosen, axis=1)
            return np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
        weights = self._weights[rows]
        return (chosen.astype(weights.dtype) @ weights).astype(np.int64)

    def _close(
        self, queries: FloatArray, limits: FloatArray, query: IntArray, row: IntArray
    ) -> IntArray:
        """Weigh the pairs near the border that are within it, compared digit by digit."""
        apart = queries[query] - self._vectors[row]
        within = np.sqrt(np.einsum("ij,ij->i", apart, apart)) <= limits[query]
        weights = None if self._weights is None else self._weights[row[within]]
        found = np.bincount(query[within], weights, minlength=len(queries))
        return np.rint(found).astype(np.int64)


def _seen_from(middle: FloatArray, unit: float, vectors: FloatArray) -> FloatArray:
    """Move the origin and set the unit; what lies too far for single precision is moved closer.

    Nothing within reach is that far, unless the query is as far itself and so always in doubt.
    """
    with np.errstate(over="ignore"):
        moved = (vectors - middle) / unit
    return np.clip(moved, -_FARTHEST, _FARTHEST, out=moved)


def _left_factor(queries: FloatArray, limits: FloatArray) -> tuple[SingleArray, SingleArray]:
    """Factor whose product with the right one is the squared distance less the squared limit.

    Also how far the product may be from the truth, for records near the limit.
    """
    lengths = np.einsum("ij,ij->i", queries, queries)
    ones = np.ones(len(queries))
    factor = np.column_stack([-2.0 * queries, ones, lengths - limits**2]).astype(np.float32)
    reached = (np.sqrt(lengths) + limits) ** 2
    doubt = _ROUNDING * (queries.shape[1] + 2) * (reached + lengths)
    return factor, doubt.astype(np.float32)[:, None]


def _right_factor(records: FloatArray) -> SingleArray:
    n, dimensions = records.shape
    factor = np.empty((dimensions + 2, n), dtype=np.float32)
    factor[:dimensions] = records.T
    factor[dimensions] = np.einsum("ij,ij->i", records, records)
    factor[dimensions + 1] = 1.0
    return factor
