from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from rarefind.core.errors import DataError, RarefindWarning
from rarefind.kernels import Gaussian, GivenGram, Normalized
from rarefind.testing import check_kernel

X = np.random.default_rng(0).normal(size=(8, 3))
GRAM = Gaussian(2.0)(X)


def test_records_are_row_numbers():
    kernel = GivenGram(GRAM)
    np.testing.assert_array_equal(kernel([1, 3], [0]), GRAM[[1, 3]][:, [0]])
    np.testing.assert_array_equal(kernel(np.array([[1.0], [3.0]])), GRAM[np.ix_([1, 3], [1, 3])])
    check_kernel(kernel, np.arange(8))
    check_kernel(Normalized(kernel * 2) + 1, list(range(8)))
    np.testing.assert_array_equal(clone(kernel)([2]), [[1.0]])


def test_an_asymmetric_matrix_is_refused():
    with pytest.raises(DataError, match=r"not symmetric.*up to 1.*\(K \+ K.T\) / 2"):
        GivenGram(GRAM + np.eye(8, k=1))([0])


def test_an_indefinite_matrix_is_used_with_a_warning_given_once():
    kernel = GivenGram([[1.0, 2.0], [2.0, 1.0]])
    with pytest.warns(RarefindWarning, match=r"negative eigenvalue \(-1;"):
        kernel([0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(kernel([0], [1]), [[2.0]])


@pytest.mark.parametrize("records", [[8], [-1], [0.5], ["a"], np.zeros((2, 2), int)])
def test_other_records_are_refused(records):
    with pytest.raises(DataError, match="row numbers of its matrix, from 0 to 7"):
        GivenGram(GRAM)(records)


def test_a_matrix_that_is_not_square_is_refused():
    with pytest.raises(DataError, match="GivenGram needs a square matrix"):
        GivenGram(GRAM[:3])([0])
