"""The best rows of a ranking, gathered a part at a time."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray


def best_rows(rows: IntArray, scores: FloatArray, most: int) -> tuple[IntArray, FloatArray]:
    """Return the rows of the highest scores, best first; of equals the earlier row.

    >>> rows, scores = best_rows(np.array([4, 2, 7]), np.array([0.5, 0.5, 0.9]), 2)
    >>> rows.tolist(), scores.tolist()
    ([7, 2], [0.9, 0.5])
    """
    order = np.lexsort((rows, -scores))[:most]
    return rows[order], scores[order]
