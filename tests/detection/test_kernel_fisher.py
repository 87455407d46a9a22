from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from rarefind.detection.kernel.fisher import KernelFisherDiscriminant
from rarefind.kernels import Centered, Gaussian, Linear

# Two classes of five records with the lecture's means and covariances.
FIRST = np.array([[4, 1], [2, 4], [2, 3], [3, 6], [4, 4]], dtype=float)
SECOND = np.array([[9, 10], [6, 8], [9, 5], [8, 7], [10, 8]], dtype=float)
X = np.vstack([FIRST, SECOND])
y = np.repeat([1, 2], 5)


def direction(model):
    """The direction in the space of the records, for the linear kernel."""
    w = model.dual_coef_[0] @ model.support_records_
    return w / np.linalg.norm(w)


def test_the_lectures_table_has_the_lectures_scatter():
    np.testing.assert_allclose(FIRST.mean(axis=0), [3, 3.6])
    np.testing.assert_allclose(SECOND.mean(axis=0), [8.4, 7.6])
    S1, S2 = np.cov(FIRST.T, bias=True), np.cov(SECOND.T, bias=True)
    np.testing.assert_allclose(S1, [[0.8, -0.4], [-0.4, 2.64]], atol=1e-12)
    np.testing.assert_allclose(S2, [[1.84, -0.04], [-0.04, 2.64]], atol=1e-12)
    apart = SECOND.mean(axis=0) - FIRST.mean(axis=0)
    np.testing.assert_allclose(np.outer(apart, apart), [[29.16, 21.6], [21.6, 16.0]])
    ratio = np.linalg.solve(S1 + S2, np.outer(apart, apart))
    np.testing.assert_allclose(ratio, [[11.892, 8.809], [5.082, 3.764]], atol=1e-3)
    np.testing.assert_allclose(np.linalg.solve(S1 + S2, -apart), [-2.2023, -0.9411], atol=1e-4)


def test_the_lectures_eigenvalue_and_direction_come_out():
    by_covariance = KernelFisherDiscriminant("linear", weighting="equal", ridge=1e-12).fit(X, y)
    by_sums = KernelFisherDiscriminant("linear", weighting="size", ridge=1e-12).fit(X, y)
    assert by_covariance.eigenvalues_[0] == pytest.approx(15.6569, abs=1e-4)
    # Sums over records are five times the covariances; the spread between C classes is
    # N1 N2 / N = 2.5 times that between two.
    assert by_sums.eigenvalues_[0] == pytest.approx(7.8284, abs=1e-4)
    assert by_sums.eigenvalues_[0] / 2.5 == pytest.approx(3.1314, abs=1e-4)
    for model in (by_covariance, by_sums):
        np.testing.assert_allclose(direction(model), [0.9196, 0.3930], atol=1e-4)


def test_within_and_between_add_up_to_the_total():
    centred = X - X.mean(axis=0)
    within = sum(np.cov(part.T, bias=True) * 5 for part in (FIRST, SECOND))
    apart = FIRST.mean(axis=0) - SECOND.mean(axis=0)
    between = 5 * 5 / 10 * np.outer(apart, apart)
    np.testing.assert_allclose(centred.T @ centred, within + between)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_the_linear_kernel_is_linear_discriminant_analysis(seed, classes):
    rng = np.random.default_rng(seed)
    y = np.arange(60) % classes
    X = rng.normal(size=(60, 4)) @ rng.normal(size=(4, 4)) + 3 * rng.normal(size=(classes, 4))[y]
    known = LinearDiscriminantAnalysis(solver="svd").fit(X, y)
    within = sum((X[y == c] - X[y == c].mean(axis=0)).T @ X[y == c] for c in range(classes))
    means = np.array([X[y == c].mean(axis=0) for c in range(classes)])
    slopes = np.linalg.solve(within / 60, means.T)
    model = KernelFisherDiscriminant(Linear(), ridge=1e-12).fit(X, y)
    # By hand: scikit-learn divides the scatter by 60, before 1.9 by 60 - classes.
    shares = np.bincount(y) / 60
    expected = X @ slopes - 0.5 * (means * slopes.T).sum(axis=1) + np.log(shares)
    if classes == 2:
        expected = expected[:, 1] - expected[:, 0]
    else:
        expected -= expected.mean(axis=1, keepdims=True)
    found = model.decision_function(X)
    found = found if classes == 2 else found - found.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())
    ours, theirs = model.transform(X), known.transform(X)
    assert ours.shape == (60, classes - 1)
    for column in range(classes - 1):
        assert abs(np.corrcoef(ours[:, column], theirs[:, column])[0, 1]) > 0.9999


