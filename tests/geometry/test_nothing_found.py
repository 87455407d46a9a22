"""Records in which a kernel finds nothing lie apart from all others, not amid them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from rarefind.geometry import KernelDistance, kernel_space
from rarefind.hunting.learnt_kernel import Learnt
from rarefind.kernels import Cosine, Linear, Multiple, Normalized, On, Spectrum, VectorSpace
from rarefind.kernels.algebra.nothing_found import NothingFound
from rarefind.records.formats.by_ending import read_table
from rarefind.testing import check_kernel
from tests.outside import outside

TEXTS = ["see you at six", "you see", ":)", "the price of corn", "...", "corn fields", "ok", "!"]
WORDLESS = [2, 4, 7]


@pytest.mark.parametrize(
    ("records", "kernel"),
    [
        (TEXTS, VectorSpace()),
        (TEXTS, Normalized(VectorSpace(normalize=False))),
        ([(text, 1.0) for text in TEXTS], On(0, VectorSpace())),
        ([(text, 1.0) for text in TEXTS], On(0, VectorSpace()) + On(1, Linear())),
        ([(text, 1.0) for text in TEXTS], Multiple(On(0, VectorSpace()) + On(1, Linear()), 1.0)),
    ],
)
def test_texts_without_words_are_as_far_as_texts_with_no_word_in_common(records, kernel):
    engine = kernel_space(records, kernel).engine
    apart = np.array([engine.distances(point) for point in range(engine.n)])
    others = [row for row in range(len(TEXTS)) if row not in WORDLESS]
    np.testing.assert_allclose(apart[np.ix_(WORDLESS, others)], np.sqrt(2))
    np.testing.assert_allclose(apart[np.ix_(WORDLESS, WORDLESS)], 0.0, atol=1e-7)
    assert engine.nearest(1)[1][[0, 1, 3, 5], 0].tolist() == [1, 0, 5, 3]
    fitted = kernel.fit(records)
    for kernel in (fitted, Learnt(fitted)):
        measure = KernelDistance(kernel.for_distances())
        np.testing.assert_allclose(measure(records), apart, atol=1e-7)


@given(arrays(np.int64, st.tuples(st.integers(2, 8), st.just(2)), elements=st.integers(-2, 2)))
def test_zero_vectors_have_one_place_apart(X):
    X = X.astype(float)
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    placed = np.hstack([X / np.where(lengths > 0, lengths, 1.0), lengths == 0])
    measure = KernelDistance(Cosine().for_distances())
    np.testing.assert_allclose(measure(X), cdist(placed, placed), atol=1e-7)
    np.testing.assert_allclose(measure(X[:1], X), cdist(placed[:1], placed), atol=1e-7)


def test_it_is_a_kernel():
    check_kernel(NothingFound(Cosine()), [[1.0, 0.0], [0.0, 0.0], [2.0, 3.0], [0.0, -1.0]])
    check_kernel(NothingFound(Normalized(Spectrum(2))), ["abab", "a", "ba", "", "bb"])


def test_kernels_that_give_other_lengths_measure_distances_as_they_are():
    for kernel in (Linear(), VectorSpace(normalize=False), Spectrum(2)):
        assert kernel.for_distances() is kernel


def test_no_message_is_said_to_be_most_like_one_without_words():
    messages = list(
        dict.fromkeys(read_table(outside("RAREFIND_DATA", "sms_spam.parquet")).words("text"))
    )
    kernel = VectorSpace()
    space = kernel_space(messages, kernel)
    wordless = np.flatnonzero(kernel.fit(messages).diag(messages) == 0.0)
    assert wordless.size
    asked = np.random.default_rng(0).choice(len(messages), 60, replace=False)
    near = space.engine.nearest(5, np.setdiff1d(asked, wordless))[1]
    assert not np.isin(near[:, 0], wordless).any()
