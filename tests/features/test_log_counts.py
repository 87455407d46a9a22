from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from rarefind.features.log_counts import LogCounts


@given(arrays(np.float64, (3, 4), elements=st.integers(0, 1000).map(float)))
def test_sparse_and_dense_counts_become_the_same_logarithms(counts):
    dense = LogCounts().fit_transform(counts)
    thin = LogCounts().fit_transform(sparse.csr_array(counts))
    assert sparse.issparse(thin)
    np.testing.assert_allclose(thin.toarray(), dense)
    np.testing.assert_allclose(np.expm1(dense), counts)
