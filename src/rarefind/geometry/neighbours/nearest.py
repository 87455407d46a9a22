"""The nearest of some records to each of others: the door that engines and detectors share."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.progress import announce
from rarefind.core.threads import in_threads, workers
from rarefind.geometry import thresholds
from rarefind.geometry.measures import Euclidean, Measure, row_blocks

_PRECISIONS: tuple[tuple[Any, float], ...] = ((np.float32, 1e-6), (np.float64, 1e-12))
"""Number types, and the share of the greatest squared length that products in them may be off."""


def nearest(
    queries: Records, records: Records, k: int, measure: Measure
) -> tuple[FloatArray, IntArray]:
    """Distances and numbers of the ``k`` nearest records of every query, nearest first.

    Equal distances are kept in the order of the records, whatever found them.

    >>> nearest(np.array([[1.2]]), np.array([[0.0], [1.0], [2.0]]), 2, Euclidean())[1]
    array([[1, 2]])
    """
    k = min(k, count(records))
    dense = isinstance(queries, np.ndarray) and isinstance(records, np.ndarray)
    if type(measure) is Euclidean and dense:
        rows = _vector_neighbours(queries, records, k)
        distances = distances_to_own(queries, records, rows)
    else:
        distances, rows = _by_blocks(queries, records, measure, k)
    order = np.argsort(distances, axis=1, kind="stable")
    return np.take_along_axis(distances, order, axis=1), np.take_along_axis(rows, order, axis=1)


def distances_to_own(queries: FloatArray, records: FloatArray, rows: IntArray) -> FloatArray:
    """Distances of each query from its own list of records, digit by digit."""
    found = np.empty(rows.shape)
    for part in row_blocks(len(rows), rows.shape[1] * records.shape[1]):
        apart = records[rows[part]] - queries[part, None, :]
        found[part] = np.sqrt(np.einsum("ikj,ikj->ik", apart, apart))
    return found


def _vector_neighbours(queries: FloatArray, records: FloatArray, k: int) -> IntArray:
    if len(queries) <= thresholds.FEW_QUERIES:
        found = np.argpartition(cdist(queries, records), k - 1, axis=1)[:, :k]
    elif records.shape[1] <= thresholds.NEAREST_TREE_DIMENSIONS:
        found = cKDTree(records).query(queries, k, workers=workers())[1].reshape(-1, k)
    else:
        # Moved to the middle, so that squared lengths do not swallow small distances.
        middle = queries.mean(axis=0)
        found = _by_bound(queries - middle, records - middle, k)
    rows: IntArray = found.astype(np.int64)
    rows.sort(axis=1)
    return rows


def _by_bound(queries: FloatArray, records: FloatArray, k: int) -> IntArray:
    """Find the k nearest rows: a bound from some of them leaves few candidates among the rest."""
    n = len(records)
    lengths = np.einsum("ij,ij->i", records, records)
    # Few rows make the bound cheap and loose, many make it dear and tight.
    step = max(1, min(n // (4 * k), 200 // k))
    # Squared distances less the query's own squared length, which changes no order: the other
    # lengths go through the product as one more feature.
    right = np.hstack([records, lengths[:, None]])
    left = np.hstack([-2.0 * queries, np.ones((len(queries), 1))])
    rough: dict[Any, FloatArray] = {np.float32: right.astype(np.float32), np.float64: right}
    some = {kind: np.ascontiguousarray(rows[::step]) for kind, rows in rough.items()}

    def search(part: slice) -> IntArray:
        mine = queries[part]
        for kind, share in _PRECISIONS:
            factors = left[part].astype(kind)
            bound = np.partition(factors @ some[kind].T, k - 1, axis=1)[:, k - 1 : k]
            slack = share * _longest(mine, lengths)
            if kind is np.float64 or slack < 0.01 * _usual(mine, bound):
                break
        # The bound itself and what is compared with it may both be off by the slack.
        limit = bound + kind(2.0 * slack)
        rows, columns = [], []
        for block in row_blocks(n, len(mine), block_bytes=2**21):
            squared = factors @ rough[kind][block].T
            row, column = np.divmod(np.flatnonzero(squared <= limit), squared.shape[1])
            rows.append(row)
            columns.append(column + block.start)
        return _nearest_of(mine, records, np.concatenate(rows), np.concatenate(columns), k)

    found = np.empty((len(queries), k), dtype=np.int64)
    parts = list(row_blocks(len(queries), max(n // step, 64), block_bytes=2**22))
    for part, near in zip(parts, in_threads(search, parts), strict=True):
        found[part] = near
        announce("finding neighbours", part.stop, len(queries))
    return found


def _longest(mine: FloatArray, lengths: FloatArray) -> float:
    return max(float(lengths.max()), float(np.einsum("ij,ij->i", mine, mine).max()))


def _usual(mine: FloatArray, bound: FloatArray) -> float:
    """Find the squared distance that most queries have to look for neighbours within."""
    return float(np.median(bound[:, 0] + np.einsum("ij,ij->i", mine, mine)))


def _nearest_of(
    queries: FloatArray, records: FloatArray, rows: IntArray, columns: IntArray, k: int
) -> IntArray:
    """Of each query's candidates, the k nearest, by exact distances."""
    squared = np.empty(len(rows))
    for part in row_blocks(len(rows), records.shape[1], block_bytes=2**21):
        gap = records[columns[part]] - queries[rows[part]]
        squared[part] = np.einsum("ij,ij->i", gap, gap)
    # Small integers are sorted by their digits, in no time; then every query gets a line.
    order = np.argsort(rows.astype(np.int16), kind="stable")
    rows, columns, squared = rows[order], columns[order], squared[order]
    starts = np.searchsorted(rows, np.arange(len(queries)))
    places = np.arange(len(rows)) - starts[rows]
    lines = np.full((len(queries), int(places.max()) + 1), np.inf)
    lines[rows, places] = squared
    best = np.argpartition(lines, k - 1, axis=1)[:, :k]
    return columns[starts[:, None] + best]


def _by_blocks(
    queries: Records, records: Records, measure: Measure, k: int
) -> tuple[FloatArray, IntArray]:
    """Compare all pairs, a block of records at a time, and keep the nearest so far."""
    n, m = count(queries), count(records)
    distances, rows = np.empty((n, 0)), np.empty((n, 0), dtype=np.int64)
    for part in row_blocks(m, n):
        block = np.arange(part.start, part.stop)
        distances = np.hstack([distances, measure(take(records, part), queries).T])
        rows = np.hstack([rows, np.broadcast_to(block, (n, len(block)))])
        if distances.shape[1] > k:
            best = np.sort(np.argpartition(distances, k - 1, axis=1)[:, :k], axis=1)
            distances = np.take_along_axis(distances, best, axis=1)
            rows = np.take_along_axis(rows, best, axis=1)
        announce("finding neighbours", part.stop, m)
    return distances, rows
