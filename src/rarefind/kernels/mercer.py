"""Is it a kernel? Symmetry and the smallest eigenvalue of a Gram matrix, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, Records, count, finite_matrix, take
from rarefind.core.errors import DataError, ParameterError
from rarefind.kernels.contract import Kernel

TOLERANCE = 1e-8
"""Asymmetry and negative eigenvalues below this share of the largest are rounding errors."""

MOST_RECORDS = 2000
"""Eigenvalues of more records would take minutes; some evenly spaced ones must do."""


@dataclass(frozen=True)
class MercerReport:
    """What a Gram matrix says about its kernel; ``print`` it for a sentence.

    Attributes
    ----------
    records
        How many records were compared.
    asymmetry
        Largest difference between ``k(x, z)`` and ``k(z, x)``.
    smallest, largest
        The extreme eigenvalues of the (symmetrised) Gram matrix.
    symmetric, semidefinite
        Whether both are as a kernel needs them, up to rounding.
    """

    records: int
    asymmetry: float
    smallest: float
    largest: float
    symmetric: bool
    semidefinite: bool

    @property
    def ok(self) -> bool:
        """Whether nothing speaks against it."""
        return self.symmetric and self.semidefinite

    @property
    def verdict(self) -> str:
        """Say what follows, in a sentence."""
        if not self.symmetric:
            return (
                f"Not a kernel: it is not symmetric (k(x, z) and k(z, x) differ by up to "
                f"{self.asymmetry:.3g}). Use the mean of both, and look again."
            )
        if not self.semidefinite:
            return (
                f"Not a kernel: its smallest eigenvalue {self.smallest:.3g} is negative (the "
                f"largest is {self.largest:.3g}), so it is no inner product, and learners built "
                "on it may find a wrong optimum."
            )
        return (
            f"Nothing speaks against it: symmetric, and no negative eigenvalue on {self.records} "
            "records (a sample can refute a kernel, not prove it)."
        )

    def __str__(self) -> str:
        return (
            f"{self.verdict}\n  records: {self.records}\n  asymmetry: {self.asymmetry:.3g}\n"
            f"  smallest eigenvalue: {self.smallest:.3g}\n"
            f"  largest eigenvalue: {self.largest:.3g}"
        )


def check_mercer(kernel: Kernel | Any, sample: Records | None = None) -> MercerReport:
    """Look whether a kernel, or a Gram matrix, is symmetric and positive semidefinite.

    Parameters
    ----------
    kernel
        A kernel, or a square matrix of similarities.
    sample
        Records to try the kernel on; not needed for a matrix.

    Examples
    --------
    >>> report = check_mercer([[1.0, 2.0], [2.0, 1.0]])
    >>> report.ok
    False
    >>> print(report)
    Not a kernel: its smallest eigenvalue -1 is negative (the largest is 3), so it is no inner \
product, and learners built on it may find a wrong optimum.
      records: 2
      asymmetry: 0
      smallest eigenvalue: -1
      largest eigenvalue: 3
    """
    if isinstance(kernel, Kernel):
        if sample is None:
            raise ParameterError(
                "The 'sample' parameter of check_mercer must be a list of records when a kernel "
                "is checked. Got None instead."
            )
        rows = _spread(count(sample))
        return inspect_gram(_both_ways(kernel, sample if rows is None else take(sample, rows)))
    gram = square_matrix(kernel, "check_mercer")
    return inspect_gram(gram)


def inspect_gram(gram: FloatArray) -> MercerReport:
    """Report on a square matrix of similarities."""
    n = len(gram)
    if n == 0:
        return MercerReport(0, 0.0, 0.0, 0.0, symmetric=True, semidefinite=True)
    asymmetry = float(np.abs(gram - gram.T).max())
    rows = _spread(n)
    sample = gram if rows is None else gram[np.ix_(rows, rows)]
    values = np.linalg.eigvalsh((sample + sample.T) / 2)
    smallest, largest = float(values[0]), float(values[-1])
    scale = max(abs(smallest), abs(largest))
    return MercerReport(
        records=n,
        asymmetry=asymmetry,
        smallest=smallest,
        largest=largest,
        symmetric=asymmetry <= TOLERANCE * max(float(np.abs(gram).max()), 1e-300),
        semidefinite=smallest >= -TOLERANCE * scale,
    )


def square_matrix(gram: Any, owner: str) -> FloatArray:
    """Read a square matrix of finite numbers."""
    matrix = finite_matrix(gram, owner)
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"{owner} needs a square matrix of similarities, one row and one column per record. "
            f"Got {matrix.shape[0]} x {matrix.shape[1]}."
        )
    return matrix


def _both_ways(kernel: Kernel, sample: Records) -> FloatArray:
    """Similarities computed as for two lists, so that an asymmetric kernel cannot hide."""
    kernel = kernel._learnt_from(sample)
    half = count(sample) // 2
    if half == 0:
        return kernel(sample)
    first, second = take(sample, slice(0, half)), take(sample, slice(half, None))
    return np.block(
        [[kernel(first), kernel(first, second)], [kernel(second, first), kernel(second)]]
    )


def _spread(n: int) -> Any:
    return None if n <= MOST_RECORDS else np.linspace(0, n - 1, MOST_RECORDS).astype(np.int64)
