"""Quantiles of ordered columns are numpy's, to the last digit: saved models depend on them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rarefind.features.scaling import Squash, middle_of


@given(seed=st.integers(0, 10_000), n=st.integers(1, 40), rounded=st.booleans())
def test_the_scale_is_that_of_medians_and_quantiles(seed, n, rounded):
    matrix = np.random.default_rng(seed).normal(size=(n, 3)) * [1.0, 30.0, 1e-3]
    matrix = matrix.round() if rounded else matrix
    learnt = Squash.learnt(matrix)
    within = matrix * np.ldexp(1.0, -learnt.exponent)
    np.testing.assert_array_equal(learnt.middle, np.median(within, axis=0))
    low, high = np.quantile(within, [0.25, 0.75], axis=0)
    wide = high > low
    np.testing.assert_array_equal(learnt.scale[wide], ((high - low) / 1.349)[wide])
    np.testing.assert_array_equal(middle_of(np.sort(matrix, axis=0)), np.median(matrix, axis=0))
