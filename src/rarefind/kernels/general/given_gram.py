"""Similarities computed elsewhere."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import DataError, RarefindWarning
from rarefind.kernels.contract import Kernel
from rarefind.kernels.mercer import check_mercer, square_matrix


class GivenGram(Kernel):
    """A given Gram matrix; records are row numbers in it.

    A matrix that is not symmetric is refused; one with negative eigenvalues gives a warning that
    says how negative.

    Parameters
    ----------
    gram
        Similarities of all records with each other.

    Examples
    --------
    >>> kernel = GivenGram([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])
    >>> kernel([0, 2], [1])
    array([[1.],
           [1.]])
    """

    def __init__(self, gram: Any) -> None:
        self.gram = gram

    def _check(self) -> None:
        super()._check()
        checked = getattr(self, "_checked", None)
        if checked is not None and checked[0] is self.gram:
            return
        matrix = square_matrix(self.gram, "GivenGram")
        report_gram(matrix, "GivenGram")
        self._checked: tuple[Any, FloatArray] = (self.gram, matrix)

    def _read(self, A: Records) -> IntArray:
        rows = np.asarray(A)
        if rows.ndim == 2 and rows.shape[1] == 1:
            rows = rows[:, 0]
        n = len(self._checked[1])
        whole = rows.dtype.kind in "iu" or (rows.dtype.kind == "f" and (rows % 1 == 0).all())
        if rows.ndim != 1 or not whole or (rows < 0).any() or (rows >= n).any():
            raise DataError(
                f"GivenGram needs row numbers of its matrix, from 0 to {n - 1}, as records. "
                f"Got {np.asarray(A).ravel()[:3].tolist()} and so on, of shape {rows.shape}."
            )
        return rows.astype(np.int64)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return self._checked[1][np.ix_(left, left if right is None else right)]

    def _diag(self, left: Any) -> FloatArray:
        return self._checked[1][left, left]


def report_gram(gram: FloatArray, owner: str) -> None:
    """Refuse a Gram matrix that is not symmetric, and warn of one that is not semidefinite."""
    report = check_mercer(gram)
    if not report.symmetric:
        raise DataError(
            f"{owner} was given a Gram matrix that is not symmetric: entries and their mirror "
            f"images differ by up to {report.asymmetry:.3g}. Pass (K + K.T) / 2 if that is meant."
        )
    if not report.semidefinite:
        warnings.warn(
            f"{owner} was given a Gram matrix with a negative eigenvalue ({report.smallest:.3g}; "
            f"the largest is {report.largest:.3g}): it is no inner product, and learners may find "
            "a wrong optimum.",
            RarefindWarning,
            stacklevel=4,
        )
