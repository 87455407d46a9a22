from __future__ import annotations

from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.metrics.pairwise import (
    cosine_similarity,
    laplacian_kernel,
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
)

from rarefind.core.errors import (
    DataError,
    NotAvailableError,
    ParameterError,
    RarefindWarning,
    TooLargeError,
)
from rarefind.core.memory_guard import memory_limit
from rarefind.kernels import (
    AllSubsets,
    Anova,
    Cosine,
    Gaussian,
    Intersection,
    Laplacian,
    Linear,
    Polynomial,
    RandomFourier,
    RandomPolynomial,
    Sigmoid,
    Spline,
)
from rarefind.kernels.vectors.fourier import waves_needed
from rarefind.testing import check_kernel

few = settings(max_examples=25, deadline=None)
matrices = arrays(
    np.float64,
    st.tuples(st.integers(4, 9), st.integers(1, 4)),
    elements=st.floats(-5, 5).map(lambda x: 0.0 if abs(x) < 1e-3 else x),
)
KERNELS = [
    Linear(),
    Gaussian(width=1.5),
    Gaussian(gamma=0.3),
    Polynomial(0),
    Polynomial(1),
    Polynomial(1, offset=0.0),
    Gaussian(width=2.0, kernel=Polynomial(2)),
    Polynomial(degree=3, offset=0.5, scale=0.3),
    Polynomial(degree=2, offset=0),
    Laplacian(width=2.0),
    Cosine(),
    AllSubsets(),
    Anova(degree=1),
    Anova(degree=2),
    Anova(degree=7),
    RandomFourier(width=2.0, n_waves=50),
    RandomFourier(width=2.0, n_waves=50, of="laplacian"),
    RandomPolynomial(2, n_features=50),
    Polynomial(0),
    Polynomial(1, offset=2.0),
]


@pytest.fixture
def warned_before(monkeypatch):
    monkeypatch.setattr(Sigmoid, "warned", True)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_vector_kernels_keep_their_promises(kernel):
    @few
    @given(matrices)
    def check(X):
        check_kernel(kernel, X)

    check()


@pytest.mark.parametrize("order", [0, 1])
def test_splines_keep_their_promises(order):
    @few
    @given(matrices)
    def check(X):
        check_kernel(Spline(order=order), np.abs(X))

    check()


@few
@given(matrices)
def test_values_equal_scikit_learns(X):
    def same(kernel, expected):
        np.testing.assert_allclose(kernel(X), expected, rtol=1e-10, atol=1e-10)

    same(Linear(), linear_kernel(X))
    same(Gaussian(width=2.0), rbf_kernel(X, gamma=1 / 8))
    same(Gaussian(gamma=0.3), rbf_kernel(X, gamma=0.3))
    same(Gaussian(gamma=0.3, kernel=Linear()), rbf_kernel(X, gamma=0.3))
    same(Polynomial(3, offset=2.0, scale=0.5), polynomial_kernel(X, degree=3, gamma=0.5, coef0=2))
    same(Laplacian(width=4.0), laplacian_kernel(X, gamma=0.25))
    same(Cosine(), cosine_similarity(X))


def test_the_sigmoid_equals_scikit_learns(warned_before):
    X = np.random.default_rng(0).normal(size=(6, 3))
    kernel = Sigmoid(scale=0.4, offset=-1)
    np.testing.assert_allclose(kernel(X), sigmoid_kernel(X, gamma=0.4, coef0=-1))
    check_kernel(kernel, X, semidefinite=False)


def test_the_sigmoid_warns_once_that_it_is_no_inner_product(monkeypatch):
    monkeypatch.setattr(Sigmoid, "warned", False)
    with pytest.warns(RarefindWarning, match="not positive semidefinite in general") as caught:
        Sigmoid()([[1.0]])
    Sigmoid(scale=2.0)([[1.0]])  # a second warning would be an error here
    assert caught[0].filename == __file__


def subsets(width):
    return chain.from_iterable(combinations(range(width), size) for size in range(width + 1))


