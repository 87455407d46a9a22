"""Answers from blocks of the distance matrix: for many dimensions, and for any kernel."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.spatial.distance import cdist

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.progress import announce
from rarefind.geometry import thresholds
from rarefind.geometry.engines.contract import Engine, reach
from rarefind.geometry.fingerprint import NoFingerprintError, fingerprint
from rarefind.geometry.kept_answers import kept
from rarefind.geometry.kept_distances import KeptDistances
from rarefind.geometry.measures import Euclidean, Measure, row_blocks
from rarefind.geometry.neighbours.nearest import nearest
from rarefind.geometry.neighbours.projected import ProjectedSearch
from rarefind.geometry.neighbours.tiles import Tiles

CHUNK = 5_000
"""Records per step, so that progress can be told; with fewer a search of their own does not pay."""


class BlockEngine(Engine):
    """Computes distances block by block and never holds the whole matrix."""

    def __init__(self, measure: Measure, records: Records, weights: IntArray | None = None) -> None:
        super().__init__(count(records), weights)
        self.measure = measure
        self.records = records
        plain = isinstance(measure, Euclidean) and isinstance(records, np.ndarray)
        self._vectors: FloatArray | None = records if plain else None

    @cached_property
    def fingerprint(self) -> str:
        """What all answers follow from; none where all distances are kept already."""
        if isinstance(self.measure, KeptDistances):
            raise NoFingerprintError("Kept distances answer by themselves.")
        return fingerprint(self.measure.fingerprint, self.records, self.weights)

    def distances(self, point: int) -> FloatArray:
        """Distances of one record from all."""
        if self._vectors is not None:
            return cdist(self._vectors[point : point + 1], self._vectors)[0]
        found = self.measure(take(self.records, slice(point, point + 1)), self.records)[0]
        found[point] = 0.0
        return found

    def distances_to(self, point: int, others: IntArray) -> FloatArray:
        """Distances of one record from some others."""
        if self._vectors is None:
            return super().distances_to(point, others)
        return cdist(self._vectors[point : point + 1], self._vectors[others])[0]

    @kept
    def counts(self, radius: float | FloatArray, points: IntArray | None = None) -> IntArray:
        """Tell how many records lie within ``radius`` of each of these (of all)."""
        rows = np.arange(self.n) if points is None else points
        limits = np.broadcast_to(reach(radius), len(rows))
        found = np.empty(len(rows), dtype=np.int64)
        if self._vectors is not None:
            for start in range(0, len(rows), CHUNK):
                part = slice(start, min(start + CHUNK, len(rows)))
                found[part] = self._tiles.counts(self._vectors[rows[part]], limits[part])
                announce("counting neighbours", part.stop, len(rows))
            return found
        alone = bool((self.weights == 1).all())
        for part in row_blocks(len(rows), self.n):
            within = self._block(rows[part]) <= limits[part, None]
            # Counting takes a fifth of the time of adding up weights.
            found[part] = np.count_nonzero(within, axis=1) if alone else within @ self.weights
            announce("counting neighbours", part.stop, len(rows))
        return found

    @kept
    def nearest(self, k: int, points: IntArray | None = None) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others of each of these records (of all)."""
        k = min(k, self.n - 1)
        rows = np.arange(self.n) if points is None else points
        # A few blocks are tried to see whether the search pays: for a few rows that does not.
        if self._vectors is not None and len(rows) > CHUNK:
            search = self._search
            if search is not None and search.pays(k):
                return search.nearest(rows, k)
        found, near = nearest(take(self.records, rows), self.records, k + 1, self.measure)
        # Each finds itself among its neighbours, unless rounding put k + 1 others before it.
        others = near != rows[:, None]
        others[others.all(axis=1), -1] = False
        return found[others].reshape(-1, k), near[others].reshape(-1, k)

    @cached_property
    def _tiles(self) -> Tiles:
        assert self._vectors is not None
        return Tiles(self._vectors, self.weights, np.arange(self.n))

    @cached_property
    def _search(self) -> ProjectedSearch | None:
        assert self._vectors is not None
        large = (
            self.n >= thresholds.PROJECTED_ROWS
            and self._vectors.shape[1] >= thresholds.PROJECTED_COLUMNS
        )
        return ProjectedSearch(self._vectors) if large else None

    def subset(self, points: IntArray) -> BlockEngine:
        """Return an engine that knows only these records."""
        return BlockEngine(self.measure, take(self.records, points), self.weights[points])

    def _block(self, rows: IntArray) -> FloatArray:
        if self._vectors is not None:
            return cdist(self._vectors[rows], self._vectors)
        block = self.measure(take(self.records, rows), self.records)
        block[np.arange(len(rows)), rows] = 0.0
        return block
