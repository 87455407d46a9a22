"""What a worker is asked: each task reads the parts it needs and gives something small.

No task knows of another or leaves anything behind but its answer, so any may be run again.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from rarefind.cluster.journal import Result
from rarefind.cluster.points import PointsPart
from rarefind.core.arrays import FloatArray, IntArray
from rarefind.geometry.measures import Euclidean
from rarefind.geometry.neighbours.nearest import nearest
from rarefind.geometry.neighbours.tree_order import nearest_in_order

Chosen: TypeAlias = IntArray | tuple[int, int]
"""Points of a part by their numbers within it, or a run of them in the order of its tree."""


def distances_from(part: PointsPart, vector: FloatArray) -> Result:
    """Distances of one vector from all points of a part."""
    return {"distances": cdist(vector[None], part.read()[0])[0]}


def counts_within(
    parts: tuple[PointsPart, ...], own: PointsPart, chosen: Chosen, limits: FloatArray, exact: bool
) -> Result:
    """Count what lies in some parts within its limit of each of these points of another.

    There is one limit for all, or one for each in the order given.
    """
    rows, order = _asked(own, chosen)
    queries = own.vectors()[rows]
    wide = np.full(len(rows), limits[0]) if len(limits) == 1 else limits[order]
    total = np.zeros(len(rows), dtype=np.int64)
    for part in parts:
        total += part.tiles().counts(queries, wide, exact=exact)
    return _in_place(own, chosen, rows, order, {"counts": total})


def added(results: list[Result]) -> Result:
    """Add up the counts of the same points in several parts."""
    total = results[0]["counts"].copy()
    for result in results[1:]:
        total += result["counts"]
    return {**results[0], "counts": total}


def nearest_of(parts: tuple[PointsPart, ...], own: PointsPart, chosen: Chosen, k: int) -> Result:
    """Find the ``k`` nearest others of points of one part among all parts, given nearest first.

    Parts are looked into only for those points whose last neighbour so far is farther away than
    the box; ``looked`` tells into how many.
    """
    rows, order = _asked(own, chosen)
    queries, numbers_own = own.vectors()[rows], own.first + rows
    distances = np.full((len(rows), k), np.inf)
    numbers = np.full((len(rows), k), -1, dtype=np.int64)
    looked = 0
    for part in parts:
        near = np.flatnonzero(part.box.gaps(queries) * (1 - 1e-9) <= distances[:, -1])
        if not near.size:
            continue
        looked += 1
        some = min(k + (part == own), part.n)
        found, who = _nearest_in(part, queries[near], some)
        who = who + part.first
        found = np.where(who == numbers_own[near, None], np.inf, found)
        found = np.hstack([distances[near], found])
        who = np.hstack([numbers[near], who])
        best = np.lexsort((who, found), axis=1)[:, :k]
        distances[near] = np.take_along_axis(found, best, axis=1)
        numbers[near] = np.take_along_axis(who, best, axis=1)
    made = {"distances": distances, "numbers": _small(numbers)}
    return {**_in_place(own, chosen, rows, order, made), "looked": np.array(looked)}


def _small(numbers: IntArray) -> NDArray[np.signedinteger]:
    """Return numbers that take half the room, on the way and in the journal, if they fit."""
    fits = numbers.max(initial=0) <= np.iinfo(np.int32).max
    return numbers.astype(np.int32) if fits else numbers


def _nearest_in(part: PointsPart, queries: FloatArray, k: int) -> tuple[FloatArray, IntArray]:
    """Find the ``k`` nearest points of a part, with distances as one machine computes them."""
    if part.by_tree:
        return nearest_in_order(part.tree().tree, queries, k)
    return nearest(queries, part.vectors(), k, Euclidean())


def _asked(own: PointsPart, chosen: Chosen) -> tuple[IntArray, IntArray]:
    """List the points asked about in the order of the tree, and their places as given."""
    if isinstance(chosen, tuple):
        rows = own.in_order()[chosen[0] : chosen[1]]
        return rows, np.arange(len(rows))
    if not own.by_tree:
        return chosen, np.arange(len(chosen))
    order, rows = own.tree().in_tree_order(chosen)
    return rows, order


def _in_place(
    own: PointsPart, chosen: Chosen, rows: IntArray, order: IntArray, made: Result
) -> Result:
    """Put answers in the order the points were given in, or say whose they are."""
    if isinstance(chosen, tuple):
        return {**made, "points": own.first + rows}
    placed = {}
    for name, answers in made.items():
        placed[name] = np.empty_like(answers)
        placed[name][order] = answers
    return placed
