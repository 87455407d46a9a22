"""The compiled loop that counts in boxes; import this module only where it is needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.jit import jit
from rarefind.geometry.neighbours.box_loops import BOX, GROUP
from rarefind.geometry.neighbours.box_order import distance_between
from rarefind.geometry.neighbours.tiles import SingleArray


@cache
def count_loop(dimensions: int) -> Callable[..., None]:
    """Make the count for vectors of so many dimensions, known when it is compiled."""
    zero = np.float32(0.0)

    @jit
    def bound(
        query: SingleArray,
        centre: SingleArray,
        half: SingleArray,
        box: int,
        nearest: SingleArray,
        farthest: SingleArray,
    ) -> None:
        """Squares of the distances from each query that no record in a box is below or above."""
        for q in range(BOX):
            below, above = zero, zero
            for j in range(dimensions):
                t = abs(query[j, q] - centre[box, j])
                u = t - half[box, j]
                t = t + half[box, j]
                u = u if u > zero else zero
                below += u * u
                above += t * t
            nearest[q], farthest[q] = below, above

    @jit
    def counts(
        start: int,
        end: int,
        points: SingleArray,
        centre: SingleArray,
        half: SingleArray,
        group_centre: SingleArray,
        group_half: SingleArray,
        vectors: FloatArray,
        weights: IntArray,
        box_weights: IntArray,
        group_weights: IntArray,
        asked: IntArray,
        limits: FloatArray,
        surely: SingleArray,
        perhaps: SingleArray,
        found: IntArray,
    ) -> None:
        """Weigh the records within its limit of each query from ``start`` to ``end``, at most 32.

        By squares in single precision, those up to ``surely`` are inside, and those beyond
        ``perhaps`` outside.
        """
        query = np.zeros((dimensions, BOX), dtype=np.float32)
        nearest, farthest = np.empty(BOX, dtype=np.float32), np.empty(BOX, dtype=np.float32)
        square = np.empty(BOX, dtype=np.float32)
        cut = np.empty(BOX, dtype=np.bool_)
        for q in range(end - start):
            box = asked[start + q] // BOX
            found[start + q] = 0
            for j in range(dimensions):
                query[j, q] = points[box, j, asked[start + q] - box * BOX]
        for group in range(len(group_centre)):
            bound(query, group_centre, group_half, group, nearest, farthest)
            cuts = False
            for q in range(end - start):
                cut[q] = False
                if farthest[q] <= surely[start + q]:
                    found[start + q] += group_weights[group]
                elif nearest[q] <= perhaps[start + q]:
                    cut[q] = cuts = True
            if not cuts:
                continue
            for box in range(group * GROUP, min(group * GROUP + GROUP, len(points))):
                bound(query, centre, half, box, nearest, farthest)
                for q in range(end - start):
                    me = start + q
                    if not cut[q] or nearest[q] > perhaps[me]:
                        continue
                    if farthest[q] <= surely[me]:
                        found[me] += box_weights[box]
                        continue
                    for i in range(BOX):
                        total = zero
                        for j in range(dimensions):
                            t = query[j, q] - points[box, j, i]
                            total += t * t
                        square[i] = total
                    inside, unsure = 0, 0
                    for i in range(BOX):
                        inside += weights[box * BOX + i] if square[i] <= surely[me] else 0
                        unsure += (square[i] > surely[me]) & (square[i] <= perhaps[me])
                    if unsure > 0:
                        for i in range(BOX):
                            if square[i] > surely[me] and square[i] <= perhaps[me]:
                                place = box * BOX + i
                                if distance_between(vectors, asked[me], place) <= limits[me]:
                                    inside += weights[place]
                    found[me] += inside

    return counts
