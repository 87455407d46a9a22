"""Distances computed elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, Records, finite_matrix
from rarefind.core.errors import DataError
from rarefind.geometry.measures import Measure


class Precomputed(Measure):
    """A given matrix of distances; records are row numbers in it.

    Parameters
    ----------
    distances
        A square, symmetric matrix of numbers that are not negative, zero on the diagonal.

    Examples
    --------
    >>> Precomputed([[0.0, 2.0], [2.0, 0.0]])([0], [1])
    array([[2.]])
    """

    def __init__(self, distances: Any) -> None:
        matrix = finite_matrix(distances, "geometry.Precomputed")
        if matrix.shape[0] != matrix.shape[1]:
            raise DataError(
                "geometry.Precomputed needs a square matrix of distances. "
                f"Got {matrix.shape[0]} x {matrix.shape[1]}."
            )
        slack = 1e-9 * max(1.0, float(np.abs(matrix).max(initial=0.0)))
        for wrong, words in (
            (matrix < 0, "a negative distance"),
            (np.eye(len(matrix), dtype=bool) & (matrix > slack), "a record away from itself"),
            (np.abs(matrix - matrix.T) > slack, "different distances there and back"),
        ):
            if wrong.any():
                row, column = np.argwhere(wrong)[0]
                raise DataError(
                    f"geometry.Precomputed found {words} at row {row}, column {column}: "
                    f"{matrix[row, column]:g}."
                )
        self.distances = (matrix + matrix.T) / 2
        np.fill_diagonal(self.distances, 0.0)

    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Distances of the rows numbered in ``A`` from those in ``B``."""
        rows = np.asarray(A, dtype=np.int64)
        columns = rows if B is None else np.asarray(B, dtype=np.int64)
        return self.distances[np.ix_(rows, columns)]
