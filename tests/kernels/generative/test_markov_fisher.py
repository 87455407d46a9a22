from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from rarefind.core.errors import DataError, ParameterError, TooLargeError
from rarefind.core.memory_guard import memory_limit
from rarefind.kernels import FeatureTransformer, MarkovFisher, Normalized
from rarefind.testing import check_kernel

TRAINING = ["abbaab", "bbbab", "aabb", "ab"]
strings = st.lists(st.text("ab", max_size=7), min_size=4, max_size=6)


def log_probability(string, shares, order):
    """Log-probability of a string after its first symbols; ``shares`` need not sum to one."""
    total = 0.0
    for end in range(order, len(string)):
        context = string[end - order : end]
        among = [value for (known, _), value in shares.items() if known == context]
        total += np.log(shares[context, string[end]] / sum(among))
    return total


def learnt_shares(order, smoothing):
    """Smoothed probability of each symbol after each context, counted one by one."""
    shares = {}
    for context in map("".join, product("ab", repeat=order)):
        windows = [
            string[i : i + order + 1]
            for string in TRAINING
            for i in range(len(string) - order)
            if string[i : i + order] == context
        ]
        for symbol in "ab":
            seen = windows.count(context + symbol)
            shares[context, symbol] = (seen + smoothing) / (len(windows) + 2 * smoothing)
    return shares


@settings(max_examples=20, deadline=None)
@given(strings, st.integers(0, 2), st.sampled_from([0.5, 1.0]))
def test_features_are_the_derivatives_of_the_log_probability(records, order, smoothing):
    kernel = MarkovFisher(order, smoothing=smoothing, alphabet="ab").fit(TRAINING)
    shares = learnt_shares(order, smoothing)
    features = kernel.features(records).toarray()
    for record, row in zip(records, features, strict=True):
        slopes = []
        for key in shares:
            step = 1e-6 * shares[key]
            high = log_probability(record, {**shares, key: shares[key] + step}, order)
            low = log_probability(record, {**shares, key: shares[key] - step}, order)
            slopes.append((high - low) / (2 * step))
        np.testing.assert_allclose(row, slopes, atol=1e-4)
    check_kernel(kernel, records)


def test_uniform_probabilities_give_centred_counts_of_pairs():
    # With so much smoothing every probability is a half, whatever was seen; columns are the pairs
    # aa, ab, ba, bb.
    kernel = MarkovFisher(1, smoothing=1e12, alphabet="ab").fit(TRAINING)
    found = kernel.features(["aab", "abb", "aaa"]).toarray()
    np.testing.assert_allclose(found, [[0, 0, 0, 0], [-1, 1, -1, 1], [2, -2, 0, 0]], atol=1e-9)


def test_an_unfitted_kernel_learns_from_the_records_compared_with():
    new = ["bab", "aaa"]
    fitted = MarkovFisher().fit(TRAINING)
    np.testing.assert_array_equal(MarkovFisher()(new, TRAINING), fitted(new, TRAINING))
    np.testing.assert_array_equal(MarkovFisher()(TRAINING), fitted(TRAINING))
    learner = SVC(kernel=MarkovFisher()).fit(TRAINING, [0, 0, 1, 1])
    same = SVC(kernel=fitted).fit(TRAINING, [0, 0, 1, 1])
    np.testing.assert_allclose(learner.decision_function(new), same.decision_function(new))


def test_kernels_around_it_learn_once():
    around = Normalized(MarkovFisher())
    fitted = Normalized(MarkovFisher()).fit(TRAINING)
    np.testing.assert_allclose(around(["bab"], TRAINING), fitted(["bab"], TRAINING))
    steps = FeatureTransformer(MarkovFisher()).fit(TRAINING)
    np.testing.assert_array_equal(
        steps.transform(["bab"]).toarray(), MarkovFisher().fit(TRAINING).features(["bab"]).toarray()
    )


def test_sparse_and_dense_products_agree(monkeypatch):
    import rarefind.kernels.generative.markov_fisher as module

    kernel = MarkovFisher(2).fit(TRAINING)
    expected = kernel(TRAINING)
    monkeypatch.setattr(module, "DENSE_COLUMNS", 0)
    np.testing.assert_allclose(kernel(TRAINING), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel(TRAINING[:1], TRAINING), expected[:1], rtol=1e-12)


def test_unknown_symbols_break_the_chain_and_short_strings_have_no_features():
    kernel = MarkovFisher(1).fit(TRAINING)
    both = kernel.features(["abxab", "ab", "", "a", "x"]).toarray()
    np.testing.assert_allclose(both[0], 2 * both[1])
    np.testing.assert_array_equal(both[2:], 0)


def test_lists_of_words_and_no_records_are_taken():
    kernel = MarkovFisher(1).fit([["the", "cat", "the"], ["cat", "the"]])
    assert kernel([["the", "cat"]]).shape == (1, 1)
    assert kernel([]).shape == (0, 0)
    assert MarkovFisher()([], []).shape == (0, 0)
    assert MarkovFisher().features([]).shape[0] == 0


def test_derivatives_too_many_for_memory_are_refused():
    kernel = MarkovFisher(2).fit(TRAINING)
    with memory_limit("200B"), pytest.raises(TooLargeError, match="Choose a lower order"):
        kernel.features(TRAINING)


def test_wrong_input_is_refused_in_words():
    with pytest.raises(ParameterError, match="'smoothing' parameter of MarkovFisher"):
        MarkovFisher(smoothing=0)(TRAINING)
    with pytest.raises(ParameterError, match=r"'order' .* lower for 2 symbols: there are 2\*\*71"):
        MarkovFisher(70)(TRAINING)
    with pytest.raises(DataError, match="Record 0 is int 3"):
        MarkovFisher()([3, 4])
    with pytest.raises(DataError, match="words or numbers"):
        MarkovFisher()([[[1], [2]]])
    with pytest.raises(DataError, match="words or numbers"):
        MarkovFisher(alphabet="ab").fit(TRAINING)([[[1], [2]]])
