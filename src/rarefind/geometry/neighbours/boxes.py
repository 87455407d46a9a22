"""The nearest of very many vectors with some dimensions, and how many are near, by compiled loops.

In nine dimensions a ball around a record touches hundreds of boxes even if it holds few records, so
the search must be good at ruling out. Records are ordered so that 32 consecutive ones fill a small
box. What searches together stands together, too: a box that is loaded serves all of a block, and 32
records are compared at once, in single precision. Only what may be among the nearest after that is
measured in double precision, so that the answers are exact.
"""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind.core.progress import announce
from rarefind.core.threads import in_threads
from rarefind.geometry.neighbours.box_loops import BLOCK, BOX, GROUP, margins, nearest_loop
from rarefind.geometry.neighbours.count_loops import count_loop
from rarefind.geometry.neighbours.tiles import SingleArray

_TURN = 32
"""Blocks a thread takes at a time."""

_GROUPS = 256
"""Groups cut into boxes at a time."""

_HALF = np.float32(0.5)
"""In single precision, or numpy would compute in double."""

_PAD = np.float32(2.0**-22)
"""Boxes are so much wider than what is in them as rounding may hide, in their unit."""


class BoxSearch:
    """Vectors in boxes, ready to find the nearest of each, and to count those near.

    Parameters
    ----------
    vectors
        The records.
    weights
        How many records each of them stands for.
    """

    def __init__(self, vectors: FloatArray, weights: IntArray) -> None:
        n, dimensions = vectors.shape
        self._numbers = in_boxes(vectors)
        self._vectors = vectors[self._numbers]
        self._place = np.empty(n, dtype=np.int64)
        self._place[self._numbers] = np.arange(n)
        low, high = vectors.min(axis=0), vectors.max(axis=0)
        # In units of the largest, no square is too large or too small for single precision.
        self._unit = unit = float((high / 2 - low / 2).max()) or 1.0
        boxes = -(-n // BOX)
        points = np.full((boxes * BOX, dimensions), np.inf, dtype=np.float32)
        points[:n] = (self._vectors - (low / 2 + high / 2)) / unit
        starts = np.arange(0, n, BOX)
        lowest = np.minimum.reduceat(points[:n], starts)
        highest = np.maximum.reduceat(points[:n], starts)
        self._boxes = _centred(lowest, highest)
        groups = np.arange(0, boxes, GROUP)
        self._groups = _centred(
            np.minimum.reduceat(lowest, groups), np.maximum.reduceat(highest, groups)
        )
        self._points = np.ascontiguousarray(
            points.reshape(boxes, BOX, dimensions).transpose(0, 2, 1)
        )
        of_points = np.zeros(boxes * BOX, dtype=np.int64)
        of_points[:n] = weights[self._numbers]
        of_boxes = np.add.reduceat(of_points, starts)
        self._weights = of_points, of_boxes, np.add.reduceat(of_boxes, groups)

    def nearest(self, rows: IntArray, k: int) -> tuple[FloatArray, IntArray, BoolArray]:
        """Distances and numbers of the ``k`` nearest others; of equally near ones the lower.

        There must be more than ``k`` records. Also tells which rows are solved: those are not
        whose nearest are too many that are equally near.
        """
        distances = np.empty((len(rows), k))
        numbers = np.empty((len(rows), k), dtype=np.int64)
        places = self._place[rows]
        order = np.argsort(places, kind="stable")
        asked = places[order]
        boxes = len(self._points)
        starts = np.searchsorted(asked, BOX * np.arange(boxes + 1))
        solved = np.zeros(len(rows), dtype=bool)
        loop = nearest_loop(self._vectors.shape[1])

        def fill(block: int) -> int:
            loop(
                block,
                min(block + _TURN, blocks),
                k,
                self._points,
                *self._boxes,
                *self._groups,
                self._vectors,
                self._numbers,
                asked,
                starts,
                order,
                distances,
                numbers,
                solved,
            )
            return int(starts[min((block + _TURN) * BLOCK, boxes)])

        blocks = -(-boxes // BLOCK)
        for done in in_threads(fill, range(0, blocks, _TURN)):
            announce("finding neighbours", done, len(rows))
        return distances, numbers, solved

    def counts(self, rows: IntArray, limits: FloatArray) -> IntArray:
        """Tell how much weight lies within its limit of each of these records."""
        places = self._place[rows]
        order = np.argsort(places, kind="stable")
        asked, limits = places[order], limits[order]
        share, part = margins(self._vectors.shape[1])
        # No two records are farther apart than this, and its square is no problem.
        radii = np.minimum(limits / self._unit, 4.0 * self._vectors.shape[1])
        least = (radii - part) / share
        most = (radii * share + part) ** 2 * (1.0 + 2.0**-22)
        surely = (np.sign(least) * least**2 * (1.0 - 2.0**-22)).astype(np.float32)
        perhaps = most.astype(np.float32)
        in_order = np.empty(len(rows), dtype=np.int64)
        loop = count_loop(self._vectors.shape[1])

        def fill(start: int) -> None:
            loop(
                start,
                min(start + BOX, len(rows)),
                self._points,
                *self._boxes,
                *self._groups,
                self._vectors,
                *self._weights,
                asked,
                limits,
                surely,
                perhaps,
                in_order,
            )

        for done, _ in enumerate(in_threads(fill, range(0, len(rows), BOX)), start=1):
            announce("counting neighbours", min(done * BOX, len(rows)), len(rows))
        found = np.empty(len(rows), dtype=np.int64)
        found[order] = in_order
        return found


def in_boxes(vectors: FloatArray) -> IntArray:
    """Order records so that those of a box, and of a group of boxes, are near each other.

    They are halved where they spread most, again and again. All boxes but the last are full.
    """
    order = np.arange(len(vectors))
    size = BOX * GROUP
    parts = [(0, len(vectors))]
    while parts:
        start, end = parts.pop()
        if end - start <= BOX or end - start == size:
            continue
        unit = size if end - start > size else BOX
        middle = (-(-(end - start) // unit) + 1) // 2 * unit
        rows = order[start:end]
        side = np.argmax(np.ptp(vectors[rows], axis=0))
        order[start:end] = rows[np.argpartition(vectors[rows, side], middle - 1)]
        parts += [(start, start + middle), (start + middle, end)]
    # Whole groups are all of one size, and cut together.
    for start in range(0, len(vectors) // size, _GROUPS):
        end = min(start + _GROUPS, len(vectors) // size)
        rows = order[start * size : end * size].reshape(-1, size)
        while (half := rows.shape[1] // 2) >= BOX:
            side = np.argmax(np.ptp(vectors[rows], axis=1), axis=1)
            lower_first = np.argpartition(vectors[rows, side[:, None]], half - 1, axis=1)
            rows = np.take_along_axis(rows, lower_first, axis=1).reshape(-1, half)
        order[start * size : end * size] = rows.ravel()
    return order


def _centred(low: SingleArray, high: SingleArray) -> tuple[SingleArray, SingleArray]:
    """Middles of boxes, and half their widths."""
    return (low + high) * _HALF, (high - low) * _HALF + _PAD
