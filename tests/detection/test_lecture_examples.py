"""The lecture's examples, with small tables of our own where it prints no numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression

from rarefind.detection.kernel.fisher import KernelFisherDiscriminant
from rarefind.detection.kernel.logistic import KernelLogisticRegression
from rarefind.detection.kernel.perceptron import KernelPerceptron
from rarefind.detection.reports.novikoff import novikoff_bound
from rarefind.kernels import Linear

NEARLY_NONE = 1e-9


@pytest.fixture(scope="module")
def clicks():
    """Who clicks on an advertisement: hours on the site, age in decades, seen before."""
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [rng.exponential(1.0, 200), rng.uniform(1.5, 7.0, 200), rng.integers(0, 2, 200)]
    )
    y = rng.uniform(size=200) < expit(0.8 * X[:, 0] - 0.5 * X[:, 1] + X[:, 2])
    return X, y.astype(int)


@pytest.fixture(scope="module")
def credit():
    """Who pays back a credit: income, debts, years in the job; the classes can be separated."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3))
    score = 1.5 * X[:, 0] - 2.0 * X[:, 1] + 0.5 * X[:, 2] + 0.3
    kept = np.abs(score) > 0.4
    return X[kept], np.where(score[kept] > 0, "good", "bad")


def coefficients(model):
    return model.dual_coef_[0] @ model.support_records_, model.intercept_[0]


def test_clicks_reweighted_least_squares_equal_scikit_learns_in_ten_steps(clicks):
    X, y = clicks
    known = LogisticRegression(C=np.inf, tol=1e-14, solver="newton-cholesky", max_iter=200)
    known.fit(X, y)
    model = KernelLogisticRegression(Linear(), regularization=NEARLY_NONE).fit(X, y)
    slope, alpha = coefficients(model)
    np.testing.assert_allclose(slope, known.coef_[0], atol=1e-9)
    assert alpha == pytest.approx(known.intercept_[0], abs=1e-9)
    assert model.n_iter_ <= 10


def test_clicks_the_model_is_linear_in_the_log_odds(clicks):
    X, y = clicks
    model = KernelLogisticRegression(Linear(), regularization=1.0).fit(X, y)
    slope, alpha = coefficients(model)
    p = model.predict_proba(X)[:, 1]
    assert ((p > 0) & (p < 1)).all()
    # log(p / (1 - p)) = α + βx, and not log p as one slide has it.
    np.testing.assert_allclose(logit(p), alpha + X @ slope, atol=1e-9)
    assert np.abs(np.log(p) - (alpha + X @ slope)).min() > 0
    # α is the log-odds at x = 0, not a probability.
    origin = np.zeros((1, 3))
    assert model.decision_function(origin)[0] == pytest.approx(alpha)
    assert model.predict_proba(origin)[0, 1] == pytest.approx(expit(alpha))
    # One unit more of a feature multiplies the odds by exp(β).
    odds = p[0] / (1 - p[0])
    longer = X[:1].copy()
    longer[0, 0] += 1.0
    more = model.predict_proba(longer)[0, 1]
    assert more / (1 - more) / odds == pytest.approx(np.exp(slope[0]))


def test_clicks_the_gradient_vanishes_at_the_solution(clicks):
    X, y = clicks
    model = KernelLogisticRegression(Linear(), regularization=0.5).fit(X, y)
    slope, _ = coefficients(model)
    residual = y - model.predict_proba(X)[:, 1]
    assert residual.sum() == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(X.T @ residual, 0.5 * slope, atol=1e-8)


def test_credit_the_perceptron_stays_below_novikoffs_bound(credit):
    X, y = credit
    signs = np.where(y == "good", 1.0, -1.0)
    tight = novikoff_bound(X @ X.T, signs)
    assert np.isfinite(tight)
    for seed in range(10):
        model = KernelPerceptron(Linear(), averaged=False, epochs=500, random_state=seed)
        model.fit(X, y)
        assert model.converged_
        assert model.mistakes_[0] <= tight <= model.novikoff_bound_[0]
        assert (model.predict(X) == y).all()


def test_credit_a_mistake_is_a_wrong_sign_or_zero(credit):
    X, y = credit
    # From w = 0 the first record is always a mistake, whatever its class.
    for first in ("good", "bad"):
        order = np.argsort(y != first, kind="stable")
        model = KernelPerceptron(Linear(), averaged=False, epochs=1, shuffle=False)
        model.fit(X[order], y[order])
        assert model.support_[0] == 0


def test_credit_fishers_direction_is_that_of_discriminant_analysis(credit):
    X, y = credit
    model = KernelFisherDiscriminant(Linear(), ridge=1e-10).fit(X, y)
    known = LinearDiscriminantAnalysis().fit(X, y)
    w = model.dual_coef_[0] @ model.support_records_
    v = known.coef_[0]
    assert abs(w @ v) / np.linalg.norm(w) / np.linalg.norm(v) == pytest.approx(1.0, abs=1e-6)
    means = [X[y == name].mean(axis=0) for name in ("bad", "good")]
    within = sum(np.cov(X[y == name].T, bias=True) * (y == name).sum() for name in ("bad", "good"))
    formula = np.linalg.solve(within, means[1] - means[0])
    np.testing.assert_allclose(w / np.linalg.norm(w), formula / np.linalg.norm(formula), atol=1e-6)


def test_credit_separable_classes_stay_finite_only_with_a_penalty(credit):
    X, y = credit
    lengths = []
    for ridge in (1.0, 1e-2, 1e-4):
        slope, _ = coefficients(KernelLogisticRegression(Linear(), regularization=ridge).fit(X, y))
        assert np.isfinite(slope).all()
        lengths.append(np.linalg.norm(slope))
    assert lengths[0] < lengths[1] < lengths[2]
