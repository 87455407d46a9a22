"""What all string kernels promise: scikit-learn's rules, features that line up, clear refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from rarefind.core.errors import (
    DataError,
    NotAvailableError,
    ParameterError,
    RarefindWarning,
    StateError,
    TooLargeError,
)
from rarefind.core.progress import listen
from rarefind.kernels import strings as package
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
    WeightedDegree,
)
from rarefind.testing import check_kernel

TWO_ROUTES = [
    Spectrum(2),
    BlendedSpectrum(3, 0.5),
    FixedSubsequences(2),
    GapWeighted(3, 0.5),
    CharacterWeighted(2, {"a": 0.1}, 0.6),
    SoftMatching(2, 0.5, {("a", "b"): 0.5, ("é", "ß"): 0.3}),
    GapNumberWeighted(2, 0.5),
    Mismatch(2, 1, alphabet="abcdéß漢😀"),
    GappedKmer(3, 2),
]
WITH_FEATURES = [*TWO_ROUTES, RestrictedGapWeighted(2, 1, 0.5)]
KERNELS = [
    *WITH_FEATURES,
    AllSubsequences(),
    AllSubsequences(normalized=True),
    WeightedDegree(2),
]
UNICODE = ["", "a", "abcabd", "éßéab", "漢abc漢", "😀😀a😀", "dcba" * 4, "ßab"]


def names(kernels):
    return [repr(kernel) for kernel in kernels]


@pytest.fixture
def random_strings():
    rng = np.random.default_rng(1)
    return ["".join(rng.choice(list("ACGT"), size=n)) for n in rng.integers(0, 30, size=150)]


def test_the_package_exports_its_kernels_in_order():
    assert package.__all__ == sorted(package.__all__)
    assert {type(kernel).__name__ for kernel in KERNELS} == set(package.__all__)


@pytest.mark.parametrize("kernel", KERNELS, ids=names(KERNELS))
def test_promises_hold_on_unicode_and_empty_strings(kernel):
    check_kernel(kernel, UNICODE)


@pytest.mark.parametrize("kernel", TWO_ROUTES, ids=names(TWO_ROUTES))
def test_promises_hold_by_recursion(kernel):
    check_kernel(clone(kernel).set_params(route="recursion"), UNICODE)


@pytest.mark.parametrize("kernel", TWO_ROUTES, ids=names(TWO_ROUTES))
def test_both_routes_agree_on_many_strings(kernel, random_strings):
    by_features = clone(kernel).set_params(route="features")
    by_recursion = clone(kernel).set_params(route="recursion")
    if isinstance(kernel, Mismatch):
        by_features.alphabet = by_recursion.alphabet = "ACG"
    gram = by_recursion(random_strings)
    np.testing.assert_allclose(by_features(random_strings), gram, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(gram, gram.T)
    np.testing.assert_allclose(
        by_recursion(random_strings[:70], random_strings[70:]), gram[:70, 70:], rtol=1e-12
    )


@pytest.mark.parametrize("kernel", WITH_FEATURES, ids=names(WITH_FEATURES))
def test_features_of_a_fitted_kernel_line_up(kernel):
    kernel = clone(kernel)
    train, test = ["abcab", "bcda", "", "aab"], ["abxa", "xyz", "abcd漢b", "bbab"]
    before = kernel(test, train)
    assert kernel.fit(train) is kernel
    ours, theirs = kernel.features(train), kernel.features(test)
    assert ours.shape[1] == theirs.shape[1] == kernel.features([]).shape[1]
    np.testing.assert_allclose(_dense(theirs @ ours.T), kernel(test, train), atol=1e-12)
    np.testing.assert_allclose(_dense(ours @ ours.T), kernel(train), atol=1e-12)
    np.testing.assert_array_equal(kernel(test, train), before)
    assert set("abcd") <= set(kernel.alphabet_)
    assert not hasattr(clone(kernel), "alphabet_")


def _dense(product):
    return product.toarray() if hasattr(product, "toarray") else product


def test_columns_do_not_outlive_a_change_of_parameters():
    kernel = Spectrum(2).fit(["abc"])
    kernel.set_params(route="recursion")
    assert kernel.features(["abc"]).shape == (1, 2)
    kernel.set_params(length=1)
    with pytest.raises(
        StateError, match=r"Spectrum have changed since it was fitted.*fit\(records"
    ):
        kernel.features(["abc"])
    assert kernel.fit(["abc"]).features(["abc"]).shape == (1, 3)


def test_a_mismatch_kernel_takes_its_alphabet_from_fit_or_from_the_second_list():
    train, test = ["ACGT", "GGCA"], ["ACGA", "NACGNT"]
    given = Mismatch(3, 1, alphabet="ACGT")
    np.testing.assert_array_equal(Mismatch(3, 1)(test, train), given(test, train))
    fitted = Mismatch(3, 1).fit(train)
    np.testing.assert_array_equal(fitted(test), given(test))
    assert fitted.fit(test).alphabet_ == tuple("ACGNT")
    np.testing.assert_array_equal(fitted(test), Mismatch(3, 1)(test))
    assert Mismatch(3, 1)(test)[0, 0] > given(test)[0, 0]  # N is a letter here


def test_the_spectrum_equals_a_count_vectorizers(random_strings):
    strings = [string for string in random_strings if string]
    for length in (1, 3, 5):
        counts = CountVectorizer(analyzer="char", ngram_range=(length, length), lowercase=False)
        expected = counts.fit_transform(strings)
        np.testing.assert_array_equal(Spectrum(length)(strings), (expected @ expected.T).toarray())
        assert Spectrum(length).features(strings).shape == expected.shape


@pytest.mark.parametrize("length", [40, 70])
def test_words_too_long_for_one_number_are_told_apart(length):
    rng = np.random.default_rng(2)
    base = "".join(rng.choice(list("abcdefghij"), size=90))
    strings = [base, base[5:], base[:80] + "zz", "q" * 90, base[::-1]]
    kernel = Spectrum(length, route="features")
    np.testing.assert_array_equal(kernel(strings), Spectrum(length, route="recursion")(strings))
    kernel.fit(strings[:2])
    cross = kernel.features(strings) @ kernel.features(strings[:2]).T
    np.testing.assert_array_equal(cross.toarray(), kernel(strings, strings[:2]))


@pytest.mark.parametrize(
    "wrap", [list, tuple, np.array, pd.Series, pl.Series, lambda x: np.array(x, dtype=object)]
)
def test_lists_arrays_and_columns_are_read_alike(wrap):
    strings = ["abc", "abd", "", "cab"]
    np.testing.assert_array_equal(Spectrum(2)(wrap(strings)), Spectrum(2)(strings))


def test_lists_of_words_are_strings_too():
    sentences = [["the", "cat", "sat"], ["the", "cat"], []]
    assert Spectrum(2)(sentences).tolist() == [[2, 1, 0], [1, 1, 0], [0, 0, 0]]
    assert GapWeighted(2, 0.5)(sentences, [["the", "sat"]])[0, 0] == 0.5**5


@pytest.mark.parametrize("kernel", KERNELS, ids=names(KERNELS))
@pytest.mark.parametrize(
    ("records", "sentence"),
    [
        ("abc", r"needs a list of strings\. Got the single string 'abc'; put it into a list"),
        (["ab", 5], r"needs strings\. Row 1 holds 5 \(int\)"),
        (["ab", None], r"needs strings\. Row 1 holds None"),
        (["ab", "c", float("nan")], r"Row 2 holds nan \(float\)"),
        ([["a", 1.5]], r"Row 0 holds a list with 1\.5 \(float\)"),
        (np.ones((3, 2)), r"select the column that holds the strings"),
        (pd.DataFrame({"x": ["ab"]}), r"select the column that holds the strings"),
        (np.ones(3), r"Row 0 holds .*1\.0"),
        (7, r"needs a list of strings\. Got 7 \(int\)"),
    ],
)
def test_records_that_are_no_strings_are_refused_in_words(kernel, records, sentence):
    for call in (kernel, kernel.diag):
        with pytest.raises(DataError, match=f"{type(kernel).__name__} {sentence}|{sentence}"):
            call(records)


@pytest.mark.parametrize(
    "kernel",
    [Spectrum(9), FixedSubsequences(9), GapWeighted(9), Mismatch(9, 1), GappedKmer(9, 2)],
)
def test_a_length_beyond_every_string_gives_zeros_and_a_warning(kernel):
    with pytest.warns(RarefindWarning, match="looks for 9 letters, and the longest string has 3"):
        assert not kernel(["abc", "ab"], ["abc"]).any()
    with pytest.warns(RarefindWarning, match="all similarities are zero"):
        assert not kernel.diag(["abc", "ab"]).any()


def test_no_records_give_no_similarities():
    for kernel in KERNELS:
        assert kernel([]).shape == (0, 0)
        assert kernel(["abc", "abc"], []).shape == (2, 0)
        assert kernel.diag([]).shape == (0,)


@pytest.mark.parametrize(
    ("kernel", "sentence"),
    [
        (Spectrum(0), r"'length' parameter of Spectrum must be a whole number in \[1, 1000\]"),
        (Spectrum(2, route="fast"), "'route' parameter of Spectrum must be 'auto'"),
        (BlendedSpectrum(2, 0), "'decay' parameter of BlendedSpectrum"),
        (GapWeighted(2, 1.5), r"'decay' parameter of GapWeighted must be a number in \(0, 1\]"),
        (GapNumberWeighted(2, -1), "'decay' parameter of GapNumberWeighted"),
        (CharacterWeighted(2, {"a": 2.0}), r"weights\['a'\].*CharacterWeighted.*Got 2.0"),
        (CharacterWeighted(2, [0.5]), "'weights' parameter of CharacterWeighted must be a mapping"),
        (Mismatch(2, 2), "'mismatches' parameter of Mismatch must be less than its 'length', 2"),
        (Mismatch(2, 1, alphabet=4), "'alphabet' parameter of Mismatch must be a string or list"),
        (GappedKmer(2, 3), "'length' parameter of GappedKmer must be at most its 'window', 2"),
        (RestrictedGapWeighted(2, -1), "'gaps' parameter of RestrictedGapWeighted"),
        (AllSubsequences(normalized=1), "'normalized' parameter of AllSubsequences"),
        (SoftMatching(2, 0.5, "ab"), "'similarity' parameter of SoftMatching must be a mapping"),
        (
            SoftMatching(2, 0.5, {("a", "b"): 2.0}),
            r"must be positive semidefinite\. Its smallest eigenvalue is -1;",
        ),
        (
            SoftMatching(2, 0.5, [[1.0, 2.0], [2.0, 1.0]], alphabet="ab"),
            "smallest eigenvalue is -1;",
        ),
        (SoftMatching(2, 0.5, [[1, 0.5], [0, 1]], alphabet="ab"), "must be a symmetric matrix"),
        (SoftMatching(2, 0.5, [[1, np.nan], [np.nan, 1]], alphabet="ab"), "finite numbers"),
        (SoftMatching(2, 0.5, np.eye(3), alphabet="ab"), r"Got shape \(3, 3\) for 2 different"),
        (SoftMatching(2, 0.5, {("a", "b"): 0.5, ("b", "a"): 0.4}), "must be symmetric"),
    ],
)
def test_bad_parameters_are_refused_when_used(kernel, sentence):
    for call in (kernel, getattr(kernel, "fit", kernel)):
        with pytest.raises(ParameterError, match=sentence):
            call(["abab", "baba"])


def test_letters_without_a_similarity_are_refused_by_row():
    kernel = SoftMatching(2, 0.5, np.eye(2), alphabet="ab")
    with pytest.raises(DataError, match="no similarity for the letter 'x' of row 1"):
        kernel(["ab", "axb"])


def test_all_subsequences_have_no_features():
    with pytest.raises(NotAvailableError, match=r"2\*\*n subsequences"):
        AllSubsequences().features(["ab"])


def test_counts_beyond_floating_point_are_refused_or_normalised():
    long = ["a" * 600, "ab" * 400, "b"]
    with pytest.raises(DataError, match=r"first in row 0\. AllSubsequences\(normalized=True\)"):
        AllSubsequences()(long)
    gram = AllSubsequences(normalized=True)(long)
    assert np.isfinite(gram).all()
    np.testing.assert_allclose(np.diag(gram), 1.0)
    assert 0 < gram[0, 1] < 1e-10
    assert np.linalg.eigvalsh(gram)[0] > -1e-12


def test_what_would_not_fit_is_refused_with_its_size(monkeypatch):
    monkeypatch.setenv("RAREFIND_MEMORY_LIMIT", "20000")
    with pytest.raises(TooLargeError, match=r"100 x 100 .*would need"):
        Spectrum(2)(["abc"] * 100)
    with pytest.raises(TooLargeError, match=r"features of 3 strings under GapWeighted\(.*smaller"):
        GapWeighted(5).features(["abcdefghijkl" * 3] * 3)
    monkeypatch.setenv("RAREFIND_MEMORY_LIMIT", str(10**6))
    many = ["".join(map(chr, range(200, 260)))] * 3
    assert GapWeighted(5)(many).shape == (3, 3)  # the recursion takes over
    with pytest.raises(TooLargeError):
        GapWeighted(5, route="features")(many)


def test_long_work_reports_its_progress(random_strings):
    steps = []
    with listen(steps.append):
        AllSubsequences()(random_strings)
    assert steps[-1].done == steps[-1].total == 6  # 150 strings: three by three tiles, half of them


def test_diag_makes_no_gram_matrix(monkeypatch):
    monkeypatch.setenv("RAREFIND_MEMORY_LIMIT", "2000000")
    strings = ["ACGT"] * 1000  # a million similarities would not fit
    for kernel in (Spectrum(2), GapWeighted(2), AllSubsequences(), SoftMatching(2)):
        assert kernel.diag(strings).shape == (1000,)


@pytest.mark.parametrize("kernel", KERNELS, ids=names(KERNELS))
def test_copies_have_equal_parameters_and_values(kernel):
    copy = clone(kernel)
    assert copy.get_params() == kernel.get_params()
    np.testing.assert_array_equal(copy(UNICODE), kernel(UNICODE))


def test_support_vector_machines_and_searches_take_lists_of_strings():
    rng = np.random.default_rng(3)
    strings = ["".join(rng.choice(list("ACGT"), size=20)) for _ in range(40)]
    strings = [s[:8] + "GATTACA" + s[15:] if i % 2 else s for i, s in enumerate(strings)]
    labels = [i % 2 for i in range(40)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RarefindWarning)
        search = GridSearchCV(SVC(kernel=Spectrum(1)), {"kernel__length": [1, 4]}, cv=4)
        search.fit(strings, labels)
    assert search.best_params_ == {"kernel__length": 4}
    assert search.score(strings, labels) == 1.0
    machine = SVC(kernel=Mismatch(5, 1, alphabet="ACGT")).fit(strings[:30], labels[:30])
    assert machine.score(strings[30:], labels[30:]) > 0.7
