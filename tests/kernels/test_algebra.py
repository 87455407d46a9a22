from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import KernelCenterer

from rarefind.core.errors import DataError, NotAvailableError, ParameterError
from rarefind.kernels import (
    Centered,
    Constant,
    Cosine,
    Exp,
    Gaussian,
    Intersection,
    Kernel,
    Linear,
    Multiple,
    Normalized,
    Power,
    Product,
    RecordWeighted,
    Sigmoid,
    Sum,
    VectorSpace,
)
from rarefind.testing import check_kernel

few = settings(max_examples=25, deadline=None)
matrices = arrays(
    np.float64, st.tuples(st.integers(4, 8), st.integers(1, 3)), elements=st.floats(-2, 2)
)
X = np.random.default_rng(0).normal(size=(9, 3))
TEXTS = ["red fox", "red dog", "blue sky", "blue dog runs", "sky"]


def first_column(records):
    return np.asarray(records)[:, 0]


COMPOSITES = [
    Linear() + Gaussian(2.0),
    Linear() * Gaussian(2.0),
    3 * Linear(),
    Linear() / 4,
    Linear() ** 3,
    Linear() + 2,
    Exp(Cosine()),
    Exp(Linear() / 5),
    Normalized(Linear()),
    Normalized(Linear() + 1),
    RecordWeighted(Gaussian(), first_column),
    Constant(2.5),
    (Linear() + 1) ** 2 * Normalized(Gaussian() + Linear()),
]


@pytest.mark.parametrize("kernel", COMPOSITES, ids=lambda value: type(value).__name__)
def test_composites_keep_the_promises_of_kernels(kernel):
    @few
    @given(matrices)
    def check(records):
        # Lengths below the rounding of their own squares have no direction.
        check_kernel(kernel, np.where(np.abs(records) < 1e-3, 0.0, records))

    check()


@few
@given(matrices)
def test_operators_act_on_similarities(records):
    k1, k2 = Linear()(records), Gaussian(1.5)(records)
    linear, gaussian = Linear(), Gaussian(1.5)

    def same(kernel, expected):
        np.testing.assert_allclose(kernel(records), expected, rtol=1e-12, atol=1e-12)

    same(linear + gaussian, k1 + k2)
    same(linear * gaussian, k1 * k2)
    same(3 * gaussian, 3 * k2)
    same(gaussian * np.float64(0.5), 0.5 * k2)
    same(np.float64(0.5) * gaussian, 0.5 * k2)
    same(linear**3, k1**3)
    same(Exp(gaussian), np.exp(k2))
    same(sum([linear, gaussian]), k1 + k2)
    same((linear + gaussian) * linear, linear(records) * k1 + (gaussian * linear)(records))
    same(1.5 + linear, k1 + 1.5)


@few
@given(matrices)
def test_normalised_records_have_length_one_or_none(records):
    gram = Normalized(Linear())(records)
    squares = (records**2).sum(axis=1)
    np.testing.assert_array_equal(np.diag(gram), squares > 0)
    assert np.isfinite(gram).all()


def test_nothing_over_nothing_is_nothing():
    gram = Normalized(Intersection())([set(), {"a"}, {"a", "b"}])
    np.testing.assert_allclose(gram, [[0, 0, 0], [0, 1, 0.5**0.5], [0, 0.5**0.5, 1]])
    features = Normalized(Intersection(universe=["a", "b"])).features([set(), {"a", "b"}])
    np.testing.assert_allclose(features.toarray(), [[0, 0], [0.5**0.5, 0.5**0.5]])


def test_centring_equals_scikit_learns_for_old_and_new_records():
    for base in (Linear(), Gaussian(2.0), Normalized(Linear())):
        kernel = Centered(base).fit(X)
        centerer = KernelCenterer().fit(base(X))
        np.testing.assert_allclose(kernel(X), centerer.transform(base(X)), atol=1e-12)
        new = X[:4] + 0.3
        np.testing.assert_allclose(kernel(new, X), centerer.transform(base(new, X)), atol=1e-12)
        check_kernel(kernel, X + 0.1)


def test_centred_records_have_mean_zero_on_any_records():
    for base in (VectorSpace(), VectorSpace(normalize=False) + Constant(2.0)):
        gram = Centered(base)(TEXTS)
        np.testing.assert_allclose(gram.sum(axis=0), 0.0, atol=1e-10)
        kernel = Centered(base).fit(TEXTS)
        check_kernel(kernel, TEXTS)
        np.testing.assert_allclose(kernel.features(TEXTS).sum(axis=0), 0.0, atol=1e-10)
    sets = [{"a"}, {"b", "a"}, {"c"}, {"c", "b"}]
    check_kernel(Centered(Intersection()).fit(sets), sets)


