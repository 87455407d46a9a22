from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from rarefind.core.errors import DataError, ParameterError, RarefindWarning
from rarefind.kernels import Normalized
from rarefind.kernels.generative import FixedLengthHMM
from rarefind.testing import check_kernel
from tests.kernels.generative.models import random_model, random_strings


def brute(model, s, t):
    """Sum over every sequence of hidden states."""
    total = 0.0
    for path in product(range(len(model["initial"])), repeat=len(s)):
        chance = 1.0
        for place, state in enumerate(path):
            before = model["transition"][path[place - 1]] if place else model["initial"]
            chance *= before[state]
            for symbol in (s[place], t[place]):
                chance *= model["emission"][state][model["alphabet"].index(symbol)]
        total += chance
    return total


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 4))
def test_values_equal_the_sum_over_all_hidden_paths(seed, n_states, length):
    model = random_model(seed, n_states)
    strings = random_strings(seed, 5, [length])
    kernel = FixedLengthHMM(**model)
    expected = [[brute(model, s, t) for t in strings] for s in strings]
    np.testing.assert_allclose(kernel(strings), expected, rtol=1e-12)
    check_kernel(kernel, strings)
    normalized = FixedLengthHMM(**model, normalized=True)
    np.testing.assert_allclose(normalized(strings), Normalized(kernel)(strings), rtol=1e-10)
    check_kernel(normalized, strings)


def test_probabilities_of_all_pairs_of_strings_sum_to_one():
    strings = ["".join(word) for word in product("ab", repeat=4)]
    assert FixedLengthHMM(**random_model(3))(strings).sum() == pytest.approx(1.0)


def test_long_strings_do_not_underflow_when_normalized():
    model = random_model(0, 3)
    strings = random_strings(0, 5, [1500])
    with pytest.warns(RarefindWarning, match="smaller than the smallest"):
        assert FixedLengthHMM(**model)(strings).sum() == 0
    kernel = FixedLengthHMM(**model, normalized=True)
    np.testing.assert_allclose(np.diag(kernel(strings)), 1.0, rtol=1e-9)
    check_kernel(kernel, strings)


def test_blocks_of_rows_change_nothing(monkeypatch):
    import rarefind.kernels.generative.fixed_length_hmm as module

    kernel = FixedLengthHMM(**random_model(1, 3))
    strings = random_strings(1, 17, [6])
    expected = kernel(strings)
    monkeypatch.setattr(module, "block_height", lambda right: 4)
    np.testing.assert_allclose(kernel(strings), expected, rtol=1e-14)


def test_impossible_strings_are_similar_to_nothing():
    model = {"initial": [1.0], "transition": [[1.0]], "emission": [[1.0, 0.0]], "alphabet": "ab"}
    for normalized in (False, True):
        kernel = FixedLengthHMM(**model, normalized=normalized)
        np.testing.assert_array_equal(kernel(["aa", "ab"]), [[1, 0], [0, 0]])
        np.testing.assert_array_equal(kernel.diag(["aa", "ab"]), [1, 0])


def test_symbols_are_numbers_without_an_alphabet():
    model = random_model(2)
    by_letter = FixedLengthHMM(**model)(["aba", "bba"])
    del model["alphabet"]
    kernel = FixedLengthHMM(**model)
    np.testing.assert_array_equal(kernel([[0, 1, 0], [1, 1, 0]]), by_letter)
    np.testing.assert_array_equal(kernel(np.array([[0, 1, 0], [1, 1, 0]])), by_letter)


def test_a_support_vector_machine_takes_strings():
    strings = ["aaab", "aaaa", "abbb", "bbbb"]
    learner = SVC(kernel=FixedLengthHMM(**random_model(0), normalized=True))
    assert learner.fit(strings, [0, 0, 1, 1]).predict(["aaba"]).shape == (1,)


def test_no_strings_and_empty_strings_are_allowed():
    kernel = FixedLengthHMM(**random_model(0))
    assert kernel([]).shape == (0, 0)
    assert kernel(["ab"], []).shape == (1, 0)
    np.testing.assert_allclose(kernel(["", ""]), 1.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"initial": [0.5, 0.4]}, "'initial' parameter of FixedLengthHMM .* it sums to 0.9"),
        ({"transition": [[0.5, 0.5], [0.9, 0.2]]}, "'transition' .* row 1 sums to 1.1"),
        ({"transition": [[1.0]]}, "'transition' .* must have 2 rows. Got 1"),
        ({"emission": [[0.5, 0.5]]}, "'emission' .* must have 2 rows. Got 1"),
        ({"emission": [[1.5, -0.5], [0.5, 0.5]]}, "between 0 and 1. Got 1.5"),
        ({"initial": [np.nan, 1.0]}, "must be a list of probabilities"),
        ({"emission": "ab"}, "must be rows of probabilities"),
        ({"initial": None}, "needs .states., how many hidden states"),
        ({"alphabet": "abc"}, "must name 2 different symbols"),
        ({"alphabet": "aa"}, "must name 2 different symbols"),
        ({"alphabet": 5}, "must be a string or a list of symbols"),
    ],
)
def test_wrong_probabilities_are_refused_in_one_sentence(change, words):
    with pytest.raises(ParameterError, match=words):
        FixedLengthHMM(**{**random_model(0), **change})(["ab"])


def test_wrong_strings_are_refused_in_words():
    kernel = FixedLengthHMM(**random_model(0))
    with pytest.raises(DataError, match="record 0 has 2 symbols, record 1 3"):
        kernel(["ab", "abb"])
    with pytest.raises(DataError, match="first list have 2 symbols, in the second 3"):
        kernel(["ab"], ["abb"])
    with pytest.raises(DataError, match="Record 1 holds 'x'"):
        kernel(["ab", "ax"])
    with pytest.raises(DataError, match=r"Record 0 is float 1\.5"):
        kernel([1.5])
    with pytest.raises(DataError, match="put it into a list"):
        kernel("ab")
