"""Compiled loops of the search in boxes; import this module only where it is needed.

Coordinates of the boxes are in single precision, in units in which none exceeds 1. Whatever is
compared in them gets a margin for rounding, and what passes is measured in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.core.jit import jit
from rarefind.geometry.neighbours.box_order import PlaceArray, measure_and_sort, select_least
from rarefind.geometry.neighbours.tiles import SingleArray

BOX = 32
"""Records in a box: what a processor compares in four to eight steps at once."""

BLOCK = 8
"""Boxes whose records search together, so that what one of them loads serves all."""

GROUP = 32
"""Boxes that are ruled out together."""

_STEPS = 64
"""Boxes are looked into nearest first, in so many steps of their squared distance."""

_FAR = np.float32(3e38)
"""Farther than any record, but not as far as what fills up the last box."""


def margins(dimensions: int) -> tuple[float, float]:
    """Share of itself, and part of the unit, that a distance may be off in single precision.

    The share is a factor. Both are twice as large as they need to be.
    """
    return 1.0 + (dimensions + 8) * 2.0**-23, float(np.sqrt(dimensions) * 2.0**-22)


@cache
def nearest_loop(dimensions: int) -> Callable[..., None]:
    """Make the search for vectors of so many dimensions, known when it is compiled."""
    share, part = margins(dimensions)
    zero = np.float32(0.0)

    @jit
    def shorten(keys: SingleArray, places: PlaceArray, row: int, size: int, k: int) -> Any:
        """Keep what may be among the ``k`` nearest; tell how many, and the limit of all others."""
        select_least(keys, places, row, size, k - 1)
        farthest = np.sqrt(keys[row, k - 1]) * share + part
        limit = np.float32((farthest * share + part) ** 2 * (1.0 + 2.0**-22))
        kept = k
        for i in range(k, size):
            keys[row, kept] = keys[row, i]
            places[row, kept] = places[row, i]
            kept += keys[row, i] <= limit
        return kept, limit

    @jit
    def list_boxes(
        own: bool,
        group_of_block: int,
        middle: SingleArray,
        extent: SingleArray,
        limit: Any,
        centre: SingleArray,
        half: SingleArray,
        group_centre: SingleArray,
        group_half: SingleArray,
        listed: IntArray,
        key: SingleArray,
        in_order: IntArray,
    ) -> int:
        """List the boxes of the own group, or of all others, that a block may reach."""
        many, farthest = 0, zero
        for group in range(len(group_centre)):
            if (group == group_of_block) != own:
                continue
            total = zero
            for j in range(dimensions):
                t = abs(middle[j] - group_centre[group, j]) - extent[j] - group_half[group, j]
                t = t if t > zero else zero
                total += t * t
            if total > limit:
                continue
            for box in range(group * GROUP, min(group * GROUP + GROUP, len(centre))):
                total, from_middle = zero, zero
                for j in range(dimensions):
                    t = abs(middle[j] - centre[box, j]) - half[box, j]
                    u = t - extent[j]
                    t = t if t > zero else zero
                    u = u if u > zero else zero
                    from_middle += t * t
                    total += u * u
                if total <= limit:
                    listed[many], key[many] = box, from_middle
                    farthest = max(farthest, from_middle)
                    many += 1
        # The nearest first, so that radii shrink soon.
        scale = _STEPS / farthest if farthest > zero else zero
        up_to = np.zeros(_STEPS + 1, dtype=np.int64)
        for i in range(many):
            up_to[min(int(key[i] * scale), _STEPS - 1) + 1] += 1
        for i in range(_STEPS):
            up_to[i + 1] += up_to[i]
        for i in range(many):
            step = min(int(key[i] * scale), _STEPS - 1)
            in_order[up_to[step]] = listed[i]
            up_to[step] += 1
        return many

    @jit
    def nearest(
        first_block: int,
        last_block: int,
        k: int,
        points: SingleArray,
        centre: SingleArray,
        half: SingleArray,
        group_centre: SingleArray,
        group_half: SingleArray,
        vectors: FloatArray,
        numbers: IntArray,
        asked: IntArray,
        starts: IntArray,
        rows: IntArray,
        distances_out: FloatArray,
        numbers_out: IntArray,
        solved: BoolArray,
    ) -> None:
        """Find the ``k`` nearest of the records asked about in these blocks of boxes.

        Those of a box are ``asked[starts[box]:starts[box + 1]]``; what is found goes to ``rows``.
        Where too many are about equally near to be told apart in single precision, it says that
        the row is not solved.
        """
        wanted = k + 1  # each finds itself, too
        full = 3 * wanted
        query = np.zeros((BLOCK, dimensions, BOX), dtype=np.float32)
        queries = np.zeros(BLOCK, dtype=np.int64)
        limit = np.empty((BLOCK, BOX), dtype=np.float32)
        widest = np.empty(BLOCK, dtype=np.float32)
        # What is found by each so far: squared distances, places, how many.
        keys = np.empty((BLOCK * BOX, full + BOX), dtype=np.float32)
        places = np.empty((BLOCK * BOX, full + BOX), dtype=np.int32)
        size = np.empty(BLOCK * BOX, dtype=np.int64)
        box_centre = np.zeros((dimensions, BLOCK), dtype=np.float32)
        box_half = np.zeros((dimensions, BLOCK), dtype=np.float32)
        middle, extent = np.empty(dimensions, np.float32), np.empty(dimensions, np.float32)
        gap = np.empty(BLOCK, dtype=np.float32)
        away, square = np.empty(BOX, dtype=np.float32), np.empty(BOX, dtype=np.float32)
        listed, in_order = np.empty(len(points), np.int64), np.empty(len(points), np.int64)
        key = np.empty(len(points), dtype=np.float32)
        distances, found = np.empty(full + BOX), np.empty(full + BOX, dtype=np.int64)
        for block in range(first_block, last_block):
            first, last = block * BLOCK, min(block * BLOCK + BLOCK, len(points))
            if starts[first] == starts[last]:
                continue
            for b in range(BLOCK):
                queries[b], widest[b] = 0, -1.0
            for b in range(last - first):
                box = first + b
                queries[b] = starts[box + 1] - starts[box]
                widest[b] = _FAR if queries[b] else np.float32(-1.0)
                for q in range(queries[b]):
                    limit[b, q], size[b * BOX + q] = _FAR, 0
                    for j in range(dimensions):
                        query[b, j, q] = points[box, j, asked[starts[box] + q] - box * BOX]
                for j in range(dimensions):
                    box_centre[j, b], box_half[j, b] = centre[box, j], half[box, j]
            for j in range(dimensions):
                low = high = centre[first, j]
                for box in range(first, last):
                    low = min(low, centre[box, j] - half[box, j])
                    high = max(high, centre[box, j] + half[box, j])
                middle[j], extent[j] = (low + high) / 2, (high - low) / 2 + np.float32(2.0**-22)
            for turn in range(2):  # the own group first, for a first radius
                highest = zero
                for b in range(BLOCK):
                    highest = max(highest, widest[b])
                many = list_boxes(
                    turn == 0,
                    first // GROUP,
                    middle,
                    extent,
                    highest,
                    centre,
                    half,
                    group_centre,
                    group_half,
                    listed,
                    key,
                    in_order,
                )
                for step in range(many):
                    box = in_order[step]
                    for b in range(BLOCK):
                        total = zero
                        for j in range(dimensions):
                            t = abs(box_centre[j, b] - centre[box, j])
                            t = t - box_half[j, b] - half[box, j]
                            t = t if t > zero else zero
                            total += t * t
                        gap[b] = total
                    for b in range(BLOCK):
                        if gap[b] > widest[b]:
                            continue
                        for q in range(BOX):
                            total = zero
                            for j in range(dimensions):
                                t = abs(query[b, j, q] - centre[box, j]) - half[box, j]
                                t = t if t > zero else zero
                                total += t * t
                            away[q] = total
                        for q in range(queries[b]):
                            bound = limit[b, q]
                            if away[q] > bound:
                                continue
                            for i in range(BOX):
                                total = zero
                                for j in range(dimensions):
                                    t = query[b, j, q] - points[box, j, i]
                                    total += t * t
                                square[i] = total
                            hits = 0
                            for i in range(BOX):
                                hits += square[i] <= bound
                            if hits == 0:
                                continue
                            row = b * BOX + q
                            kept = size[row]
                            for i in range(BOX):
                                keys[row, kept] = square[i]
                                places[row, kept] = box * BOX + i
                                kept += square[i] <= bound
                            if kept > full:
                                kept, bound = shorten(keys, places, row, kept, wanted)
                                limit[b, q] = bound if kept <= full else np.float32(-1.0)
                                highest = zero
                                for other in range(queries[b]):
                                    highest = max(highest, limit[b, other])
                                widest[b] = highest
                            size[row] = kept
            for b in range(BLOCK):
                for q in range(queries[b]):
                    row, me = b * BOX + q, starts[first + b] + q
                    out = rows[me]
                    solved[out] = limit[b, q] > zero
                    if solved[out]:
                        kept, bound = shorten(keys, places, row, size[row], wanted)
                        measure_and_sort(
                            vectors, numbers, asked[me], places, row, kept, distances, found
                        )
                        for i in range(k):
                            distances_out[out, i], numbers_out[out, i] = distances[i], found[i]

    return nearest
