"""Distances that are computed once and kept, for records that only a kernel can compare."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.memory_guard import allowed_bytes
from rarefind.geometry.fingerprint import fingerprint
from rarefind.geometry.kept_answers import kept
from rarefind.geometry.measures import Measure

MOST_KEPT = 4_000
"""Distances among up to so many records are kept: 128 MB. A strategy's set-up asks for all of them
at least once, and each question for several rows: of 240 trees a row by itself costs half as much
as all rows together, since what the kernel learns of the records is worked out anew."""

_MATRICES = 5
"""So many matrices of that size are in memory while distances are made of similarities."""


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
        return self.distances[np.ix_(rows, columns)]


def can_be_kept(records: Records) -> bool:
    """Tell whether there are few enough records for the matrix, and memory to make it in."""
    n = count(records)
    return n <= MOST_KEPT and _MATRICES * 8 * n * n <= allowed_bytes()
