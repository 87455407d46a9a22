"""Sparse features that every learner takes."""

from __future__ import annotations

import numpy as np
from scipy import sparse


def with_small_indices(matrix: sparse.csr_array) -> sparse.csr_array:
    """Use indices of 32 bits where they are enough, since some learners take no others.

    >>> wide = sparse.csr_array(([1.0], ([0], [5])), shape=(1, 9))
    >>> with_small_indices(wide).indices.dtype.name
    'int32'
    """
    if max(matrix.nnz, *matrix.shape) >= 2**31:
        return matrix
    indices, ends = (part.astype(np.int32, copy=False) for part in (matrix.indices, matrix.indptr))
    return sparse.csr_array((matrix.data, indices, ends), shape=matrix.shape)