@few
@given(matrices)
def test_products_of_coordinates_equal_their_enumeration(X):
    width = X.shape[1]
    monomials = {chosen: np.prod(X[:, list(chosen)], axis=1) for chosen in subsets(width)}
    everything = sum(np.outer(values, values) for values in monomials.values())
    np.testing.assert_allclose(AllSubsets()(X), everything, rtol=1e-9, atol=1e-9)
    for degree in (1, 2, 3):
        chosen = [values for key, values in monomials.items() if len(key) == degree]
        some = sum((np.outer(v, v) for v in chosen), np.zeros((len(X), len(X))))
        np.testing.assert_allclose(Anova(degree)(X), some, rtol=1e-9, atol=1e-9)
    by_degree = 1 + sum(Anova(degree)(X) for degree in range(1, width + 1))
    np.testing.assert_allclose(AllSubsets()(X), by_degree, rtol=1e-9, atol=1e-9)


def test_polynomial_features_list_every_monomial_once():
    X = np.array([[2.0, 3.0]])
    np.testing.assert_allclose(
        Polynomial(2, offset=1.0).features(X)[0],
        [1, 2**0.5 * 2, 2**0.5 * 3, 4, 2**0.5 * 6, 9],
    )
    assert Polynomial(3).features(np.ones((2, 5))).shape == (2, 56)


def test_the_linear_spline_integrates_its_hinges():
    # 1 + xz + the integral of (x - t)+ (z - t)+ over t > 0, here by a fine sum.
    t = (np.arange(200_000) + 0.5) * 5e-5
    for x, z in product((0.0, 0.7, 2.5), repeat=2):
        integral = (np.clip(x - t, 0, None) * np.clip(z - t, 0, None)).sum() * 5e-5
        found = Spline()([[x]], [[z]])[0, 0]
        assert found == pytest.approx(1 + x * z + integral, rel=1e-6)
    by_hand = (1 + 2 + 2 - 1.5 + 1 / 3) * (1 + 12 + 36 - 31.5 + 9)
    assert Spline()([[1.0, 3.0]], [[2.0, 4.0]])[0, 0] == pytest.approx(by_hand)


def test_splines_of_order_zero_multiply_minima():
    X = np.random.default_rng(1).uniform(size=(5, 3))
    expected = [[np.minimum(x, z).prod() for z in X] for x in X]
    np.testing.assert_allclose(Spline(order=0)(X), expected)


def test_sparse_vectors_give_what_dense_ones_give(warned_before):
    X = np.random.default_rng(0).poisson(0.3, size=(20, 30)).astype(float)
    for kernel in [*KERNELS, Spline(), Sigmoid()]:
        if isinstance(kernel, Anova) and kernel.degree > 2:
            continue
        scale = np.abs(kernel(X)).max()
        np.testing.assert_allclose(kernel(sparse.csr_array(X)), kernel(X), atol=1e-12 * scale)
        np.testing.assert_allclose(
            kernel.diag(sparse.csr_matrix(X)), kernel.diag(X), atol=1e-12 * scale
        )


@few
@given(matrices)
def test_a_gaussian_of_a_kernel_uses_its_distance(X):
    np.testing.assert_allclose(
        Gaussian(2.0, kernel=Linear())(X), Gaussian(2.0)(X), rtol=1e-6, atol=1e-9
    )
    squared_difference = (X[:, None, 0] ** 2 - X[None, :, 0] ** 2) ** 2
    one = Gaussian(2.0, kernel=Polynomial(2, offset=0))(X[:, :1])
    np.testing.assert_allclose(one, np.exp(-squared_difference / 8), rtol=1e-6, atol=1e-9)


def test_a_gaussian_works_on_any_records_of_its_kernel():
    sets = [{"a"}, {"a", "b"}, {"c"}, set()]
    different = [[len(x ^ z) for z in sets] for x in sets]
    np.testing.assert_allclose(
        Gaussian(kernel=Intersection())(sets), np.exp(-np.array(different) / 2)
    )
    check_kernel(Gaussian(kernel=Intersection()), sets)


def test_random_waves_stay_within_hoeffdings_bound():
    assert waves_needed(error=0.1, risk=0.05) == 738
    X = np.random.default_rng(2).normal(size=(60, 5))
    far = [
        np.abs(RandomFourier(2.0, error=0.1, risk=0.05, random_state=seed)(X) - Gaussian(2.0)(X))
        for seed in range(5)
    ]
    assert np.mean([part[np.triu_indices(60, 1)] > 0.1 for part in far]) <= 0.05
    assert RandomFourier(error=0.2, risk=0.1).features(X).shape == (60, 2 * 150)


