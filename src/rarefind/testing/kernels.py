"""What every kernel must satisfy."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from rarefind.core.arrays import Records, count, take
from rarefind.core.errors import NotAvailableError
from rarefind.kernels.contract import Kernel


def check_kernel(kernel: Kernel, records: Records, *, semidefinite: bool = True) -> None:
    """Assert that a kernel keeps its promises on these records (four or more of them).

    The Gram matrix is finite, symmetric and positive semidefinite; ``diag`` is its diagonal; a
    call on two lists is the slice of a call on both together; features, where there are any,
    multiply to the kernel; a copy with the same parameters gives the same numbers. A kernel that
    learns from records is to be fitted before.
    """
    name = repr(kernel)
    gram = kernel(records)
    n = count(records)
    scale = max(float(np.abs(gram).max()), 1e-300)

    def same(found: Any, expected: Any, complaint: str) -> None:
        np.testing.assert_allclose(
            found, expected, rtol=1e-9, atol=1e-9 * scale, err_msg=f"{name}: {complaint}"
        )

    assert gram.shape == (n, n), f"{name}: expected a {n} x {n} matrix, got {gram.shape}"
    assert gram.dtype == np.float64, f"{name}: expected float64, got {gram.dtype}"
    assert np.isfinite(gram).all(), f"{name}: the Gram matrix holds NaN or infinity"
    same(gram, gram.T, "not symmetric")
    if semidefinite:
        least = float(np.linalg.eigvalsh((gram + gram.T) / 2)[0])
        bound = -1e-9 * max(float(np.trace(gram)), 1e-300)
        assert least >= bound, f"{name}: smallest eigenvalue {least:g} is below {bound:g}"
    same(kernel.diag(records), np.diag(gram), "diag differs")
    half = n // 2
    first, second = take(records, slice(0, half)), take(records, slice(half, n))
    same(kernel(first, second), gram[:half, half:], "k(A, B) differs")
    same(kernel(second, first), gram[half:, :half], "k(B, A) differs")
    try:
        features: Any = kernel.features(records)
    except NotAvailableError:
        pass
    else:
        product = features @ features.T
        product = product.toarray() if sparse.issparse(product) else product
        same(product, gram, "features differ")
    copy = clone(kernel)
    assert copy.get_params().keys() == kernel.get_params().keys(), f"{name}: clone differs"
