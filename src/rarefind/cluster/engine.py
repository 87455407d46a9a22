"""The questions of discovery, answered by the workers of a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from rarefind.cluster.connection import Cluster
from rarefind.cluster.geometry_tasks import (
    Chosen,
    added,
    counts_within,
    distances_from,
    nearest_of,
)
from rarefind.cluster.journal import Result, task_key
from rarefind.cluster.points import COPIED_ROWS, PointsPart, cut, map_points, whole, write_points
from rarefind.cluster.tasks import Task, together
from rarefind.core.arrays import FloatArray, IntArray
from rarefind.geometry import BlockEngine, Engine, Euclidean, TreeEngine, reach
from rarefind.geometry.engines.choice import suits_tree
from rarefind.geometry.engines.tree import densest_drawn
from rarefind.geometry.neighbours.tree_order import nearest_in_order

SLICE = 2**13
"""Points that one task asks about."""

_TOGETHER = 4
"""Parts that one task counts in."""

_FEW = 64
"""Neighbours of up to this many points are found by this process, in the file of the points."""

LOCAL_BYTES = 2**28
"""A part of the records that takes no more than this is looked at by this process itself."""

MAPPED_BYTES = 2**31
"""Up to this size this process measures the distances of one record from all by itself, in the
file of the points: the system keeps it in memory, and nothing has to travel."""

_WORTH_KEEPING = 1000
"""Answers about more points than this are kept in the journal."""

_Asked: TypeAlias = tuple[PointsPart, Chosen, IntArray | None]
"""A part, its points that one task asks about, and where they stand among those given."""


class ClusterEngine(Engine):
    """Euclidean distances among vectors in a file that all machines see.

    Its answers are those of the engine that one machine chooses for the same records.

    Parameters
    ----------
    cluster
        Who works.
    file
        The points, as written by :func:`rarefind.cluster.points.write_points`.
    by_tree
        Whether trees or blocks of distances answer; None for what one machine would choose.

    Attributes
    ----------
    vectors
        All points, in the file.
    pairs, looked
        How many times a part could have been looked into for points of another, and how many times
        that was needed.
    """

    def __init__(self, cluster: Cluster, file: Path, by_tree: bool | None = None) -> None:
        self.vectors, weights = map_points(str(file))
        super().__init__(len(weights), np.array(weights))
        self.cluster = cluster
        self._file = file
        self._by_tree = suits_tree(self.vectors) if by_tree is None else by_tree
        self.parts = cut(file, self._by_tree)
        self._first = np.array([part.first for part in self.parts])
        self._here = BlockEngine(Euclidean(), self.vectors, self.weights)
        self.pairs = self.looked = 0

    def distances(self, point: int) -> FloatArray:
        """Distances of one record from all."""
        if self.vectors.nbytes <= MAPPED_BYTES:
            return cdist(self.vectors[point : point + 1], self.vectors)[0]
        vector = np.array(self.vectors[point])
        tasks = [Task(distances_from, (part, vector), part.what) for part in self.parts]
        found = self.cluster.run("measuring distances", tasks, keep=False)
        return np.concatenate([result["distances"] for result in found])

    def distances_to(self, point: int, others: IntArray) -> FloatArray:
        """Distances of one record from some others."""
        return cdist(self.vectors[point : point + 1], self.vectors[others])[0]

    def distance(self, point: int, other: int) -> float:
        """Distance of two records."""
        return float(cdist(self.vectors[[point]], self.vectors[[other]])[0, 0])

    def coordinates(self, points: IntArray) -> FloatArray:
        """Vectors of these records."""
        return self.vectors[points]

    def counts(self, radius: float | FloatArray, points: IntArray | None = None) -> IntArray:
        """Tell how many records lie within ``radius`` of each of these (of all)."""
        return self._counted(radius, points, exact=True)

    def counts_bound(self, radius: float, points: IntArray) -> IntArray:
        """Return numbers that the counts within ``radius`` of these records do not exceed."""
        return self._counted(radius, points, exact=not self._by_tree)

    def nearest(self, k: int, points: IntArray | None = None) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others of each of these records (of all)."""
        k = min(k, self.n - 1)
        if points is not None and len(points) <= _FEW and self.vectors.nbytes <= MAPPED_BYTES:
            return self._nearest_here(k, points)
        size = self.n if points is None else len(points)
        distances, numbers = np.empty((size, k)), np.empty((size, k), dtype=np.int64)
        asked = list(self._asked(points))
        tasks = [
            Task(nearest_of, (self._nearest_first(part), part, chosen, k), part.what)
            for part, chosen, _ in asked
        ]
        keep = size > _WORTH_KEEPING
        for place, result in self.cluster.each("finding neighbours", tasks, keep=keep):
            where = _where(asked[place], result)
            distances[where], numbers[where] = result["distances"], result["numbers"]
            self.pairs += len(self.parts)
            self.looked += int(result["looked"])
        return distances, numbers

    def subset(self, points: IntArray) -> Engine:
        """Return an engine that knows only these records."""
        if 8 * len(points) * self.vectors.shape[1] <= LOCAL_BYTES:
            vectors, weights = self.vectors[points], self.weights[points]
            if self._by_tree:
                return TreeEngine(vectors, weights)
            return BlockEngine(Euclidean(), vectors, weights)
        key = task_key("subset", [str(self._file), points])
        file = self.cluster.folder / f"points-{key}.npy"
        if not whole(file):
            rows = (
                self.vectors[points[start : start + COPIED_ROWS]]
                for start in range(0, len(points), COPIED_ROWS)
            )
            write_points(file, self.weights[points], rows)
        return ClusterEngine(self.cluster, file, self._by_tree)

    def dense_sample(self, k: int, candidates: IntArray, size: int) -> IntArray:
        """Guess which records have their k-th neighbour close by, as one machine does."""
        if not self._by_tree:
            return super().dense_sample(k, candidates, size)
        return densest_drawn(self.coordinates, k, candidates, size)

    def _counted(
        self, radius: float | FloatArray, points: IntArray | None, *, exact: bool
    ) -> IntArray:
        size = self.n if points is None else len(points)
        limits = np.broadcast_to(np.asarray(reach(radius), dtype=np.float64), size)
        asked = list(self._asked(points, whole_parts=np.ndim(radius) > 0))
        tasks = []
        for part, chosen, where in asked:
            own = np.asarray(limits[:1] if not np.ndim(radius) else limits[where])
            widest = own.max(initial=0.0) * (1 + 1e-9)
            near = [other for other in self.parts if part.box.gap(other.box) <= widest]
            self.pairs += len(self.parts)
            self.looked += len(near)
            tasks.append(
                together(
                    added,
                    [
                        Task(
                            counts_within,
                            (tuple(near[start : start + _TOGETHER]), part, chosen, own, exact),
                            part.what,
                        )
                        for start in range(0, len(near), _TOGETHER)
                    ],
                )
            )
        found = np.empty(size, dtype=np.int64)
        keep = size > _WORTH_KEEPING
        for place, result in self.cluster.each("counting neighbours", tasks, keep=keep):
            found[_where(asked[place], result)] = result["counts"]
        return found

    def _asked(self, points: IntArray | None, *, whole_parts: bool = False) -> Iterator[_Asked]:
        """Share points (all) out to tasks, those of one part together.

        Of all points, runs in the order of a part's tree are asked about, or (where each point
        has a number of its own) in their own order.
        """
        if points is None and not whole_parts:
            for part in self.parts:
                for start in range(0, part.n, SLICE):
                    yield part, (start, min(start + SLICE, part.n)), None
            return
        points = np.arange(self.n) if points is None else points
        home = np.searchsorted(self._first, points, side="right") - 1
        for place in np.unique(home):
            part, there = self.parts[place], np.flatnonzero(home == place)
            for start in range(0, len(there), SLICE):
                where = there[start : start + SLICE]
                yield part, points[where] - part.first, where

    def _nearest_first(self, own: PointsPart) -> tuple[PointsPart, ...]:
        """Order the parts by how far their boxes are from that of one, itself first."""
        return tuple(
            sorted(self.parts, key=lambda part: (part != own, own.box.gap(part.box), part.first))
        )

    def _nearest_here(self, k: int, points: IntArray) -> tuple[FloatArray, IntArray]:
        """Find the nearest of a few points without asking anybody."""
        if not self._by_tree or not k:
            return self._here.nearest(k, points)
        distances, numbers = np.empty((len(points), k)), np.empty((len(points), k), dtype=np.int64)
        for place, point in enumerate(points):
            away = self.distances(int(point))
            last = np.partition(away, k)[k] * (1 + 1e-9)
            close = np.flatnonzero(away <= last)
            close = close[close != point]
            # A tree rounds in its own way: among the few, its answers are those of the large one.
            tree = cKDTree(self.vectors[close], balanced_tree=False)
            found, near = nearest_in_order(tree, self.vectors[[point]], k)
            distances[place], numbers[place] = found[0], close[near[0]]
        return distances, numbers


def _where(asked: _Asked, result: Result) -> IntArray:
    return result["points"] if asked[2] is None else asked[2]