def test_random_waves_repeat_for_the_same_seed():
    X = np.random.default_rng(2).normal(size=(6, 5))
    np.testing.assert_array_equal(RandomFourier()(X), RandomFourier()(X))
    assert not np.allclose(RandomFourier()(X), RandomFourier(random_state=1)(X))


def test_waves_of_cauchys_distribution_approach_the_laplacian():
    X = np.random.default_rng(3).normal(size=(20, 3))
    approximate = RandomFourier(2.0, of="laplacian", n_waves=20_000)(X)
    np.testing.assert_allclose(approximate, Laplacian(2.0)(X), atol=0.04)


def test_sketches_approach_the_polynomial_kernel_and_their_mean_is_it():
    X = np.random.default_rng(3).normal(size=(10, 3))
    exact = Polynomial(3, offset=1.0, scale=0.5)(X)
    drawn = [
        RandomPolynomial(3, scale=0.5, n_features=500, random_state=seed)(X) for seed in range(40)
    ]
    np.testing.assert_allclose(np.mean(drawn, axis=0), exact, atol=0.05 * np.abs(exact).max())


def test_polynomials_of_degree_nought_and_one_are_constant_and_linear():
    X = np.random.default_rng(3).normal(size=(5, 3))
    np.testing.assert_allclose(Polynomial(0)(X), np.ones((5, 5)))
    np.testing.assert_allclose(Polynomial(1, offset=2.0, scale=3.0)(X), 3 * X @ X.T + 2)


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (Gaussian(width=0), r"'width' parameter of Gaussian.*\(0, inf\).*Got 0"),
        (Gaussian(kernel=3), "'kernel' parameter of Gaussian must be a kernel .* or None"),
        (Laplacian(width=-1), "'width' parameter of Laplacian"),
        (Polynomial(degree=1.5), "'degree' parameter of Polynomial must be a whole number"),
        (Polynomial(offset=-1), "'offset' parameter of Polynomial"),
        (Anova(degree=0), "'degree' parameter of Anova"),
        (Spline(order=2), "'order' parameter of Spline must be 0 or 1"),
        (RandomFourier(n_waves="many"), "'n_waves' parameter of RandomFourier"),
        (RandomFourier(of="linear"), "'of' parameter of RandomFourier"),
        (RandomPolynomial(0), "'degree' parameter of RandomPolynomial"),
        (RandomFourier(error=0), "'error' parameter of RandomFourier"),
    ],
)
def test_parameters_out_of_bounds_are_refused_when_used(kernel, words):
    with pytest.raises(ParameterError, match=words):
        kernel([[1.0], [2.0]])


def test_records_that_are_no_numbers_are_refused_in_words():
    with pytest.raises(DataError, match="Linear needs a table of numbers"):
        Linear()(["abc", "de"])
    with pytest.raises(DataError, match="Row 1, column 0 holds nan"):
        Linear()([[1.0], [np.nan]])
    with pytest.raises(DataError, match="Cosine needs finite numbers"):
        Cosine()(sparse.csr_array([[1.0, np.inf]]))
    with pytest.raises(DataError, match=r"Spline .* not negative. Row 0, column 1 holds -2"):
        Spline()([[1.0, -2.0]])


@pytest.mark.parametrize("kernel", [*KERNELS, Spline()], ids=repr)
def test_vectors_of_different_lengths_are_refused_in_words(kernel):
    if isinstance(kernel, Gaussian) and kernel.kernel is not None:
        kernel = kernel.kernel
    with pytest.raises(DataError, match=r"vectors of equal length. Got 2 and 3 columns"):
        kernel(np.ones((4, 2)), np.ones((5, 3)))


def test_a_gaussian_has_no_finite_features():
    with pytest.raises(NotAvailableError, match="no finite list of features"):
        Gaussian().features([[1.0]])


def test_features_beyond_the_memory_allowed_are_refused():
    wide = np.ones((10, 40))
    with memory_limit("1MB"):
        for kernel in (AllSubsets(), Anova(10), Polynomial(5), RandomFourier(n_waves=10**5)):
            with pytest.raises(TooLargeError, match="would need"):
                kernel.features(wide)
        with pytest.raises(TooLargeError, match="filled, would need"):
            AllSubsets()(sparse.csr_array((10, 10**6)))
