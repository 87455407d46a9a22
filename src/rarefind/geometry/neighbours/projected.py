"""The nearest of many vectors with many features, most of whose spread is in few directions.

Turned into their principal directions, vectors differ mostly in the first few coordinates. Those,
with the length of what is left as one more, are vectors themselves, and never farther apart than
the whole ones. So a matrix product of short vectors, in single precision, rules nearly all pairs
out, and only the rest are compared exactly. Each query needs a radius that is surely wide enough
to begin with: it comes from records that stand next to it in the order of a k-d tree.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import announce
from rarefind.core.threads import in_threads
from rarefind.geometry.neighbours.tiles import SingleArray

_KEPT = 0.995
"""The share of the spread that the first directions must have."""

_SHORT = 0.5
"""Short vectors with more than this share of the features would not pay."""

_BLOCK, WIDTH = 128, 4096
"""Queries, and records, compared at a time: what fits into a processor's cache."""

BESIDE = 1000
"""Records on either side of a block that its first radius is taken from."""

_TREE_DIRECTIONS = 12
"""Directions in which records are put into order."""

_ROUNDING = 2.0**-22
"""Relative error of a sum of products in single precision, for each term, with a margin."""

_LEAST = 1e-36
"""Smaller numbers lose digits in single precision."""

_TRIED = 4
"""Blocks looked at to tell whether the search pays."""

_MOST_LEFT = 0.03
"""It does not if more than this share of pairs is left to compare exactly."""


class ProjectedSearch:
    """Finds neighbours among vectors.

    Parameters
    ----------
    vectors
        The records.
    """

    def __init__(self, vectors: FloatArray) -> None:
        self._vectors = vectors
        centred = vectors - vectors.mean(axis=0)
        # In units of the largest, no square is too large or too small for single precision.
        centred /= float(np.abs(centred).max(initial=0.0)) or 1.0
        spread_in, directions = np.linalg.eigh(centred.T @ centred)
        share = np.cumsum(spread_in[::-1]) / max(float(spread_in.sum()), 1e-300)
        self._kept = int(np.searchsorted(share, _KEPT)) + 1
        if not self.is_short:
            return
        short = centred @ directions[:, ::-1][:, : self._kept]
        lengths = np.einsum("ij,ij->i", centred, centred)
        rest = np.sqrt(np.maximum(lengths - np.einsum("ij,ij->i", short, short), 0.0))
        self._order = np.asarray(cKDTree(short[:, :_TREE_DIRECTIONS], leafsize=64).indices)
        self._short = np.column_stack([short, rest])[self._order]
        self._centred, self._lengths = centred[self._order], lengths[self._order]
        # The length of the rest is a difference of squares: it may be off by this much.
        self._blurred = float(np.sqrt(1e-14 * len(directions) * lengths.max(initial=0.0)))

    @property
    def is_short(self) -> bool:
        """Whether few directions hold nearly all of the spread."""
        return self._kept <= _SHORT * self._vectors.shape[1]

    def pays(self, k: int) -> bool:
        """Whether few pairs are left to compare exactly, by a few blocks."""
        n = len(self._vectors)
        if not self.is_short or n <= 2 * BESIDE or k >= BESIDE:
            return False
        starts = range(0, n, max(_BLOCK, n // _TRIED))
        left = sum(len(self._candidates(np.arange(s, min(s + _BLOCK, n)), k)[0]) for s in starts)
        return left <= _MOST_LEFT * n * _BLOCK * len(starts)

    def nearest(self, rows: IntArray, k: int) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others; of equally near ones the lower."""
        distances = np.empty((len(rows), k))
        numbers = np.empty((len(rows), k), dtype=np.int64)
        by_place = np.argsort(self._place[rows], kind="stable")

        def fill(start: int) -> None:
            part = by_place[start : start + _BLOCK]
            distances[part], numbers[part] = self._block(rows[part], k)

        for done, _ in enumerate(in_threads(fill, range(0, len(rows), _BLOCK)), start=1):
            announce("finding neighbours", min(done * _BLOCK, len(rows)), len(rows))
        return distances, numbers

    def _block(self, rows: IntArray, k: int) -> tuple[FloatArray, IntArray]:
        query, place = self._candidates(self._place[rows], k)
        number = self._order[place]
        found = np.empty(len(query))
        for start in range(0, len(query), WIDTH):
            part = slice(start, start + WIDTH)
            apart = self._vectors[number[part]] - self._vectors[rows[query[part]]]
            found[part] = np.sqrt(np.einsum("ij,ij->i", apart, apart))
        found[number == rows[query]] = np.inf  # nobody is his own neighbour
        order = np.lexsort((number, found, query))
        firsts = np.searchsorted(query[order], np.arange(len(rows)))
        chosen = order[firsts[:, None] + np.arange(k)]
        return found[chosen], number[chosen]

    def _candidates(self, places: IntArray, k: int) -> tuple[IntArray, IntArray]:
        """Pairs of a query and a place in the order that may be among its k nearest."""
        limits = self._limits(places, k)
        queries = self._short[places]
        lengths = np.einsum("ij,ij->i", queries, queries)
        terms = queries.shape[1] + 2
        left = np.empty((len(places), terms), dtype=np.float32)
        left[:, :-2], left[:, -2], left[:, -1] = -2.0 * queries, 1.0, lengths - limits**2
        # A record within the limit is at most so long, which bounds the rounding errors.
        longest = (np.sqrt(lengths) + limits) ** 2
        doubt = _ROUNDING * terms * (longest + lengths + limits**2) + _LEAST
        border = doubt.astype(np.float32)[:, None]
        found = []
        for start in range(0, len(self._short), WIDTH):
            near = left @ self._right[:, start : start + WIDTH] <= border
            which = np.flatnonzero(near)
            query = which // near.shape[1]
            found.append((query, which - query * near.shape[1] + start))
        return np.concatenate([q for q, _ in found]), np.concatenate([p for _, p in found])

    def _limits(self, places: IntArray, k: int) -> FloatArray:
        """Radii within which there surely are k others, from records next in the order."""
        first, last = int(places.min()), int(places.max())
        if last - first > 4 * BESIDE:  # scattered queries have neighbours of their own
            return np.concatenate([self._limits(places[i : i + 1], k) for i in range(len(places))])
        n = len(self._centred)
        low = max(0, min(first - BESIDE, n - 2 * BESIDE))
        window = slice(low, max(last + BESIDE, low + 2 * BESIDE))
        lengths = self._lengths[places][:, None] + self._lengths[window]
        squared = lengths - 2.0 * self._centred[places] @ self._centred[window].T
        squared += 1e-13 * len(self._centred.T) * lengths
        # The query itself is in the window, so that one more is needed.
        kth = np.partition(squared, k, axis=1)[:, k]
        limits: FloatArray = np.sqrt(np.maximum(kth, 0.0)) * (1.0 + 1e-9) + self._blurred
        return limits

    @cached_property
    def _right(self) -> SingleArray:
        factor = np.empty((self._short.shape[1] + 2, len(self._short)), dtype=np.float32)
        factor[:-2] = self._short.T
        factor[-2] = np.einsum("ij,ij->i", self._short, self._short)
        factor[-1] = 1.0
        return factor

    @cached_property
    def _place(self) -> IntArray:
        """Where each record stands in the order."""
        place = np.empty(len(self._order), dtype=np.int64)
        place[self._order] = np.arange(len(self._order))
        return place