def test_features_of_composites_multiply_to_the_kernel_sparse_or_dense():
    S = sparse.csr_array(np.abs(X))
    for kernel in (
        Linear() + 2 * Linear() + 1,
        Linear() * Cosine(),
        Linear() ** 3,
        Normalized(Linear()) + 1,
        RecordWeighted(Linear(), lambda records: np.arange(records.shape[0])),
    ):
        features = kernel.features(S)
        product = features @ features.T
        product = product.toarray() if sparse.issparse(product) else product
        np.testing.assert_allclose(product, kernel(S), atol=1e-10)


def test_features_that_would_be_too_many_are_refused_in_words():
    wide = np.ones((2, 200))
    with pytest.raises(NotAvailableError, match="Product would need 40000 features"):
        (Linear() * Linear()).features(wide)
    with pytest.raises(NotAvailableError, match="Gaussian has no finite list of features"):
        (Linear() + Gaussian()).features(wide)


def test_sums_are_taken_apart_into_terms():
    k1, k2, k3 = Linear(), Gaussian(), Cosine()
    assert (k1 + k2 + k3).terms() == [k1, k2, k3]
    weighted = (2 * (k1 + k2) + k3).terms()
    assert [type(term) for term in weighted] == [Multiple, Multiple, Cosine]
    total = sum(term(X) for term in weighted)
    np.testing.assert_allclose(total, (2 * (k1 + k2) + k3)(X))
    assert k1.terms() == [k1]


def test_nested_parameters_are_reached_by_name():
    kernel = Linear() + Gaussian(2.0) * Linear()
    assert kernel.get_params()["right__left__width"] == 2.0
    changed = clone(kernel).set_params(right__left__width=5.0)
    np.testing.assert_allclose(changed(X), Linear()(X) + Gaussian(5.0)(X) * Linear()(X))
    assert kernel.right.left.width == 2.0


@pytest.mark.parametrize("weight", [-1, 0, -0.5, float("nan")])
def test_weights_that_are_not_positive_are_refused_with_the_reason(weight):
    with pytest.raises(ParameterError, match=r"positive number only: .*need not be an inner"):
        weight * Linear()
    with pytest.raises(ParameterError, match=r"'factor' parameter of Multiple.*negative or zero"):
        Multiple(Linear(), factor=weight)(X)


def test_subtraction_is_refused_with_the_reason():
    for attempt in (
        lambda: Linear() - Gaussian(),
        lambda: -Linear(),
        lambda: 1 - Linear(),
        lambda: Linear() + -2,
    ):
        with pytest.raises(ParameterError, match=r"cannot be subtracted: .*inner product"):
            attempt()
    with pytest.raises(ParameterError, match="divided by a positive number"):
        Linear() / -1


@pytest.mark.parametrize("degree", [0, -1, 0.5, 2.0, True])
def test_powers_that_are_not_whole_are_refused(degree):
    with pytest.raises(ParameterError, match="whole power of at least 1"):
        Linear() ** degree


def test_things_that_are_no_kernels_are_refused():
    for attempt in (lambda: Linear() + "a", lambda: Linear() * [1], lambda: Linear() / Linear()):
        with pytest.raises(TypeError):
            attempt()
    for kernel in (Sum(Linear(), 3), Product(None, Linear()), Exp("x"), Power(1), Normalized(0)):
        with pytest.raises(ParameterError, match="must be a kernel"):
            kernel(X)


def test_parameters_of_inner_kernels_are_checked():
    with pytest.raises(ParameterError, match="'width' parameter of Gaussian"):
        (Linear() + Normalized(Gaussian(-1)))(X)


def test_an_exponential_that_overflows_is_refused_in_words():
    with pytest.raises(DataError, match="Exp gives similarities too large"):
        Exp(Linear())([[100.0]])
    with pytest.raises(DataError, match="Exp gives similarities too large"):
        Exp(Linear()).diag([[100.0]])


def test_weights_by_a_function_must_be_one_number_each():
    for weight in (lambda records: [1.0], lambda records: np.full(len(records), np.nan)):
        with pytest.raises(DataError, match="'weight' function of RecordWeighted must return one"):
            RecordWeighted(Linear(), weight)(X)
    with pytest.raises(DataError, match="It failed: bad"):
        RecordWeighted(Linear(), lambda records: (_ for _ in ()).throw(ValueError("bad")))(X)


def test_a_record_of_negative_length_cannot_be_normalised(monkeypatch):
    monkeypatch.setattr(Sigmoid, "warned", True)
    with pytest.raises(DataError, match=r"Record 0 has the similarity -0.9"):
        Normalized(Sigmoid(offset=-2.0))([[0.1], [3.0]])


def test_every_composite_is_a_kernel_with_a_readable_repr():
    kernel = 2 * Linear() + Gaussian(3.0)
    assert isinstance(kernel, Kernel)
    assert repr(kernel).startswith("Sum(left=Multiple(factor=2.0, kernel=Linear())")
