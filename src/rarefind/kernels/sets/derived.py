"""Sets compared through a kernel on their elements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint
from rarefind.kernels.contract import A_KERNEL, Features, Kernel
from rarefind.kernels.reference import dense


class DerivedSubsets(Kernel):
    """``Σ k0(a, b)`` over all elements ``a`` of one set and ``b`` of the other.

    Elements may be anything the kernel takes: words, vectors, graphs. Equal elements of a set
    count once; a matrix is a collection of its rows, in which equal rows count as often as
    they occur.

    Parameters
    ----------
    kernel
        The kernel on elements.

    Examples
    --------
    >>> from rarefind.kernels import Linear
    >>> import numpy as np
    >>> DerivedSubsets(Linear())([np.array([[1.0], [2.0]])], [np.array([[10.0]])])
    array([[30.]])
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"kernel": [A_KERNEL]}

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    @property
    def takes_vectors(self) -> bool:
        """Whether the records are rows of numbers."""
        return False

    def _for_parts(self, A: Records) -> Records:
        return _elements(A)[0]

    def _read(self, A: Records) -> Any:
        elements, belongs = _elements(A)
        # A kernel cannot read a list of nothing, and sets that are all empty need none.
        return (self._part("kernel")._read(elements) if len(elements) else None), belongs

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        (read, rows), (other, columns) = left, left if right is None else right
        if read is None or other is None:
            return np.zeros((rows.shape[0], columns.shape[0]))
        _ensure_elements_fit(rows.shape[1], columns.shape[1])
        between = self._part("kernel")._gram(read, None if right is None else other)
        return dense(columns @ (rows @ between).T).T

    def _diag(self, left: Any) -> FloatArray:
        read, rows = left
        if read is None:
            return np.zeros(rows.shape[0])
        _ensure_elements_fit(rows.shape[1], rows.shape[1])
        return np.asarray(
            dense(rows.multiply(rows @ self._part("kernel")._gram(read, None)).sum(1))
        )

    def _features(self, A: Records) -> Features:
        elements, belongs = _elements(A)
        if not len(elements):
            raise DataError("DerivedSubsets cannot list features of sets that are all empty.")
        summed: Features = belongs @ self._part("kernel").features(elements)
        return sparse.csr_array(summed) if sparse.issparse(summed) else np.asarray(summed)


def _ensure_elements_fit(rows: int, columns: int) -> None:
    ensure_fits(
        8 * rows * columns,
        f"A matrix of {rows} x {columns} similarities of elements",
        "Compare fewer sets at a time, or use a kernel with features.",
    )


def _elements(A: Records) -> tuple[Records, sparse.csr_array]:
    """List all distinct elements, and which record holds which how often."""
    columns: dict[Any, int] = {}
    elements: list[Any] = []
    rows: list[int] = []
    where: list[int] = []
    n_records = 0
    for row, record in enumerate(A):
        n_records += 1
        if isinstance(record, str | bytes) or not isinstance(record, Iterable):
            raise DataError(
                "DerivedSubsets needs a list of collections, one per record. "
                f"Record {row} is {record!r:.60}; write {{...}} around its elements."
            )
        is_matrix = hasattr(record, "shape")
        seen: set[int] = set()
        for element in record:
            column = len(elements)
            if not is_matrix:
                # Lists and arrays cannot be looked up, and count one by one.
                with suppress(TypeError):
                    column = columns.setdefault(element, column)
            if column == len(elements):
                elements.append(element)
            if column not in seen:
                seen.add(column)
                rows.append(row)
                where.append(column)
    shape = (n_records, len(elements))
    return elements, sparse.csr_array((np.ones(len(rows)), (rows, where)), shape=shape)
