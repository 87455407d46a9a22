from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

from rarefind.detection.lago import exponents as lago_exponents
from rarefind.detection.lago.exponents import Expansion, sum_logarithms


def plain(X, centres, bandwidths, weights, stretch):
    """Logarithms of weighted votes by the definition, a row for every centre."""
    widths = bandwidths[:, None] if bandwidths.ndim == 1 else bandwidths
    wide = widths[:, None, :] * stretch[None, :, None]
    apart = (X[None] - centres[:, None]) / wide
    return np.log(weights)[:, None] - 0.5 * (apart**2).sum(axis=2)


@given(
    seed=st.integers(0, 1000),
    by_feature=st.booleans(),
    stretched=st.booleans(),
    offset=st.sampled_from([0.0, 1e4]),
)
def test_exponents_are_those_of_the_definition(seed, by_feature, stretched, offset):
    rng = np.random.default_rng(seed)
    X, centres = rng.normal(size=(40, 3)) * 3 + offset, rng.normal(size=(6, 3)) + offset
    bandwidths = rng.uniform(0.2, 2.0, size=(6, 3) if by_feature else 6)
    weights = rng.uniform(1e-9, 1.0, size=6)
    stretch = rng.uniform(0.5, 2.0, size=40) if stretched else None
    expected = plain(X, centres, bandwidths, weights, np.ones(40) if stretch is None else stretch)
    found = Expansion.of(centres, bandwidths, weights).exponents(X, stretch)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-10)


def test_records_far_out_for_the_bandwidths_are_left_to_the_slow_way():
    expansion = Expansion.of(np.zeros((1, 2)), np.array([1e-3]), np.ones(1))
    assert expansion.exponents(np.array([[0.1, 0.1]])) is not None
    assert expansion.exponents(np.array([[1e6, 1.0]])) is None


@given(
    seed=st.integers(0, 1000),
    spread=st.sampled_from([0.1, 5.0, 50.0, 2000.0]),
    share=st.sampled_from([0.0, 0.2, 1.0]),
)
def test_sums_are_exact_whether_votes_are_picked_out_or_not(seed, spread, share):
    rng = np.random.default_rng(seed)
    exponents = -spread * rng.random((30, 17)) - rng.choice([0.0, 900.0], size=17)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lago_exponents, "MOSTLY_FAINT", share)
        found = sum_logarithms(exponents.copy())
        rough = sum_logarithms(exponents.copy(), single=True)
    expected = logsumexp(exponents, axis=0)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(rough, expected, rtol=1e-6, atol=1e-5)
