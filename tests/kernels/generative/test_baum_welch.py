from __future__ import annotations

import json
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind.core.errors import DataError, ParameterError
from rarefind.kernels import FixedLengthHMM, PairHMM, learn_hmm, parse_kernel
from rarefind.kernels.generative.baum_welch import expected_counts
from rarefind.testing import check_kernel


def brute(coded, initial, transition, emission):
    """Expected counts by going through every sequence of hidden states."""
    states, symbols = emission.shape
    first, steps = np.zeros(states), np.zeros((states, states))
    shown, total = np.zeros((states, symbols)), 0.0
    for string in coded:
        paths, chances = list(product(range(states), repeat=len(string))), []
        for path in paths:
            chance = initial[path[0]] * emission[path[0], string[0]]
            for before, here, symbol in zip(path, path[1:], string[1:], strict=False):
                chance *= transition[before, here] * emission[here, symbol]
            chances.append(chance)
        total += np.log(sum(chances))
        for path, chance in zip(paths, np.array(chances) / sum(chances), strict=True):
            first[path[0]] += chance
            for before, here in pairwise(path):
                steps[before, here] += chance
            for state, symbol in zip(path, string, strict=True):
                shown[state, symbol] += chance
    return (first, steps, shown), total


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_expected_counts_equal_the_sum_over_all_hidden_paths(seed, states):
    rng = np.random.default_rng(seed)
    tables = (
        rng.dirichlet(np.ones(states)),
        rng.dirichlet(np.ones(states), size=states),
        rng.dirichlet(np.ones(3), size=states),
    )
    coded = [rng.integers(0, 3, size=rng.integers(1, 5)) for _ in range(4)]
    counts, likelihood = expected_counts(coded, *tables)
    expected, logarithm = brute(coded, *tables)
    assert likelihood == pytest.approx(logarithm)
    for one, other in zip(counts, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10)


def test_five_rounds_have_the_log_likelihoods_of_hmmlearn():
    # hmmlearn 0.3.3, CategoricalHMM from the same first tables on the same strings.
    rng = np.random.default_rng(0)
    strings = [rng.integers(0, 3, size=rng.integers(2, 9)).tolist() for _ in range(30)]
    model = learn_hmm(strings, 2, smoothing=0, max_rounds=5, tolerance=0)
    theirs = [-167.0663962898, -162.3936975051, -162.3661988218, -162.3336503460, -162.2952271059]
    assert model.log_likelihoods[:5] == pytest.approx(theirs, abs=1e-9)


def test_every_round_makes_the_strings_more_likely():
    rng = np.random.default_rng(1)
    strings = ["".join(rng.choice(list("ACGT"), size=20)) for _ in range(20)]
    said = learn_hmm(strings, 3, smoothing=0, max_rounds=20, tolerance=0).log_likelihoods
    assert len(said) >= 3
    assert (np.diff(said) >= -1e-9).all()


def test_the_model_that_drew_the_strings_is_found_again():
    rng = np.random.default_rng(0)
    strings = []
    for _ in range(200):
        state, letters = rng.integers(2), []
        for _ in range(30):
            letters.append("ab"[rng.random() < (0.1, 0.9)[state]])
            state = state if rng.random() < 0.95 else 1 - state
        strings.append("".join(letters))
    model = learn_hmm(strings, 2, max_rounds=300, tolerance=1e-7)
    shown = np.sort(model.emission[:, 1])
    np.testing.assert_allclose(shown, [0.1, 0.9], atol=0.03)
    np.testing.assert_allclose(np.diag(model.transition), 0.95, atol=0.03)


@pytest.mark.parametrize("kind", [FixedLengthHMM, PairHMM])
def test_kernels_learn_their_tables_from_strings(kind):
    strings = ["abab", "baba", "aabb", "bbaa", "abba", "abab"]
    kernel = kind(states=2, normalized=True).fit(strings)
    model = learn_hmm(strings, 2)
    given = kind(model.initial, model.transition, model.emission, alphabet="ab", normalized=True)
    np.testing.assert_allclose(kernel(strings), given(strings))
    np.testing.assert_allclose(kind(states=2, normalized=True)(strings), given(strings))
    check_kernel(kernel, strings)


def test_tables_learnt_can_be_kept_in_a_file_for_formulas(tmp_path):
    strings = ["abab", "baba", "aabb", "bbaa"]
    model = learn_hmm(strings, 2)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model.parameters()))
    read = parse_kernel(f'hmm(file="{path}", normalized=true)')
    learnt = FixedLengthHMM(states=2, normalized=True).fit(strings)
    np.testing.assert_allclose(read(strings), learnt(strings))


def test_what_cannot_be_learnt_from_is_said():
    with pytest.raises(DataError, match="All of them are empty"):
        learn_hmm(["", ""], 2)
    with pytest.raises(DataError, match="empty list of records"):
        FixedLengthHMM(states=2).fit([])
    with pytest.raises(ParameterError, match="'states'"):
        learn_hmm(["ab"], 0)
    with pytest.raises(DataError, match="'c'"):
        FixedLengthHMM(states=2).fit(["ab"])(["ac"])
