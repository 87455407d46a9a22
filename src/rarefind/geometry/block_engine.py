"""Answers from blocks of the distance matrix: for many dimensions, and for any kernel."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.progress import report
from rarefind.geometry.engine import Engine, reach
from rarefind.geometry.measures import Measure, row_blocks


class BlockEngine(Engine):
    """Computes distances block by block and never holds the whole matrix."""

    def __init__(self, measure: Measure, records: Records, weights: IntArray | None = None) -> None:
        super().__init__(count(records), weights)
        self.measure = measure
        self.records = records

    def distances(self, point: int) -> FloatArray:
        """Distances of one record from all."""
        found = self.measure(take(self.records, slice(point, point + 1)), self.records)[0]
        found[point] = 0.0
        return found

    def counts(self, radius: float | FloatArray, points: IntArray | None = None) -> IntArray:
        """Tell how many records lie within ``radius`` of each of these (of all)."""
        rows = np.arange(self.n) if points is None else points
        limits = np.broadcast_to(reach(radius), len(rows))
        found = np.empty(len(rows), dtype=np.int64)
        for part in row_blocks(len(rows), self.n):
            block = self._block(rows[part])
            found[part] = (block <= limits[part, None]) @ self.weights
            report("counting neighbours", part.stop, len(rows))
        return found

    def nearest(self, k: int, points: IntArray | None = None) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others of each of these records (of all)."""
        k = min(k, self.n - 1)
        rows = np.arange(self.n) if points is None else points
        distances = np.empty((len(rows), k))
        numbers = np.empty((len(rows), k), dtype=np.int64)
        for part in row_blocks(len(rows), self.n):
            block = self._block(rows[part])
            block[np.arange(len(block)), rows[part]] = np.inf
            near = np.argpartition(block, k - 1, axis=1)[:, :k] if k else numbers[part]
            order = np.lexsort((near, np.take_along_axis(block, near, axis=1)), axis=1)
            numbers[part] = np.take_along_axis(near, order, axis=1)
            distances[part] = np.take_along_axis(block, numbers[part], axis=1)
            report("finding neighbours", part.stop, len(rows))
        return distances, numbers

    def subset(self, points: IntArray) -> BlockEngine:
        """Return an engine that knows only these records."""
        return BlockEngine(self.measure, take(self.records, points), self.weights[points])

    def _block(self, rows: IntArray) -> FloatArray:
        block = self.measure(take(self.records, rows), self.records)
        block[np.arange(len(rows)), rows] = 0.0
        return block
