from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from rarefind.core.errors import DataError, RarefindWarning, TooLargeError
from rarefind.core.memory_guard import memory_limit
from rarefind.detection.kernel.feature_space import choose_landmarks
from rarefind.detection.kernel.logistic import KernelLogisticRegression
from rarefind.detection.kernel.logistic_newton import begin_on_a_part, fit_two_classes
from rarefind.kernels import Gaussian, Linear


def sample(seed, n=60, classes=2):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    return rng.normal(size=(n, 3)) + y[:, None], y


def slow_newton(K, y, ridge):
    """Iteratively reweighted least squares without a bias: a = (K + λ W⁻¹)⁻¹ z."""
    a = np.zeros(len(y))
    for _ in range(50):
        f = K @ a
        p = expit(f)
        W = p * (1 - p)
        a = np.linalg.solve(K + ridge * np.diag(1 / W), f + (y - p) / W)
    return K @ a


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.3, 3.0), st.sampled_from([0.1, 1.0, 10.0]))
def test_log_odds_equal_reweighted_least_squares(seed, width, ridge):
    X, y = sample(seed)
    model = KernelLogisticRegression(
        Gaussian(width), regularization=ridge, fit_intercept=False
    ).fit(X, y)
    expected = slow_newton(Gaussian(width)(X), y, ridge)
    np.testing.assert_allclose(model.decision_function(X), expected, rtol=1e-7, atol=1e-8)
    assert model.n_iter_ <= 12


@pytest.mark.parametrize("classes", [2, 4])
def test_the_linear_kernel_is_ordinary_logistic_regression(classes):
    X, y = sample(3, n=200, classes=classes)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, size=200)
    known = LogisticRegression(C=1 / 0.3, tol=1e-14, solver="newton-cholesky", max_iter=1000)
    known.fit(X, y, sample_weight=weight)
    model = KernelLogisticRegression(Linear(), regularization=0.3).fit(X, y, weight)
    np.testing.assert_allclose(model.predict_proba(X), known.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose(
        model.predict_log_proba(X), np.log(model.predict_proba(X)), atol=1e-12
    )
    assert model.n_iter_ <= 10


@pytest.mark.parametrize("classes", [2, 3])
def test_mean_probabilities_are_the_shares_of_the_classes(classes):
    X, y = sample(4, n=90, classes=classes)
    probabilities = KernelLogisticRegression(Gaussian(1.0)).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(probabilities.mean(axis=0), np.bincount(y) / len(y), rtol=1e-7)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)


def test_probabilities_of_new_records_are_honest():
    rng = np.random.default_rng(5)
    X = rng.uniform(-3, 3, size=(6000, 1))
    true = expit(2 * np.sin(2 * X[:, 0]) - 1)
    y = rng.uniform(size=6000) < true
    model = KernelLogisticRegression(Gaussian(0.7), regularization=0.1, random_state=0)
    found = model.fit(X[:3000], y[:3000]).predict_proba(X[3000:])[:, 1]
    assert np.abs(found - true[3000:]).mean() < 0.04
    for low in np.arange(0.1, 0.7, 0.1):
        inside = (found >= low) & (found < low + 0.1)
        assert abs(found[inside].mean() - y[3000:][inside].mean()) < 0.07


def test_separable_classes_stay_finite_and_silent():
    X = np.array([[-2.0], [-1.0], [1.0], [2.0]]) * 1e3
    y = [0, 0, 1, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = KernelLogisticRegression(Linear(), regularization=1e-6).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.predict(X).tolist() == y


def test_class_weights_act_like_repeated_records():
    X, y = sample(6, classes=3)
    weighted = KernelLogisticRegression(Gaussian(1.0), class_weight={0: 1, 1: 3, 2: 2}).fit(X, y)
    times = np.array([1, 3, 2])[y]
    repeated = KernelLogisticRegression(Gaussian(1.0)).fit(X.repeat(times, axis=0), y.repeat(times))
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), atol=1e-8
    )


def test_a_class_without_weight_is_refused():
    with pytest.raises(DataError, match=r"positive weight in every class.*class 1"):
        KernelLogisticRegression().fit([[0.0], [1.0]], [0, 1], [1.0, 0.0])


def test_landmarks_hold_all_records_of_the_rarer_classes():
    random = np.random.default_rng(0)
    numbers = np.repeat([0, 1, 2], [5000, 40, 9])
    rows = choose_landmarks(numbers, "auto", random, "Model")
    assert len(rows) == 549
    assert set(range(5000, 5049)) <= set(rows.tolist())
    assert len(choose_landmarks(numbers, "all", random, "Model")) == 5049
    halves = choose_landmarks(np.repeat([0, 1], [3000, 3000]), 100, random, "Model")
    assert len(halves) == 100
    few = choose_landmarks(numbers, 100, random, "Model")
    assert len(few) == 100
    assert set(range(5000, 5049)) <= set(few.tolist())
    assert len(choose_landmarks(numbers, 1, random, "Model")) == 1
    with memory_limit("1GB"), pytest.raises(TooLargeError, match="Set n_landmarks to"):
        choose_landmarks(np.zeros(100_000, dtype=int), "all", random, "Model")


def test_nystroem_approaches_the_exact_solution():
    X, y = sample(7, n=400)
    exact = KernelLogisticRegression(Gaussian(2.0)).fit(X, y).predict_proba(X)
    gaps = []
    for landmarks in (5, 40, 200):
        near = KernelLogisticRegression(Gaussian(2.0), n_landmarks=landmarks, random_state=0)
        gaps.append(np.abs(near.fit(X, y).predict_proba(X) - exact).max())
        assert len(near.support_) == landmarks
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 2e-3


def test_beginning_on_a_part_of_the_records_leads_to_the_same_solution():
    X, y = sample(9, n=800)
    Z, members = np.exp(-(X**2)), y.astype(float)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, size=800)
    start = begin_on_a_part(Z, members, weight, 0.5, intercept=True, step=7)
    settings = {"intercept": True, "tol": 1e-12, "max_iter": 50}
    coef, offset, steps, done = fit_two_classes(Z, members, weight, 0.5, start=start, **settings)
    plain, level, more, _ = fit_two_classes(Z, members, weight, 0.5, **settings)
    assert done
    assert steps <= more
    np.testing.assert_allclose(np.append(coef, offset), np.append(plain, level), atol=1e-9)


def test_stopping_early_is_said():
    X, y = sample(8)
    with pytest.warns(ConvergenceWarning, match="stopped after 1 steps"):
        KernelLogisticRegression(max_iter=1, regularization=1e-3).fit(X, y)


def test_an_indefinite_matrix_is_said():
    K = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    with pytest.warns(RarefindWarning, match="not positive semidefinite: its smallest eigenvalue"):
        model = KernelLogisticRegression("precomputed").fit(K, [0, 1, 1])
    assert np.isfinite(model.decision_function(K)).all()
