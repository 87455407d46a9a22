"""Gram matrices from a compiled loop over pairs, tile by tile on two threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import announce
from rarefind.core.threads import in_threads
from rarefind.kernels.strings.letters import Strings

TILE = 64
"""Strings on each side of a tile: enough work for a call, enough tiles for a progress bar."""

THREADS = 2
"""The loops let go of the interpreter's lock; two leave processors for others. A choice."""

PairValues = Callable[[IntArray, IntArray], FloatArray]
"""Values for pairs of strings, given the position of the one and of the other."""


def gram_of_pairs(values: PairValues, n: int, m: int | None) -> FloatArray:
    """Values of all pairs of the first ``n`` strings with the ``m`` after them, or each other."""
    gram = np.empty((n, n if m is None else m))
    tiles = list(_tiles(n, m))

    def fill(tile: tuple[range, range]) -> None:
        rows, columns = tile
        left = np.repeat(np.array(rows), len(columns))
        right = np.tile(np.array(columns), len(rows))
        if m is None:
            upper = left <= right
            left, right = left[upper], right[upper]
        gram[left, right] = values(left, right if m is None else right + n)
        if m is None:
            gram[right, left] = gram[left, right]

    for done, _ in enumerate(in_threads(fill, tiles, THREADS), start=1):
        announce("similarities", done, len(tiles))
    return gram


def _tiles(n: int, m: int | None) -> Iterator[tuple[range, range]]:
    width = n if m is None else m
    for top in range(0, n, TILE):
        for start in range(top if m is None else 0, width, TILE):
            yield range(top, min(top + TILE, n)), range(start, min(start + TILE, width))


def weighted_windows(strings: Strings, length: int, weights: FloatArray) -> PairValues:
    """Return the function that sums ``weights[d]`` over pairs of windows with d differences."""
    from rarefind.kernels.strings.loops import compared_windows

    def values(left: IntArray, right: IntArray) -> FloatArray:
        return compared_windows(strings.codes, strings.starts, left, right, length, weights)

    return values


def weighted_subsequences(
    strings: Strings, length: int, decays: FloatArray, similarity: FloatArray | None = None
) -> PairValues:
    """Return the function that weighs common subsequences by what they stretch over.

    ``decays`` has a weight for every letter of every string; ``similarity`` of the alphabet's
    letters takes the place of their being equal.
    """
    from rarefind.kernels.strings.loops import gap_weighted

    soft = similarity is not None
    matrix = np.zeros((1, 1)) if similarity is None else similarity

    def values(left: IntArray, right: IntArray) -> FloatArray:
        return gap_weighted(
            strings.codes, strings.starts, left, right, length, decays, matrix, soft
        )

    return values
