from __future__ import annotations

import math

import numpy as np
import pytest

from rarefind.detection.reports.risk_bounds import srm_bound, vc_bound, xi_alpha_estimate


def test_the_known_toy_problem_comes_out():
    # Margin .750 and R² 9.89 with 80 records in the plane: the bound is vacuous, near a half.
    product = 9.89 / 0.750**2
    assert product / 80 == pytest.approx(0.220, abs=5e-4)
    assert vc_bound(product, 2) == 3.0
    assert srm_bound(0.0, vc_bound(product, 2), 80) == pytest.approx(0.49, abs=5e-3)


def test_the_dimension_matters_only_when_it_is_smaller():
    assert vc_bound(5.0, None) == 6.0
    assert vc_bound(5.0, 100) == 6.0


def test_the_bound_is_the_formula_and_silent_beyond_the_number_of_records():
    inside = 10 * (math.log(2 * 500 / 10) + 1) - math.log(0.01 / 4)
    assert srm_bound(0.1, 10.0, 500, 0.01) == pytest.approx(0.1 + math.sqrt(inside / 500))
    assert srm_bound(0.0, 80.0, 80) is None
    assert srm_bound(0.0, 5.0, 1000) < srm_bound(0.0, 5.0, 100)
    assert srm_bound(0.0, 5.0, 100, 0.5) < srm_bound(0.0, 5.0, 100, 0.01)


def test_the_estimate_counts_large_multipliers_and_slacks():
    alphas, slacks = np.array([0.0, 0.1, 0.6, 0.1]), np.array([0.0, 0.0, 0.0, 2.0])
    assert xi_alpha_estimate(alphas, slacks, 1.0) == 0.5