@pytest.mark.parametrize("weighting", ["size", "equal"])
def test_directions_solve_the_eigenproblem_in_the_kernels_space(weighting):
    rng = np.random.default_rng(1)
    numbers = np.arange(30) % 3
    X = rng.normal(size=(30, 2)) + numbers[:, None]
    K = Gaussian(2.0)(X)
    model = KernelFisherDiscriminant(Gaussian(2.0), weighting=weighting, ridge=0.01)
    model.fit(X, numbers)
    # The same problem written with coefficients: directions are combinations of the records.
    within, means = np.zeros_like(K), []
    for c in range(3):
        part = K[:, numbers == c]
        size = part.shape[1]
        spread = part @ (np.eye(size) - 1 / size) @ part.T
        within += spread / (size if weighting == "equal" else 1)
        means.append(part.mean(axis=1))
    centre = np.mean(means, axis=0)
    factor = 3 if weighting == "equal" else 10
    between = factor * sum(np.outer(m - centre, m - centre) for m in means)
    inverse = np.linalg.pinv(K, hermitian=True)
    total = np.trace(inverse @ within) + np.trace(inverse @ between)
    values = linalg.eigh(between, within + 0.01 * total * (K + 1e-13 * np.eye(30)))[0]
    np.testing.assert_allclose(model.eigenvalues_, values[::-1][:2], rtol=1e-4)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12), st.sampled_from([0.001, 0.1, 2.0]))
def test_kernel_ridge_regression_of_two_classes_finds_fishers_direction(seed, rare, ridge):
    rng = np.random.default_rng(seed)
    numbers = (np.arange(30) < rare).astype(int)
    X = rng.normal(size=(30, 2)) + 2 * numbers[:, None]
    model = KernelFisherDiscriminant(Gaussian(2.0), ridge=ridge).fit(X, numbers)
    K = Centered(Gaussian(2.0)).fit(X)
    penalty = ridge * K.diag(X).sum()
    a = np.linalg.solve(K(X) + penalty * np.eye(30), 2.0 * numbers - 1)
    new = rng.normal(size=(10, 2))
    ours, theirs = model.transform(new)[:, 0], K(new, X) @ a
    assert abs(np.corrcoef(ours, theirs)[0, 1]) == pytest.approx(1.0, abs=1e-9)


def test_several_classes_and_few_components():
    rng = np.random.default_rng(2)
    y = np.repeat(["a", "b", "c", "d"], 20)
    X = rng.normal(size=(80, 2)) * 0.3 + np.repeat([[0, 0], [4, 0], [0, 4], [4, 4]], 20, axis=0)
    full = KernelFisherDiscriminant().fit(X, y)
    assert full.transform(X).shape == (80, 3)
    assert (np.diff(full.eigenvalues_) <= 0).all()
    assert (full.predict(X) == y).all()
    few = KernelFisherDiscriminant(n_components=2).fit(X, y)
    np.testing.assert_allclose(few.transform(X), full.transform(X)[:, :2])
    assert list(few.get_feature_names_out()) == [
        "kernelfisherdiscriminant0",
        "kernelfisherdiscriminant1",
    ]
    near = KernelFisherDiscriminant(n_landmarks=30, random_state=0).fit(X, y)
    assert (near.predict(X) == y).all()


def test_a_rare_class_counts_as_much_as_the_background_if_so_wished():
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal(size=(300, 2)) * [1.0, 5.0], rng.normal(size=(6, 2)) * 0.1 + 3.0])
    y = np.repeat([0, 1], [300, 6])
    equal = KernelFisherDiscriminant("linear", weighting="equal").fit(X, y)
    size = KernelFisherDiscriminant("linear", weighting="size").fit(X, y)
    assert equal.predict(X[300:]).tolist() == [1] * 6
    assert (size.predict(X) == 1).sum() < (equal.predict(X) == 1).sum()
