from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from rarefind.core.errors import DataError
from rarefind.features.unit_spread import UnitSpread


def test_it_is_a_scikit_learn_transformer():
    check_estimator(UnitSpread(), on_skip=None)


@given(st.integers(0, 1000), st.integers(-250, 250))
def test_it_scales_as_scikit_learn_does_whatever_the_size(seed, exponent):
    X = np.random.default_rng(seed).normal(1.0, 2.0, size=(20, 3))
    found = UnitSpread().fit_transform(np.ldexp(X, exponent))
    np.testing.assert_allclose(found, StandardScaler().fit_transform(X), rtol=1e-12, atol=1e-14)


def test_constant_features_become_zero():
    X = np.column_stack([np.full(1000, 0.1), np.arange(1000.0), np.zeros(1000)])
    found = UnitSpread().fit_transform(X)
    assert np.abs(found[:, [0, 2]]).max() < 1e-12
    np.testing.assert_allclose(found[:, 1].std(), 1.0)


def test_sparse_records_are_divided_only():
    rng = np.random.default_rng(0)
    X = sparse.csr_array(rng.normal(size=(50, 4)) * (rng.random((50, 4)) < 0.3))
    found = UnitSpread().fit_transform(X)
    expected = X.toarray() / X.toarray().std(axis=0)
    np.testing.assert_allclose(found.toarray(), expected)


def test_gaps_pass_through_where_they_are_allowed():
    X = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan]])
    found = UnitSpread(allow_missing=True).fit_transform(X)
    np.testing.assert_array_equal(found[:, 0], [-1.0, 1.0, np.nan])
    with pytest.raises(DataError, match="Forest needs finite numbers"):
        UnitSpread("Forest").fit(X)


def test_records_far_beyond_those_learnt_from_stay_finite():
    scaler = UnitSpread().fit([[1e-5], [2e-5]])
    assert np.isfinite(scaler.transform([[1e307]]) ** 2).all()
