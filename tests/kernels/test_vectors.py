from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel

from rarefind.core.errors import DataError, NotAvailableError, ParameterError
from rarefind.kernels import Gaussian, Linear
from rarefind.testing.kernels import check_kernel

matrices = arrays(
    np.float64, st.tuples(st.integers(4, 9), st.integers(1, 4)), elements=st.floats(-5, 5)
)


@given(matrices)
def test_vector_kernels_keep_their_promises(X):
    check_kernel(Linear(), X)
    check_kernel(Gaussian(width=1.5), X)


@given(matrices)
def test_values_equal_scikit_learns(X):
    np.testing.assert_allclose(Linear()(X), linear_kernel(X), atol=1e-12)
    np.testing.assert_allclose(
        Gaussian(width=2.0)(X), rbf_kernel(X, gamma=1 / 8), rtol=1e-12, atol=1e-12
    )


def test_sparse_vectors_give_what_dense_ones_give():
    X = np.random.default_rng(0).poisson(0.3, size=(20, 30)).astype(float)
    for kernel in (Linear(), Gaussian(width=3.0)):
        np.testing.assert_allclose(kernel(sparse.csr_array(X)), kernel(X), atol=1e-12)
        np.testing.assert_allclose(kernel.diag(sparse.csr_array(X)), kernel.diag(X), atol=1e-12)


def test_a_width_of_zero_is_refused_when_used():
    with pytest.raises(ParameterError, match=r"'width' parameter of Gaussian.*\(0, inf\).*Got 0"):
        Gaussian(width=0)([[1.0], [2.0]])


def test_strings_and_missing_numbers_are_refused_in_words():
    with pytest.raises(DataError, match="Linear needs a table of numbers"):
        Linear()(["abc", "de"])
    with pytest.raises(DataError, match="Row 1, column 0 holds nan"):
        Linear()([[1.0], [np.nan]])


def test_a_gaussian_has_no_finite_features():
    with pytest.raises(NotAvailableError, match="no finite list of features"):
        Gaussian().features([[1.0]])
