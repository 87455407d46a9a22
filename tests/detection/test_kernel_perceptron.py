from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rarefind.core.errors import DataError, NotAvailableError, ParameterError
from rarefind.detection.kernel import perceptron as kernel_perceptron
from rarefind.detection.kernel.perceptron import KernelPerceptron
from rarefind.detection.reports.novikoff import novikoff_bound
from rarefind.kernels import Gaussian, Linear
from tests.detection.letters import KINDS, WORDS, Letters


def slow_perceptron(K, y, epochs, averaged):
    """The lecture's loop, with the bias update it forgot, and the mean over all steps."""
    n = len(y)
    a, bias, mistakes, steps = np.zeros(n), 0.0, 0, 0
    sum_a, sum_bias = np.zeros(n), 0.0
    for _ in range(epochs):
        wrong = 0
        for i in range(n):
            if y[i] * (K[i] @ a + bias) <= 0:
                a[i] += y[i]
                bias += y[i]
                wrong += 1
            steps += 1
            sum_a += a
            sum_bias += bias
        mistakes += wrong
        scores = (K @ sum_a + sum_bias) / steps if averaged else K @ a + bias
        if wrong == 0 and (y * scores > 0).all():
            break
    return scores, mistakes


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 40), st.floats(0.0, 3.0))
def test_scores_and_mistakes_equal_the_plain_loop(seed, n, apart):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + apart * y[:, None]
    for averaged in (False, True):
        expected, mistakes = slow_perceptron(Linear()(X), y, 5, averaged)
        model = KernelPerceptron(Linear(), epochs=5, averaged=averaged, shuffle=False).fit(X, y)
        np.testing.assert_allclose(model.decision_function(X), expected, rtol=1e-9, atol=1e-9)
        assert model.mistakes_.tolist() == [mistakes]
        assert model.mistakes_[0] <= model.novikoff_bound_[0]
        if model.converged_:
            tight = novikoff_bound(Linear()(X), y)
            assert mistakes <= tight * (1 + 1e-9)
            assert tight <= model.novikoff_bound_[0] * (1 + 1e-9)


def test_small_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3))
    y = np.arange(60) % 3
    whole = KernelPerceptron(Gaussian(1.0), random_state=0).fit(X, y)
    monkeypatch.setattr(kernel_perceptron, "BLOCK", 7)
    parts = KernelPerceptron(Gaussian(1.0), random_state=0).fit(X, y)
    np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X), atol=1e-9)
    np.testing.assert_allclose(parts.novikoff_bound_, whole.novikoff_bound_)


def test_a_pass_by_partial_fit_is_a_pass_of_fit():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(50, 2)), rng.integers(0, 3, size=50)
    whole = KernelPerceptron(Gaussian(0.7), epochs=1, shuffle=False).fit(X, y)
    for make in (np.asarray, sparse.csr_array):
        parts = KernelPerceptron(Gaussian(0.7))
        for start in range(0, 50, 13):
            rows = slice(start, start + 13)
            parts.partial_fit(make(X)[rows], y[rows], classes=[0, 1, 2])
        np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X))
        assert parts.support_.tolist() == whole.support_.tolist()
        assert parts.mistakes_.tolist() == whole.mistakes_.tolist()


def test_partial_fit_learns_strings_and_goes_on_after_fit():
    model = KernelPerceptron(Letters(), random_state=0)
    for _ in range(5):
        for word, kind in zip(WORDS, KINDS, strict=True):
            model.partial_fit([word], [kind], classes=["low", "high"])
    assert model.predict(WORDS).tolist() == KINDS
    fitted = KernelPerceptron(Letters(), random_state=0).fit(WORDS, KINDS)
    assert fitted.partial_fit(["yyy"], ["high"]).predict(["yy", "b"]).tolist() == ["high", "low"]


def test_partial_fit_refuses_what_it_cannot_do():
    with pytest.raises(ParameterError, match="must list all classes in the first call"):
        KernelPerceptron().partial_fit([[1.0]], [0])
    with pytest.raises(NotAvailableError, match="needs the records themselves"):
        KernelPerceptron("precomputed").partial_fit([[1.0]], [0], classes=[0, 1])
    model = KernelPerceptron(Linear()).partial_fit([[1.0]], [0], classes=[0, 1])
    with pytest.raises(DataError, match=r"told of the classes \[0, 1\]. Got label 7"):
        model.partial_fit([[1.0]], [7])


def test_the_bound_is_infinite_where_classes_overlap():
    X, y = [[0.0], [1.0], [0.0], [1.0]], [0, 0, 1, 1]
    model = KernelPerceptron(Linear(), epochs=5).fit(X, y)
    assert not model.converged_
    assert np.isinf(model.novikoff_bound_).all()
    assert novikoff_bound(Linear()(X), np.array([-1.0, -1.0, 1.0, 1.0])) == np.inf


def test_the_least_bound_is_that_of_the_widest_plane():
    # Points at ±(2, 0) with the bias as a third coordinate: the normal is the first axis.
    bound = novikoff_bound(np.array([[4.0, -4.0], [-4.0, 4.0]]), np.array([1.0, -1.0]))
    assert bound == pytest.approx((4.0 + 1.0) / 4.0)


@pytest.mark.parametrize("epochs", [3, 50, 5000])
@pytest.mark.parametrize("averaged", [True, False])
def test_it_says_truly_whether_its_function_separates(averaged, epochs):
    said = []
    for seed in range(6):
        flat = np.random.default_rng(seed).uniform(-1.0, 1.0, size=(120, 2))
        X = np.column_stack([flat, (flat**2).sum(axis=1)])
        y = X[:, 2] < 0.5
        model = KernelPerceptron(Linear(), averaged=averaged, epochs=epochs, random_state=seed)
        model.fit(X, y)
        said.append(model.converged_)
        assert model.converged_ == (model.predict(X) == y).all()
        assert model.n_iter_ <= epochs
        assert model.mistakes_[0] <= model.novikoff_bound_[0]
    assert all(said) or epochs < 5000
