from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind.core.errors import DataError, ParameterError
from rarefind.kernels import (
    Agreement,
    DerivedSubsets,
    Gaussian,
    Intersection,
    Linear,
    Normalized,
    Subsets,
    UnionComplement,
    VectorSpace,
)
from rarefind.kernels.reference import dense
from rarefind.testing import check_kernel

ELEMENTS = ["a", "b", "c", "d", "ö"]
WEIGHTS = {"a": 2.0, "b": 0.5, "c": 0.0, "ö": 1.25}
few = settings(max_examples=25, deadline=None)
families = st.lists(st.frozensets(st.sampled_from(ELEMENTS)), min_size=4, max_size=8)


def measure(elements, weights):
    return float(sum(1.0 if weights is None else weights.get(one, 0.0) for one in elements))


def by_pairs(sets, function):
    return np.array([[function(x, z) for z in sets] for x in sets])


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_overlaps_equal_their_definition(weights):
    universe = frozenset(ELEMENTS)

    @few
    @given(families)
    def check(sets):
        inside = by_pairs(sets, lambda x, z: measure(x & z, weights))
        outside = by_pairs(sets, lambda x, z: measure(universe - (x | z), weights))
        for kernel, expected in (
            (Intersection(weights), inside),
            (Intersection(weights, universe=ELEMENTS), inside),
            (UnionComplement(weights, universe=ELEMENTS), outside),
            (Agreement(weights, universe=ELEMENTS), inside + outside),
        ):
            np.testing.assert_allclose(kernel(sets), expected, atol=1e-12)
            check_kernel(kernel, sets)

    check()


@few
@given(families)
def test_a_universe_is_learnt_from_records(sets):
    universe = frozenset().union(*sets)
    for kind in (UnionComplement, Agreement):
        expected = kind(universe=universe)(sets)
        np.testing.assert_allclose(kind()(sets), expected, atol=1e-12)
        check_kernel(kind().fit(sets), sets)


def test_elements_not_met_when_learning_are_passed_over():
    kernel = Agreement().fit([{"a"}, {"b"}])
    np.testing.assert_allclose(kernel([{"a", "new"}], [{"a"}, set()]), [[2.0, 1.0]])


@few
@given(families)
def test_subsets_are_counted(sets):
    np.testing.assert_allclose(Subsets()(sets), by_pairs(sets, lambda x, z: 2.0 ** len(x & z)))
    check_kernel(Subsets(), sets)


@few
@given(families)
def test_with_equality_of_elements_derived_subsets_are_intersections(sets):
    letters = VectorSpace(analyzer="char", idf=False, normalize=False).fit(["".join(ELEMENTS)])
    kernel = DerivedSubsets(letters)
    np.testing.assert_allclose(kernel(sets), Intersection()(sets), atol=1e-12)
    if any(sets):
        check_kernel(kernel, sets)


def test_derived_subsets_add_up_all_pairs_of_elements():
    rng = np.random.default_rng(0)
    clouds = [rng.normal(size=(n, 2)) for n in (1, 4, 0, 3, 2)]
    for inner in (Linear(), Gaussian(1.5)):
        expected = [
            [sum(inner([p], [q])[0, 0] for p in x for q in z) for z in clouds] for x in clouds
        ]
        np.testing.assert_allclose(DerivedSubsets(inner)(clouds), expected, atol=1e-12)
        check_kernel(DerivedSubsets(inner), clouds)
    as_lists = [cloud.tolist() for cloud in clouds]
    np.testing.assert_allclose(
        DerivedSubsets(Linear())(as_lists), DerivedSubsets(Linear())(clouds), atol=1e-12
    )


def test_derived_subsets_let_their_kernel_learn_from_all_elements():
    records = [{"red fox", "dog"}, {"dog"}, {"blue fox"}, {"sky", "dog"}]
    kernel = DerivedSubsets(VectorSpace()).fit(records)
    words = VectorSpace().fit(["red fox", "dog", "blue fox", "sky"])
    expected = by_pairs(records, lambda x, z: words(sorted(x), sorted(z)).sum())
    np.testing.assert_allclose(kernel(records), expected, atol=1e-12)
    check_kernel(kernel, records)


def test_sets_that_are_all_empty_have_no_similarity():
    np.testing.assert_array_equal(DerivedSubsets(Linear())([set(), set()]), np.zeros((2, 2)))
    np.testing.assert_array_equal(Intersection()([set(), set()]), np.zeros((2, 2)))
    with pytest.raises(DataError, match="all empty"):
        DerivedSubsets(Linear()).features([set()])


@few
@given(families, families)
def test_features_of_a_fitted_kernel_compare_any_sets_with_those_fitted(old, new):
    for kernel in (Intersection(WEIGHTS), Normalized(Intersection()), Intersection() ** 2 + 1):
        kernel = kernel.fit(old)
        product = dense(kernel.features(new) @ kernel.features(old).T)
        np.testing.assert_allclose(product, kernel(new, old), atol=1e-12)


def test_elements_of_mixed_types_are_fine():
    np.testing.assert_array_equal(Intersection()([{1, "a"}, {"a", (2, 3)}]), [[2, 1], [1, 2]])


@pytest.mark.parametrize(
    ("records", "words"),
    [
        (["abc"], "Intersection needs a list of sets.*Record 0 is 'abc'"),
        ([{"a"}, 3], "Record 1 is 3"),
        ("abc", "Got str instead"),
        ({"a": 1}, "Got dict instead"),
        ([[["a"]]], "hashable elements"),
    ],
)
def test_records_that_are_no_sets_are_refused(records, words):
    with pytest.raises(DataError, match=words):
        Intersection()(records)
    if words.startswith("Record"):
        with pytest.raises(DataError, match="DerivedSubsets needs a list of collections"):
            DerivedSubsets(Linear())([1.0])


def test_elements_outside_a_declared_universe_are_refused():
    for kernel in (Agreement(universe=["a"]), Intersection(universe=["a"])):
        with pytest.raises(DataError, match="record 1 holds 'z', which is not in it"):
            kernel([{"a"}, {"z"}])


def test_wrong_parameters_are_said():
    with pytest.raises(ParameterError, match=r"'weights' parameter of Agreement.*\[0, inf\)"):
        Agreement(weights={"a": -1})([{"a"}])
    with pytest.raises(ParameterError, match="'universe' parameter of UnionComplement"):
        UnionComplement(universe="abc")([{"a"}])


def test_more_common_elements_than_numbers_can_count_are_refused():
    with pytest.raises(DataError, match="Subsets gives similarities too large"):
        Subsets()([set(range(2000))])
