"""The textbook's planes: what the lectures print, and slow references."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg, sparse
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

import rarefind as rf
from rarefind.core.errors import DataError, ParameterError
from rarefind.detection import FisherDiscriminant, LogisticML, LogisticSGD, Perceptron, make

LECTURE = np.array(
    [[4, 1], [2, 4], [2, 3], [3, 6], [4, 4], [9, 10], [6, 8], [9, 5], [8, 7], [10, 8]], dtype=float
)
HALVES = np.array([1] * 5 + [2] * 5)


def circle(seed):
    """Points inside and outside a circle, with the sum of squares as a third coordinate."""
    flat = np.random.default_rng(seed).uniform(-1.0, 1.0, size=(300, 2))
    squares = (flat**2).sum(axis=1)
    return np.column_stack([flat, squares]), np.where(squares < 0.5, "inside", "outside")


def clicks(n=200):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.exponential(1.0, n), rng.uniform(15, 70, n), rng.integers(0, 2, n)])
    odds = 0.8 * X[:, 0] - 0.05 * X[:, 1] + X[:, 2]
    return X, (rng.uniform(size=n) < expit(odds)).astype(int)


def slow_perceptron(X, signs, eta, w0, epochs):
    w, mistakes = np.array(w0, dtype=float), 0
    for _ in range(epochs):
        before = mistakes
        for x, sign in zip(np.column_stack([X, np.ones(len(X))]), signs, strict=True):
            if sign * (w @ x) <= 0:
                w, mistakes = w + eta * sign * x, mistakes + 1
        if mistakes == before:
            return w, mistakes, True
    return w, mistakes, False


@pytest.mark.parametrize("seed", range(5))
def test_the_perceptron_separates_the_lectures_circle(seed):
    X, y = circle(seed)
    model = make("perceptron").fit(X, y)
    inner = model.estimators_[0][-1]
    assert (model.predict(X) == y).all()
    assert inner.converged_
    told = rf.detection.report(model, X, y).to_dict()["mistakes"]
    assert 0 < told["mistakes in learning"] <= told["Novikoff's bound"]


@given(
    seed=st.integers(0, 10**6),
    eta=st.floats(0.01, 10.0),
    start=st.lists(st.floats(-5.0, 5.0), min_size=3, max_size=3),
)
def test_mistakes_and_plane_are_those_of_the_slow_perceptron(seed, eta, start):
    rng = np.random.default_rng(seed)
    X, signs = rng.normal(size=(25, 2)), np.ones(25)
    signs[X[:, 0] > 0.3 * X[:, 1]] = -1.0
    X[:, 0] -= 0.2 * signs
    w, mistakes, done = slow_perceptron(X, signs, eta, start, 40)
    model = Perceptron(eta0=eta, w0=start, epochs=40, averaged=False, shuffle=False)
    model.fit(X, signs)
    assert model.mistakes_[0] == mistakes
    assert model.converged_ == done
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), w, atol=1e-9)
    assert mistakes <= model.novikoff_bound_[0] * (1 + 1e-9)
    apart = Perceptron(eta0=eta, w0=start, epochs=40, averaged=False, shuffle=False)
    apart.fit(sparse.csr_array(X), signs)
    np.testing.assert_allclose(apart.coef_, model.coef_, atol=1e-9)


def test_without_starting_weights_the_rate_changes_only_the_length():
    X, y = circle(0)
    slow, fast = (Perceptron(eta0=eta, random_state=0).fit(X, y) for eta in (0.5, 2.0))
    np.testing.assert_allclose(4 * slow.coef_, fast.coef_)
    assert slow.mistakes_ == fast.mistakes_
    assert slow.novikoff_bound_ == pytest.approx(fast.novikoff_bound_)


def test_where_classes_overlap_the_mean_plane_judges_and_there_is_no_bound():
    X, y = clicks()
    mean, last = (
        Perceptron(averaged=averaged, epochs=30, random_state=0).fit(X, y)
        for averaged in (True, False)
    )
    assert not mean.converged_
    assert mean.novikoff_bound_[0] == math.inf
    assert np.abs(mean.coef_ - last.coef_).max() > 0
    known = (LogisticML().fit(X, y).predict(X) == y).mean()
    assert (mean.predict(X) == y).mean() > known - 0.1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"w0": [1.0]}, r"must hold 3 numbers, one for each feature, or 4 with the bias"),
        ({"w0": "steep"}, r"must hold 3 numbers"),
        ({"w0": [1.0, math.inf, 0.0]}, "finite numbers"),
        ({"eta0": 0.0}, r"'eta0' parameter of Perceptron must be a number in \(0, inf\)"),
    ],
)
def test_wrong_parameters_are_refused_in_words(wrong, words):
    X, y = circle(0)
    with pytest.raises(ParameterError, match=words):
        Perceptron(**wrong).fit(X, y)


@pytest.mark.parametrize("learner", [Perceptron, LogisticML, LogisticSGD, FisherDiscriminant])
def test_one_plane_is_for_two_classes(learner):
    with pytest.raises(DataError, match="needs records of two classes"):
        learner().fit(LECTURE, [1, 2, 3] * 3 + [1])
    with pytest.raises(DataError, match="one class"):
        learner().fit(LECTURE, [1] * 10)


def test_maximum_likelihood_has_the_textbooks_coefficients_in_the_features_own_units():
    X, y = clicks()
    known = LogisticRegression(C=np.inf, solver="newton-cg", tol=1e-10, max_iter=10_000).fit(X, y)
    model = make("logistic-ml", target=1).fit(X, y).estimators_[0]
    np.testing.assert_allclose(model.coef_, known.coef_, rtol=1e-4)
    np.testing.assert_allclose(model.intercept_, known.intercept_, rtol=1e-4)
    assert model.gradient_ < 1e-8
    np.testing.assert_allclose(
        model.decision_function(X), X @ model.coef_[0] + model.intercept_, atol=1e-9
    )


def test_stochastic_descent_reaches_maximum_likelihood():
    X, y = clicks()
    exact = LogisticML().fit(X, y)
    for seed in range(3):
        model = LogisticSGD(random_state=seed).fit(X, y)
        assert model.converged_
        np.testing.assert_allclose(model.coef_, exact.coef_, atol=0.01)
        np.testing.assert_allclose(model.intercept_, exact.intercept_, atol=0.05)
        assert len(model.eta_) == len(model.log_likelihood_) == model.n_iter_
        assert (np.diff(model.eta_) < 0).all()
    told = rf.detection.report(make("logistic-sgd").fit(X, y), X, y).to_dict()["descent"]
    assert told["first step"] > told["last step"] > 0
    doubled = LogisticSGD(random_state=0).fit(X, y, sample_weight=np.full(200, 2.0))
    np.testing.assert_allclose(doubled.coef_, exact.coef_, atol=0.01)


def test_a_likelihood_that_is_not_at_its_greatest_is_told_of():
    X, y = clicks()
    assert LogisticML().fit(X, y).converged_
    assert not LogisticSGD(epochs=2, random_state=0).fit(X, y).converged_
    apart = make("logistic-ml").fit(LECTURE, HALVES)
    assert not apart.estimators_[0].converged_
    told = rf.detection.report(apart, LECTURE, HALVES).sections["likelihood"][0]
    assert told.value is False
    assert "a plane separates the classes" in told.note


@pytest.mark.parametrize(
    ("scatter", "value"), [("covariances", 15.6569), ("sums", 3.1314), ("classes", 7.8284)]
)
def test_fishers_discriminant_gives_the_lectures_numbers_by_name(scatter, value):
    model = make("fisher", scatter=scatter, target=2).fit(LECTURE, HALVES).estimators_[0]
    assert model.eigenvalues_[0] == pytest.approx(value, abs=5e-5)
    np.testing.assert_allclose(model.coef_[0], [0.9196, 0.3930], atol=5e-5)
    np.testing.assert_allclose(model.means_, [[3.0, 3.6], [8.4, 7.6]])
    greatest = linalg.eigh(model.between_, model.within_, eigvals_only=True)[-1]
    assert model.eigenvalues_[0] == pytest.approx(greatest)
    if scatter == "covariances":
        np.testing.assert_allclose(model.within_, [[2.64, -0.44], [-0.44, 5.28]])


def test_fishers_discriminant_bears_features_that_repeat_or_never_change():
    X = np.column_stack([LECTURE, LECTURE[:, 0], np.ones(10)])
    model = FisherDiscriminant().fit(X, HALVES)
    assert np.isfinite(model.coef_).all()
    assert (model.predict(X) == HALVES).all()
    shrunken = FisherDiscriminant(ridge=1.0).fit(LECTURE, HALVES)
    assert 0 < shrunken.eigenvalues_[0] < FisherDiscriminant().fit(LECTURE, HALVES).eigenvalues_[0]
