"""Every route of every kernel gives what listing all features gives."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind.core.errors import RarefindWarning
from rarefind.kernels.strings import (
    AllSubsequences,
    BlendedSpectrum,
    CharacterWeighted,
    FixedSubsequences,
    GapNumberWeighted,
    GappedKmer,
    GapWeighted,
    Mismatch,
    RestrictedGapWeighted,
    SoftMatching,
    Spectrum,
)
from tests.kernels.strings import string_references as slow

quick = settings(max_examples=25, deadline=None)
WEIGHTS = {"a": 0.3, "b": 0.0, "x": 0.9}
ALIKE = {("a", "b"): 0.5, ("b", "c"): -0.25}


def value_of(kernel, left, right):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RarefindWarning)
        return kernel(left, right)


def alike(x, y):
    return 1.0 if x == y else ALIKE.get((x, y), ALIKE.get((y, x), 0.0))


CASES = {
    "Spectrum": (lambda p, route: Spectrum(p, route=route), slow.spectrum),
    "BlendedSpectrum": (
        lambda p, route: BlendedSpectrum(p, 0.7, route=route),
        partial(slow.blended, decay=0.7),
    ),
    "FixedSubsequences": (lambda p, route: FixedSubsequences(p, route=route), slow.fixed),
    "GapWeighted": (
        lambda p, route: GapWeighted(p, 0.6, route=route),
        partial(slow.gap_weighted, decay=0.6),
    ),
    "CharacterWeighted": (
        lambda p, route: CharacterWeighted(p, WEIGHTS, 0.8, route=route),
        partial(slow.character_weighted, weights=WEIGHTS, default=0.8),
    ),
    "GapNumberWeighted": (
        lambda p, route: GapNumberWeighted(p, 0.4, route=route),
        partial(slow.gap_number, decay=0.4),
    ),
    "GappedKmer": (
        lambda p, route: GappedKmer(p + 1, p, route=route),
        lambda s, p: slow.gapped_kmer(s, p + 1, p),
    ),
    "Mismatch": (
        lambda p, route: Mismatch(p + 1, p, alphabet="ab", route=route),
        lambda s, p: slow.mismatch(s, p + 1, p, "ab"),
    ),
    "RestrictedGapWeighted": (
        lambda p, route: RestrictedGapWeighted(p, 1, 0.6),
        partial(slow.restricted, gaps=1, decay=0.6),
    ),
}


@pytest.mark.parametrize("route", ["auto", "features", "recursion"])
@pytest.mark.parametrize("name", CASES)
@quick
@given(slow.lists_of_strings, slow.lists_of_strings, st.integers(1, 4))
def test_every_route_equals_the_list_of_features(name, route, left, right, length):
    make, features = CASES[name]
    if name == "Mismatch":
        length = min(length, 3)
    kernel = make(length, route)
    features_of = partial(_features, features, length)
    close = partial(np.testing.assert_allclose, rtol=1e-10, atol=1e-12)
    close(value_of(kernel, left, right), slow.gram(features_of, left, right))
    close(value_of(kernel, left, None), slow.gram(features_of, left, left))


def _features(features, length, s):
    return features(s, length)


@pytest.mark.parametrize("route", ["auto", "features", "recursion"])
@quick
@given(slow.lists_of_strings, slow.lists_of_strings, st.integers(1, 3))
def test_soft_matching_equals_its_definition(route, left, right, length):
    kernel = SoftMatching(length, 0.6, ALIKE, route=route)
    expected = slow.soft_matching(left, right, length, 0.6, alike)
    np.testing.assert_allclose(value_of(kernel, left, right), expected, rtol=1e-10, atol=1e-12)


@quick
@given(slow.lists_of_strings, slow.lists_of_strings)
def test_all_subsequences_equal_their_enumeration(left, right):
    expected = slow.gram(slow.all_lengths, left, right)
    np.testing.assert_array_equal(AllSubsequences()(left, right), expected)
    own = [np.sqrt(AllSubsequences().diag(each)) for each in (left, right)]
    np.testing.assert_allclose(
        AllSubsequences(normalized=True)(left, right), expected / np.outer(*own), rtol=1e-12
    )


@quick
@given(slow.letters, st.integers(1, 3), st.integers(0, 2), st.integers(1, 5))
def test_mismatch_counts_depend_only_on_the_size_of_the_alphabet(s, length, mismatches, size):
    if mismatches >= length:
        mismatches = length - 1
    alphabet = "abcde"[:size]
    expected = slow.gram(lambda s: slow.mismatch(s, length, mismatches, alphabet), [s], [s])
    for route in ("features", "recursion"):
        kernel = Mismatch(length, mismatches, alphabet=alphabet, route=route)
        np.testing.assert_array_equal(value_of(kernel, [s], [s]), expected)


def test_published_values():
    assert AllSubsequences()(["gatt", "gatta"], ["cata"]).ravel().tolist() == [7.0, 14.0]
    for route in ("features", "recursion"):
        assert GapWeighted(2, 0.5, route=route)(["cat"], ["car"])[0, 0] == 0.0625
        assert Spectrum(3, route=route)(["statistics"], ["computation"])[0, 0] == 2.0


RANDOM = ["".join(row) for row in np.random.default_rng(0).choice(list("ACGT"), size=(12, 15))]


@pytest.mark.parametrize(
    ("special", "general"),
    [
        (GapWeighted(3, 0.5), CharacterWeighted(3, dict.fromkeys("ACGT", 0.5), 0.9)),
        (GapWeighted(3, 0.5), CharacterWeighted(3, None, 0.5)),
        (GapWeighted(3, 0.5), SoftMatching(3, 0.5)),
        (GapWeighted(3, 0.5), SoftMatching(3, 0.5, np.eye(4), alphabet="ACGT")),
        (GapWeighted(3, 0.5), RestrictedGapWeighted(3, 12, 0.5)),
        (GapWeighted(3, 0.5), RestrictedGapWeighted(3, 10**6, 0.5)),
        (FixedSubsequences(3), GapWeighted(3, 1.0)),
        (FixedSubsequences(3), GapNumberWeighted(3, 1.0)),
        (Spectrum(3), GapNumberWeighted(3, 0.0)),
        (Spectrum(3), RestrictedGapWeighted(3, 0, 1.0)),
        (Spectrum(3), Mismatch(3, 0, alphabet="ACGT")),
        (Spectrum(3), GappedKmer(3, 3)),
        (Spectrum(1), BlendedSpectrum(1)),
        (Spectrum(1), FixedSubsequences(1)),
    ],
)
def test_special_cases_coincide(special, general):
    np.testing.assert_allclose(general(RANDOM), special(RANDOM), rtol=1e-10, atol=1e-12)


def test_all_subsequences_are_those_of_each_length():
    strings = ["gatta", "cata", "tact"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RarefindWarning)
        total = 1.0 + sum(FixedSubsequences(length)(strings) for length in range(1, 6))
    np.testing.assert_array_equal(AllSubsequences()(strings), total)


def test_blended_spectrum_adds_the_spectra():
    total = sum(0.5 ** (2 * q) * Spectrum(q)(RANDOM) for q in (1, 2, 3))
    np.testing.assert_allclose(BlendedSpectrum(3, 0.5)(RANDOM), total, rtol=1e-12)
