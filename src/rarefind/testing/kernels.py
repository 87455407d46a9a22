"""What every kernel must satisfy."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from rarefind.core.arrays import FloatArray, Records, count, take
from rarefind.core.errors import NotAvailableError
from rarefind.kernels.contract import Kernel
from rarefind.testing.rules import RuleBrokenError, judge, require, require_equal, shown

_TOLERANCE = 1e-9
"""Numbers that should agree may differ by this share of themselves, or of the largest."""


def check_kernel(kernel: Kernel, records: Records, *, semidefinite: bool = True) -> None:
    """Raise AssertionError, in words, unless a kernel keeps its promises on these records.

    The Gram matrix is finite, symmetric and positive semidefinite; ``diag`` is its diagonal; a
    call on two lists is the slice of a call on both together; features, where there are any,
    multiply to the kernel; a copy with the same parameters gives the same numbers; records are
    left as they are.

    Parameters
    ----------
    kernel
        The kernel. One that learns from records is to be fitted before.
    records
        Four or more records that it takes; the odder they are, the more is tried.
    semidefinite
        False for a similarity that is known to be no inner product.

    Examples
    --------
    >>> from rarefind.kernels import Spectrum
    >>> check_kernel(Spectrum(2), ["gattaca", "cat", "", "tact"])
    """
    if count(records) < 4:
        raise ValueError(f"check_kernel needs four records or more. Got {count(records)}.")
    tried = _Tried(kernel, records)
    rules = [rule for rule in RULES if semidefinite or rule is not _semidefinite]
    judge(repr(kernel), rules, tried)


@dataclass
class _Tried:
    kernel: Kernel
    records: Records

    def __post_init__(self) -> None:
        self.n = count(self.records)
        self.before = deepcopy(self.records)
        self.gram: FloatArray = np.empty((0, 0))  # set by the first rule, once it is a matrix

    def part(self, rows: slice) -> Records:
        return take(self.records, rows)

    def named(self, row: int) -> str:
        return f"{row} ({shown(self.part(slice(row, row + 1)))})"

    def same(self, found: Any, what: str, rows: slice, columns: slice) -> None:
        """Compare similarities with those of the Gram matrix; name the first pair that differs."""
        expected = self.gram[rows, columns]
        require_equal(np.shape(found), expected.shape, f"The shape of {what}")
        scale = max(float(np.abs(self.gram).max()), 1e-300)
        close = np.isclose(found, expected, rtol=_TOLERANCE, atol=_TOLERANCE * scale)
        for row, column in np.argwhere(~close)[:1]:
            left = int(row) + (rows.start or 0)
            right = int(column) + (columns.start or 0)
            raise RuleBrokenError(
                f"For records {self.named(left)} and {self.named(right)}, {what} gives "
                f"{found[row, column]:.9g} and k(A) {expected[row, column]:.9g}."
            )


_ALL = slice(None)
"""All records."""


def _matrix(tried: _Tried) -> None:
    """k(A) is a square matrix of finite float64, one row and column a record."""
    gram = tried.kernel(tried.records)
    require_equal(np.shape(gram), (tried.n, tried.n), "The shape of k(A)")
    require_equal(str(gram.dtype), "float64", "The type of k(A)")
    for row, column in np.argwhere(~np.isfinite(gram))[:1]:
        raise RuleBrokenError(
            f"k(A) is {gram[row, column]} for records {tried.named(int(row))} and "
            f"{tried.named(int(column))}."
        )
    tried.gram = gram


def _symmetric(tried: _Tried) -> None:
    """A is as similar to B as B is to A."""
    tried.same(tried.gram.T, "the transpose of k(A)", _ALL, _ALL)


def _semidefinite(tried: _Tried) -> None:
    """Similarities are inner products, so no eigenvalue of k(A) is negative."""
    least = float(np.linalg.eigvalsh((tried.gram + tried.gram.T) / 2)[0])
    bound = -_TOLERANCE * max(float(np.trace(tried.gram)), 1e-300)
    require(
        least >= bound, f"On these {tried.n} records the smallest is {least:g}, below {bound:g}."
    )


def _diagonal(tried: _Tried) -> None:
    """diag(A) is the diagonal of k(A)."""
    found = tried.kernel.diag(tried.records)
    require_equal(np.shape(found), (tried.n,), "The shape of diag(A)")
    for row in range(tried.n):
        here = slice(row, row + 1)
        tried.same(np.reshape(found[row], (1, 1)), "diag(A)", here, here)


def _two_lists(tried: _Tried) -> None:
    """k(A, B) is the part of k(A and B together) that compares A with B."""
    half = tried.n // 2
    first, second = slice(0, half), slice(half, tried.n)
    one = slice(0, 1)
    for rows, columns in [(first, second), (second, first), (_ALL, one), (one, _ALL)]:
        found = tried.kernel(tried.part(rows), tried.part(columns))
        tried.same(found, "k(A, B)", rows, columns)


def _with_itself(tried: _Tried) -> None:
    """k(A, A) is k(A), whether the second list is the same object or only equal."""
    tried.same(tried.kernel(tried.records, tried.records), "k(A, A)", _ALL, _ALL)
    again = deepcopy(tried.records)
    tried.same(tried.kernel(tried.records, again), "k(A, a copy of A)", _ALL, _ALL)


def _features(tried: _Tried) -> None:
    """Features, where a kernel lists them, multiply to the kernel."""
    try:
        features: Any = tried.kernel.features(tried.records)
    except NotAvailableError:
        return
    product = features @ features.T
    product = product.toarray() if sparse.issparse(product) else product
    tried.same(product, "the product of features(A)", _ALL, _ALL)


def _copy(tried: _Tried) -> None:
    """A copy made by clone has the same parameters, has learnt nothing, and computes the same."""
    copy = clone(tried.kernel)
    names = sorted(tried.kernel.get_params())
    require_equal(sorted(copy.get_params()), names, "The parameters of the copy")
    learnt = _learnt(tried.kernel)
    require(not _learnt(copy), f"The copy has kept {shown(_learnt(copy))}.")
    if not learnt:
        tried.same(copy(tried.records), "a copy", _ALL, _ALL)
    else:
        # What was learnt may come from other records: two copies learn the same from these.
        first, second = copy.fit(tried.records), clone(tried.kernel).fit(tried.records)
        require_equal(
            first(tried.records), second(tried.records), "Two copies fitted on the same records"
        )


def _no_traces(tried: _Tried) -> None:
    """Calls change nothing: k(A) is the same every time, and records are left as they are."""
    tried.same(tried.kernel(tried.records), "k(A) once more", _ALL, _ALL)
    if isinstance(tried.records, np.ndarray):
        for row in np.argwhere(tried.records != tried.before)[:1, 0]:
            was = shown(tried.before[row])
            raise RuleBrokenError(f"Record {row} is {shown(tried.records[row])} and was {was}.")


def _learnt(kernel: Kernel) -> list[str]:
    return sorted(name for name in vars(kernel) if name.endswith("_"))


RULES = (
    _matrix,
    _symmetric,
    _semidefinite,
    _diagonal,
    _two_lists,
    _with_itself,
    _features,
    _copy,
    _no_traces,
)
"""In the order in which they are tried: the first gives the matrix that the others compare with."""
