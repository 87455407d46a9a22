"""The questions of discovery, answered by the workers of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from scipy.spatial.distance import cdist

from rarefind.cluster.connection import Cluster, Task
from rarefind.cluster.journal import task_key
from rarefind.cluster.partitions import Part, gap, write_array
from rarefind.cluster.tasks import counts_within, distances_from, nearest_of
from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import DataError
from rarefind.geometry import Engine, TreeEngine, reach
from rarefind.geometry.tree_engine import densest_drawn

_TOGETHER = 8
"""Partitions that one task counts in."""

_LOCAL_BYTES = 2**28
"""A part of the records that takes no more than this is looked at by this process itself."""

_MAPPED_BYTES = 2**31
"""Up to this size this process measures the distances of one record from all by itself, in the
files of the partitions: the system keeps them in memory, and nothing has to travel."""

_WORTH_KEEPING = 1000
"""Answers about more points than this are kept in the journal."""

_Share: TypeAlias = tuple[Part, IntArray | slice, IntArray | None]
"""A partition, where its points stand among those asked about, and their numbers within it."""


class ClusterEngine(Engine):
    """Euclidean distances among vectors that lie in partitions.

    Its answers are those of :class:`rarefind.geometry.TreeEngine` for the same records.

    Parameters
    ----------
    cluster
        Who works.
    parts
        The partitions, in the order of their points.
    weights
        How many records each point stands for.
    """

    def __init__(self, cluster: Cluster, parts: Sequence[Part], weights: IntArray) -> None:
        super().__init__(len(weights), weights)
        self.cluster = cluster
        self.parts = tuple(parts)
        self._first = np.array([part.first for part in parts])

    def distances(self, point: int) -> FloatArray:
        """Distances of one record from all."""
        vector = self.coordinates(np.array([point]))[0]
        if self._bytes() <= _MAPPED_BYTES:
            return np.concatenate([cdist(vector[None], _mapped(part))[0] for part in self.parts])
        tasks = [Task(distances_from, (part, vector), part.what) for part in self.parts]
        found = self.cluster.run("measuring distances", tasks, keep=False)
        return np.concatenate([result["distances"] for result in found])

    def distance(self, point: int, other: int) -> float:
        """Distance of two records."""
        first, second = self.coordinates(np.array([point, other]))
        return float(cdist(first[None], second[None])[0, 0])

    def coordinates(self, points: IntArray) -> FloatArray:
        """Vectors of these records, from the files of their partitions."""
        vectors = np.empty((len(points), len(self.parts[0].low)))
        for part, where, local in self._by_part(points):
            vectors[where] = _mapped(part)[local]
        return vectors

    def _bytes(self) -> int:
        return 8 * self.n * len(self.parts[0].low)

    def counts(self, radius: float | FloatArray, points: IntArray | None = None) -> IntArray:
        """Tell how many records lie within ``radius`` of each of these (of all)."""
        return self._counted(radius, points, exact=True)

    def counts_bound(self, radius: float, points: IntArray) -> IntArray:
        """Return numbers that the counts within ``radius`` of these records do not exceed."""
        return self._counted(radius, points, exact=False)

    def nearest(self, k: int, points: IntArray | None = None) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others of each of these records (of all)."""
        k = min(k, self.n - 1)
        size = self.n if points is None else len(points)
        distances, numbers = np.empty((size, k)), np.empty((size, k), dtype=np.int64)
        tasks, places = [], []
        for part, where, local in self._by_part(points):
            parts = self._nearest_first(part)
            tasks.append(Task(nearest_of, (parts, 0, local, k), part.what))
            places.append(where)
        keep = size > _WORTH_KEEPING
        found = self.cluster.run("finding neighbours", tasks, keep=keep)
        for where, result in zip(places, found, strict=True):
            distances[where], numbers[where] = result["distances"], result["numbers"]
        return distances, numbers

    def subset(self, points: IntArray) -> Engine:
        """Return an engine that knows only these records, given in rising order."""
        if 8 * len(points) * len(self.parts[0].low) <= _LOCAL_BYTES:
            return TreeEngine(self.coordinates(points), self.weights[points])
        parts, first = [], 0
        for part, _, local in self._by_part(points):
            assert local is not None
            rows = local
            if part.kept:
                with np.load(part.kept, allow_pickle=False) as file:
                    rows = file["rows"][local]
            weights = self.weights[part.first + local]
            kept = self.cluster.folder / f"kept-{task_key(part.vectors, [rows, weights])}.npz"
            write_array(kept, {"rows": rows, "weights": weights})
            parts.append(Part(part.vectors, str(kept), first, len(rows), part.low, part.high))
            first += len(rows)
        return ClusterEngine(self.cluster, parts, self.weights[points])

    def dense_sample(self, k: int, candidates: IntArray, size: int) -> IntArray:
        """Guess which records have their k-th neighbour close by, from a thinned copy."""
        return densest_drawn(self.coordinates, k, candidates, size)

    def _counted(
        self, radius: float | FloatArray, points: IntArray | None, *, exact: bool
    ) -> IntArray:
        size = self.n if points is None else len(points)
        limits = np.broadcast_to(np.asarray(reach(radius), dtype=np.float64), size)
        tasks, places = [], []
        for part, where, local in self._by_part(points):
            own = np.asarray(limits[where] if np.ndim(radius) else limits[:1])
            low, high, widest = np.array(part.low), np.array(part.high), own.max(initial=0.0)
            near = [other for other in self.parts if gap(low, high, other) <= widest * (1 + 1e-9)]
            for start in range(0, len(near), _TOGETHER):
                some = tuple(near[start : start + _TOGETHER])
                tasks.append(Task(counts_within, (some, part, local, own, exact), part.what))
                places.append(where)
        found = np.zeros(size, dtype=np.int64)
        keep = size > _WORTH_KEEPING
        results = self.cluster.run("counting neighbours", tasks, keep=keep)
        for where, result in zip(places, results, strict=True):
            found[where] += result["counts"]
        return found

    def _by_part(self, points: IntArray | None) -> list[_Share]:
        """Split points (all) by partition: where they stand, and their numbers within it."""
        if points is None:
            return [(part, slice(part.first, part.first + part.n), None) for part in self.parts]
        home = np.searchsorted(self._first, points, side="right") - 1
        split: list[_Share] = []
        for place in np.unique(home):
            where = np.flatnonzero(home == place)
            part = self.parts[place]
            split.append((part, where, points[where] - part.first))
        return split

    def _nearest_first(self, own: Part) -> tuple[Part, ...]:
        """Order the partitions by how far their boxes are from that of one, itself first."""
        low, high = np.array(own.low), np.array(own.high)
        return tuple(
            sorted(self.parts, key=lambda part: (part != own, gap(low, high, part), part.first))
        )


def _mapped(part: Part) -> FloatArray:
    """Return the points of a partition without reading what is not looked at."""
    try:
        return _file(part.vectors, part.kept)
    except (OSError, ValueError) as problem:
        words = " ".join(str(problem).split())[:200]
        raise DataError(f"The vectors of {part.what} cannot be read: {words}.") from None


@lru_cache(maxsize=4096)
def _file(vectors: str, kept: str) -> FloatArray:
    matrix: FloatArray = np.load(vectors, mmap_mode="r", allow_pickle=False)
    if not kept:
        return matrix
    with np.load(kept, allow_pickle=False) as file:
        return np.asarray(matrix[file["rows"]])
