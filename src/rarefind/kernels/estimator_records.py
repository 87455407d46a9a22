"""What estimators on any records have in common: reading them, and what they tell scikit-learn."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import validate_data

from rarefind.core.arrays import Records, count
from rarefind.core.errors import DataError
from rarefind.kernels.contract import Kernel
from rarefind.kernels.registry import make_kernel


def read_records(estimator: Any, X: Records, kernel: Kernel | None, *, reset: bool) -> Records:
    """Check records as scikit-learn does where they are rows of numbers, else take them as given.

    ``reset`` is True in ``fit``, which remembers the number and names of the columns.
    """
    if kernel is None or kernel.takes_vectors:
        sparse: Any = False if kernel is None else "csr"
        return validate_data(estimator, X, reset=reset, accept_sparse=sparse, dtype="float64")
    if count(X) == 0:
        raise DataError(f"{type(estimator).__name__} needs at least one record. Got none.")
    return X


def vector_tags(tags: Any, kernel: str | Kernel) -> Any:
    """Tell scikit-learn which records an estimator with this kernel takes."""
    if isinstance(kernel, str) and kernel == "precomputed":
        return tags
    vectors = make_kernel(kernel).takes_vectors
    tags.input_tags.sparse = vectors
    tags.input_tags.two_d_array = vectors
    tags.input_tags.string = not vectors
    return tags
