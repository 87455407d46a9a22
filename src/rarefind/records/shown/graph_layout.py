"""Graphs brought into the plane: distances in the picture follow the steps between nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.csgraph import connected_components, shortest_path

from rarefind.core.arrays import FloatArray

_KEPT = 2000
"""Pictures that are kept: those of a session, a few kilobytes each."""

_ROUNDS = 100
"""Improvements of a picture, at most; molecules settle within fifty."""

_SETTLED = 1e-4
"""A round that gains less than this share of the strain is the last."""

_BENT = np.sqrt(3.0) / 2.0
"""Two bonds at 120 degrees lead this part of two steps away."""

_GAP = 1.5
"""The room between parts that are not connected, in steps."""


def layout(n: int, edges: Sequence[Sequence[int]], *, zigzag: bool = False) -> FloatArray:
    """Place nodes within [-1, 1]; the same graph, the same picture.

    With ``zigzag`` two steps are no straight line, as in molecules.

    >>> layout(2, [(0, 1)]).shape
    (2, 2)
    """
    return _layout(n, tuple((int(edge[0]), int(edge[1])) for edge in edges), zigzag).copy()


@lru_cache(maxsize=_KEPT)
def _layout(n: int, edges: tuple[tuple[int, int], ...], zigzag: bool) -> FloatArray:
    if n <= 1:
        return np.zeros((n, 2))
    ends = np.array(edges, dtype=np.int32).reshape(-1, 2)  # csgraph takes no wider ones
    links = sparse.csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
    parts, part_of = connected_components(links, directed=False)
    steps = shortest_path(links, directed=False, unweighted=True)
    if zigzag:
        steps[steps > 1] *= _BENT
    points, right = np.zeros((n, 2)), 0.0
    for part in range(parts):
        inside = np.flatnonzero(part_of == part)
        placed = _turned(_settled(steps[np.ix_(inside, inside)]))
        placed[:, 0] += right - placed[:, 0].min()
        right = placed[:, 0].max() + _GAP
        points[inside] = placed
    points -= (points.min(axis=0) + points.max(axis=0)) / 2.0
    return points / max(float(np.abs(points).max()), 1e-9)


def _settled(steps: FloatArray) -> FloatArray:
    """Lower the strain of a connected part (stress majorisation, weights 1 / steps²)."""
    n = len(steps)
    if n == 1:
        return np.zeros((1, 2))
    points = _start(steps)
    with np.errstate(divide="ignore"):
        weights = np.where(steps > 0, 1.0 / np.maximum(steps, 1e-9) ** 2, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    solver = linalg.inv(laplacian + 1.0 / n)
    before = np.inf
    for _ in range(_ROUNDS):
        gaps = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
        strain = float((weights * (gaps - steps) ** 2).sum())
        if before - strain < _SETTLED * strain:
            break
        before = strain
        pull = weights * steps / np.maximum(gaps, 1e-9)
        points = solver @ ((np.diag(pull.sum(axis=1)) - pull) @ points)
    return points


def _start(steps: FloatArray) -> FloatArray:
    """Begin with the plane in which the steps fit best (classical scaling), a little shaken."""
    squared = steps**2
    means = squared.mean(axis=0)
    centred = -0.5 * (squared - means - means[:, None] + means.mean())
    values, directions = linalg.eigh(
        centred, subset_by_index=[max(0, len(steps) - 2), len(steps) - 1]
    )
    points = np.zeros((len(steps), 2))
    points[:, : len(values)] = directions * np.sqrt(np.maximum(values, 0.0))
    return points + np.random.default_rng(0).normal(0.0, 0.01, points.shape)


def _turned(points: FloatArray) -> FloatArray:
    """Turn the longest extent level, as drawings lie."""
    _, _, axes = linalg.svd(points - points.mean(axis=0), full_matrices=False)
    turned: FloatArray = (points - points.mean(axis=0)) @ axes.T
    return turned
