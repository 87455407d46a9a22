from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.svm import SVC

from rarefind.core.errors import DataError, StateError, TooLargeError
from rarefind.core.memory_guard import memory_limit
from rarefind.kernels import (
    Centered,
    Constant,
    Gaussian,
    Intersection,
    LatentSemantic,
    Linear,
    Normalized,
    Nystroem,
    On,
    VectorSpace,
)

TEXTS = ["red fox", "red dog", "blue sky", "blue dog runs", "sky red", "fox"]
NEW = ["blue fox", "green sky"]


def test_an_unfitted_kernel_learns_from_the_records_compared_with():
    kernel, fitted = VectorSpace(), VectorSpace().fit(TEXTS)
    np.testing.assert_array_equal(kernel(NEW, TEXTS), fitted(NEW, TEXTS))
    np.testing.assert_array_equal(kernel(TEXTS), fitted(TEXTS))
    assert not hasattr(kernel, "vectorizer_")


def test_composites_fit_their_parts_and_leave_the_given_ones_alone():
    words = VectorSpace()
    kernel = (2 * words + Normalized(words) * Centered(words)).fit(TEXTS)
    assert not hasattr(words, "vectorizer_")
    by_hand = VectorSpace().fit(TEXTS)
    expected = 2 * by_hand(NEW) + Normalized(by_hand)(NEW) * Centered(words).fit(TEXTS)(NEW)
    np.testing.assert_allclose(kernel(NEW), expected)
    assert not hasattr(clone(kernel), "parts_")


def test_a_part_fitted_by_hand_keeps_what_it_has_learnt():
    words = VectorSpace().fit(TEXTS)
    kernel = words + Centered(VectorSpace())
    np.testing.assert_allclose(
        kernel(NEW), words(NEW) + Centered(VectorSpace()).fit(NEW)(NEW), atol=1e-12
    )


def test_fit_learns_anew():
    kernel = VectorSpace().fit(TEXTS)
    before = VectorSpace().fit(NEW)(NEW)
    assert not np.allclose(kernel.fit(NEW)(TEXTS), VectorSpace().fit(TEXTS)(TEXTS))
    np.testing.assert_array_equal(kernel(NEW), before)


def test_records_it_cannot_learn_from_leave_the_kernel_as_it_was():
    kernel = Centered(VectorSpace())
    with pytest.raises(DataError, match="found no words"):
        kernel.fit(["", "!"])
    np.testing.assert_array_equal(kernel(TEXTS), Centered(VectorSpace()).fit(TEXTS)(TEXTS))


def test_fitting_a_kernel_that_learns_nothing_changes_nothing():
    kernel = (Linear() + Gaussian()).fit([[1.0], [2.0]])
    kernel.set_params(right__width=3.0)
    np.testing.assert_allclose(kernel([[1.0]], [[2.0]]), 2 + np.exp(-1 / 18))


def test_a_support_vector_machine_sees_one_kernel_in_training_and_prediction():
    y = [0, 0, 1, 1, 0, 0]
    kernel = On(0, VectorSpace()) + 1
    records = [(text, 1) for text in TEXTS]
    new = [(text, 1) for text in NEW]
    direct = SVC(kernel=kernel, C=10).fit(records, y)
    gram = VectorSpace().fit(TEXTS)
    by_gram = SVC(kernel="precomputed", C=10).fit(gram(TEXTS) + 1, y)
    np.testing.assert_allclose(
        direct.decision_function(new), by_gram.decision_function(gram(NEW, TEXTS) + 1), atol=1e-9
    )


def test_a_single_pair_needs_a_fitted_kernel():
    assert Gaussian().pair([1.0], [2.0]) == pytest.approx(np.exp(-0.5))
    assert VectorSpace().fit(TEXTS).pair("red fox", "red fox") == pytest.approx(1.0)
    with pytest.raises(StateError, match=r"VectorSpace learns from records.*Call fit"):
        VectorSpace().pair("a", "b")


def test_a_gram_matrix_beyond_the_memory_allowed_is_refused_before_it_is_made():
    with memory_limit("1KB"), pytest.raises(TooLargeError, match=r"100 x 100 .*80\.0 kB.*Nystroem"):
        Linear()(np.zeros((100, 1)))


@pytest.mark.parametrize("kernel", [Linear(), VectorSpace(), Intersection(), Constant()], ids=repr)
def test_things_that_are_no_lists_of_records_are_refused_in_words(kernel):
    for records in (7, 2.5, (text for text in TEXTS), object()):
        with pytest.raises(DataError, match=r"needs a|is needed"):
            kernel(records)
        with pytest.raises(DataError, match=r"needs a|is needed"):
            (kernel + 1)(records)


def test_no_records_give_an_empty_matrix_but_nothing_is_learnt_from_them():
    kernel = VectorSpace().fit(TEXTS)
    assert kernel([], TEXTS).shape == (0, 6)
    assert kernel([]).shape == (0, 0)
    assert (Normalized(Intersection()) + 1)([], [{"a"}]).shape == (0, 1)
    words = VectorSpace().fit(TEXTS)
    for learner in (VectorSpace(), Centered(words), Nystroem(words), LatentSemantic(kernel=words)):
        with pytest.raises(DataError, match=f"{type(learner).__name__} cannot learn from an empty"):
            learner(TEXTS, [])


def test_numbers_too_large_are_refused_in_words():
    with pytest.raises(DataError, match="Linear gives similarities too large"):
        Linear()([[1e200], [1.0]])
    large_but_fine = np.full((3, 1), 1e154)
    assert np.isfinite(Linear()(large_but_fine)).all()
