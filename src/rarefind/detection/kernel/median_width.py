"""The median distance between records: the width of a Gaussian when none is given."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import euclidean_distances

from rarefind.core.arrays import FloatArray, Records

_ROWS = 1000
"""At most this many rows are compared, evenly spaced among the distinct ones in sorted order."""


def median_distance(X: Records) -> float:
    """Median distance of distinct rows; one if there is a single distinct row.

    Repeated rows count once, so that a row of weight two is the same as the row twice, and the
    order of the rows does not matter.

    >>> median_distance([[0.0], [0.0], [1.0], [3.0]])
    2.0
    """
    rows = _distinct(X)
    if rows.shape[0] > _ROWS:
        rows = rows[np.linspace(0, rows.shape[0] - 1, _ROWS).astype(np.int64)]
    if rows.shape[0] < 2:
        return 1.0
    distances: FloatArray = euclidean_distances(rows)
    above = distances[np.triu_indices(rows.shape[0], 1)]
    median = float(np.median(above))
    return median if median > 0 else float(above.max()) or 1.0


def _distinct(X: Records) -> Any:
    if not sparse.issparse(X):
        return np.unique(np.asarray(X, dtype=np.float64), axis=0)
    matrix = sparse.csr_array(X, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    bounds = matrix.indptr
    first: dict[tuple[tuple[int, ...], tuple[float, ...]], int] = {}
    for row in range(matrix.shape[0]):
        part = slice(bounds[row], bounds[row + 1])
        first.setdefault((tuple(matrix.indices[part]), tuple(matrix.data[part])), row)
    return matrix[[first[key] for key in sorted(first)]]
