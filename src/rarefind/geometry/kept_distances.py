"""Distances that are computed once and kept, for records that only a kernel can compare."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.memory_guard import allowed_bytes
from rarefind.geometry import thresholds
from rarefind.geometry.fingerprint import fingerprint
from rarefind.geometry.kept_answers import kept
from rarefind.geometry.measures import Measure


class KeptDistances(Measure):
    """Another measure's distances among some records, which are numbered; made when first needed.

    Parameters
    ----------
    measure
        How far apart records are.
    records
        The records that the numbers stand for.

    Examples
    --------
    >>> from rarefind.geometry.measures import Euclidean
    >>> KeptDistances(Euclidean(), [[0.0], [3.0], [5.0]])([1], [0, 2])
    array([[3., 2.]])
    """

    def __init__(self, measure: Measure, records: Records) -> None:
        self.measure = measure
        self.records = records

    @cached_property
    def distances(self) -> FloatArray:
        """The whole matrix."""
        return self._all()

    @property
    def fingerprint(self) -> str:
        """What the distances follow from, in short."""
        return fingerprint(self.measure.fingerprint, self.records)

    @kept
    def _all(self) -> FloatArray:
        return self.measure(self.records)

    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Distances of the records numbered in ``A`` from those in ``B``."""
        rows = np.asarray(A, dtype=np.int64)
        columns = rows if B is None else np.asarray(B, dtype=np.int64)
        everybody = np.arange(len(self.distances))
        if np.array_equal(columns, everybody):  # whole rows are copied in a quarter of the time
            return self.distances[rows]
        return self.distances[np.ix_(rows, columns)]


def can_be_kept(records: Records) -> bool:
    """Tell whether there are few enough records for the matrix, and memory to make it in."""
    n = count(records)
    return n <= thresholds.KEPT_RECORDS and thresholds.KEPT_MATRICES * 8 * n * n <= allowed_bytes()
