"""The points of a hunt in one file, cut into parts that workers look into."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from rarefind.cluster.journal import write_array, write_rows
from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import DataError, StateError
from rarefind.geometry import TreeEngine
from rarefind.geometry.neighbours.tiles import Tiles

PART_POINTS, PART_BYTES = 2**19, 2**27
"""A part holds no more points than this, and no more bytes of vectors."""

COPIED_ROWS = 2**15
"""Rows that are copied or looked at together."""

_HELD = 4
"""Parts that a worker keeps in memory."""


@dataclass(frozen=True)
class Box:
    """The corners of a box."""

    low: tuple[float, ...]
    high: tuple[float, ...]

    @classmethod
    def around(cls, vectors: FloatArray) -> Box:
        """Return the box around some vectors."""
        return cls(tuple(vectors.min(axis=0).tolist()), tuple(vectors.max(axis=0).tolist()))

    def gap(self, other: Box) -> float:
        """Tell how far it is from another box."""
        apart = np.maximum(
            np.array(other.low) - np.array(self.high), np.array(self.low) - np.array(other.high)
        )
        return float(np.linalg.norm(np.maximum(apart, 0.0)))

    def gaps(self, vectors: FloatArray) -> FloatArray:
        """Tell how far each of some vectors is from the box."""
        apart = np.maximum(np.array(self.low) - vectors, vectors - np.array(self.high))
        apart = np.maximum(apart, 0.0)
        return np.sqrt(np.einsum("ij,ij->i", apart, apart))


@dataclass(frozen=True)
class PointsPart:
    """Some points that follow each other, numbers ``first`` to ``first + n - 1``, in their box.

    ``by_tree`` says whether a tree or blocks of distances answer for them, as on one machine.
    """

    file: str
    first: int
    n: int
    box: Box
    by_tree: bool

    @property
    def what(self) -> str:
        """The part in words."""
        return f"points {self.first} to {self.first + self.n - 1}"

    def vectors(self) -> FloatArray:
        """Read the vectors; they are kept for the next task."""
        return self.tree().vectors if self.by_tree else _held_vectors(self)

    def tree(self) -> TreeEngine:
        """Return the tree of the points; it is kept for the next task."""
        return _held_tree(self)

    def tiles(self) -> Tiles:
        """Return what counts the points; it is kept for the next task."""
        return self.tree().tiles if self.by_tree else _held_tiles(self)

    def in_order(self) -> IntArray:
        """List the points by their numbers within the part, those near each other together."""
        return self.tree().tree.indices if self.by_tree else np.arange(self.n)

    def read(self) -> tuple[FloatArray, IntArray]:
        """Read the vectors and weights from the file."""
        mine = slice(self.first, self.first + self.n)
        vectors, weights = map_points(self.file)
        return np.array(vectors[mine]), np.array(weights[mine])


@lru_cache(maxsize=_HELD)
def _held_tree(part: PointsPart) -> TreeEngine:
    return TreeEngine(*part.read())


@lru_cache(maxsize=_HELD)
def _held_vectors(part: PointsPart) -> FloatArray:
    return part.read()[0]


@lru_cache(maxsize=_HELD)
def _held_tiles(part: PointsPart) -> Tiles:
    return Tiles(part.vectors(), part.read()[1], np.arange(part.n))


def map_points(file: str) -> tuple[FloatArray, IntArray]:
    """Return the vectors and weights of all points, without reading what is not looked at."""
    try:
        vectors = np.load(file, mmap_mode="r", allow_pickle=False)
        weights = np.load(_weights(Path(file)), mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as problem:
        words = " ".join(str(problem).split())[:200].rstrip(".")
        raise DataError(
            f"The vectors in {file} cannot be read: {words}. All machines must see them."
        ) from None
    return np.asarray(vectors), np.asarray(weights)


def write_points(path: Path, weights: IntArray, rows: Iterable[FloatArray]) -> None:
    """Write points to a file that is there only when it is whole, and their weights beside it."""
    try:
        write_array(_weights(path), weights)
        write_rows(path, len(weights), rows)
    except OSError as problem:
        raise StateError(f"{path} cannot be written: {problem.strerror or problem}.") from None


def whole(path: Path) -> bool:
    """Tell whether the file of points is there."""
    return path.exists() and _weights(path).exists()


def cut(file: Path, by_tree: bool) -> tuple[PointsPart, ...]:
    """Cut the points of a file into parts."""
    vectors, _ = map_points(str(file))
    size = max(1, min(PART_POINTS, PART_BYTES // (8 * vectors.shape[1])))
    parts = []
    for first in range(0, len(vectors), size):
        boxes = [Box.around(some) for some in _pieces(vectors[first : first + size])]
        box = Box.around(np.array([corner for box in boxes for corner in (box.low, box.high)]))
        parts.append(PointsPart(str(file), first, min(size, len(vectors) - first), box, by_tree))
    return tuple(parts)


def _pieces(vectors: FloatArray) -> Iterator[FloatArray]:
    for start in range(0, len(vectors), COPIED_ROWS):
        yield vectors[start : start + COPIED_ROWS]


def _weights(file: Path) -> Path:
    return file.with_name(f"{file.stem}-weights.npy")
