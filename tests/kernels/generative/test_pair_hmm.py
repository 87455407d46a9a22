from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind.core.errors import DataError, ParameterError
from rarefind.kernels.generative import PairHMM
from rarefind.kernels.generative.pair_loops import log_joint
from rarefind.testing import check_kernel
from tests.kernels.generative.models import random_model, random_strings


def given_states(kernel, background, states, string):
    """Probability of one string given the hidden states, over all places they can emit at."""
    total = 0.0
    for places in combinations(range(len(string)), len(states)):
        chance = 1.0
        for place, symbol in enumerate(string):
            number = kernel.alphabet.index(symbol)
            if place in places:
                chance *= kernel.emission[states[places.index(place)]][number]
            else:
                chance *= kernel.insertion * background[number]
        total += chance
    return total * (1 - kernel.insertion) ** (len(states) + 1)


def brute(kernel, s, t):
    """Sum over all hidden chains that are short enough for both strings."""
    n_symbols = len(kernel.alphabet)
    background = kernel.background
    if background is None:
        background = np.full(n_symbols, 1 / n_symbols)
    total = 0.0
    for length in range(min(len(s), len(t)) + 1):
        for states in product(range(len(kernel.initial)), repeat=length):
            chance = kernel.stop * (1 - kernel.stop) ** length
            for place, state in enumerate(states):
                before = kernel.transition[states[place - 1]] if place else kernel.initial
                chance *= before[state]
            total += (
                chance
                * given_states(kernel, background, states, s)
                * given_states(kernel, background, states, t)
            )
    return total


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 0.6]), st.sampled_from([0.1, 1.0]))
def test_values_equal_the_sum_over_all_chains_and_alignments(seed, insertion, stop):
    background = np.random.default_rng(seed).dirichlet([1.0, 1.0])
    kernel = PairHMM(**random_model(seed), insertion=insertion, stop=stop, background=background)
    strings = [*random_strings(seed, 4, [0, 1, 2, 3, 4]), "abba"]
    expected = [[brute(kernel, s, t) for t in strings] for s in strings]
    np.testing.assert_allclose(kernel(strings), expected, rtol=1e-11)
    check_kernel(kernel, strings)
    normalized = kernel.set_params(normalized=True)
    check_kernel(normalized, strings)


def test_probabilities_of_all_pairs_of_strings_sum_to_one():
    kernel = PairHMM(**random_model(4), insertion=0.05, stop=0.9)
    strings = ["".join(word) for length in range(6) for word in product("ab", repeat=length)]
    assert kernel(strings).sum() == pytest.approx(1.0, abs=1e-3)


def test_states_that_spell_their_letter_give_weighted_common_subsequences():
    kernel = PairHMM(
        [0.5, 0.5], np.full((2, 2), 0.5), np.eye(2), insertion=0.4, stop=0.2, alphabet="ab"
    )
    s, t = "abab", "aab"
    expected = 0.0
    for length in range(len(t) + 1):
        common = sum(
            one == other for one in combinations(s, length) for other in combinations(t, length)
        )
        weight = 0.2 * (0.8 * 0.5) ** length * 0.6 ** (2 * (length + 1))
        expected += weight * 0.2 ** (len(s) + len(t) - 2 * length) * common
    assert kernel([s], [t])[0, 0] == pytest.approx(expected, rel=1e-12)


def test_strings_of_very_different_lengths_do_not_underflow_when_normalized():
    kernel = PairHMM(**random_model(1, 3, 4), normalized=True)
    strings = random_strings(1, 5, [3, 1200], "abcd")
    gram = kernel(strings)
    np.testing.assert_allclose(np.diag(gram), 1.0, rtol=1e-9)
    check_kernel(kernel, strings)


def test_the_loops_give_the_same_when_they_are_not_compiled():
    transition = np.array([[0.3, 0.4, 0.0], [0.1, 0.6, 0.0], [0.2, 0.5, 0.0]])
    emission = np.array([[0.9, 0.1], [0.4, 0.6], [0.0, 0.0]])
    model = (transition, emission, np.array([0.05, 0.05]))
    plain = getattr(log_joint, "py_func", log_joint)
    for seed in range(5):
        s, t = (np.random.default_rng(seed + i).integers(2, size=seed + i) for i in range(2))
        assert log_joint(s, t, *model) == pytest.approx(plain(s, t, *model), rel=1e-13)


def test_no_strings_have_no_similarities():
    kernel = PairHMM(**random_model(0))
    assert kernel([]).shape == (0, 0)
    assert kernel(["ab"], []).shape == (1, 0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"insertion": 1.0}, "'insertion' parameter of PairHMM"),
        ({"stop": 0.0}, "'stop' parameter of PairHMM"),
        ({"background": [0.5, 0.6]}, "'background' .* it sums to 1.1"),
        ({"background": [1.0]}, "'background' .* must have 2 columns. Got 1"),
    ],
)
def test_parameters_out_of_range_are_refused(change, words):
    with pytest.raises(ParameterError, match=words):
        PairHMM(**{**random_model(0), **change})(["ab"])


def test_unknown_symbols_are_refused():
    with pytest.raises(DataError, match="Record 0 holds 'c'"):
        PairHMM(**random_model(0))(["abc"])
