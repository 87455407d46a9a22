"""What LAGO refuses or warns of before it learns."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.arrays import Records, count
from rarefind.core.errors import DataError, ParameterError, RarefindWarning
from rarefind.kernels import Kernel


def check_bandwidth(bandwidth: str, geometry: str, kernel: Any) -> None:
    """Refuse a bandwidth per feature where there are no features."""
    if bandwidth == "diagonal" and (kernel is not None or geometry == "sphere"):
        raise ParameterError(
            "The 'bandwidth' parameter of Lago can be 'diagonal' only for vectors in Euclidean "
            "geometry: a kernel or an angle has no features to give a bandwidth each."
        )


def check_directions(records: Records, kernel: Kernel | None) -> None:
    """Refuse records on the sphere that cannot have a direction, and tell of those without."""
    if kernel is None and records.shape[1] == 1:
        raise DataError(
            "Lago on the sphere needs two features or more, because a single number has no "
            "direction but its sign. Got 1 feature(s); use geometry='euclidean'."
        )
    if kernel is not None:
        lengths = kernel.diag(records)
    elif sparse.issparse(records):
        lengths = np.diff(records.indptr)
    else:
        lengths = np.abs(records).max(axis=1)
    zeros = int(np.count_nonzero(lengths <= 0))
    if zeros:
        warnings.warn(
            f"{zeros} of {count(records)} records have no direction (all their features are "
            "zero); Lago puts them at a right angle to everything.",
            RarefindWarning,
            stacklevel=4,
        )
