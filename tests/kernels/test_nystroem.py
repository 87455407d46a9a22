from __future__ import annotations

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem as SklearnNystroem

from rarefind.core.errors import ParameterError
from rarefind.kernels import Gaussian, Intersection, Linear, Nystroem, VectorSpace
from rarefind.testing import check_kernel

X = np.random.default_rng(0).normal(size=(40, 3))
TEXTS = ["red fox", "red dog", "blue sky", "blue dog runs", "sky red", "fox"]


def test_with_all_records_as_landmarks_it_is_exact():
    kernel = Nystroem(Gaussian(2.0), n_landmarks=40).fit(X)
    np.testing.assert_allclose(kernel(X), Gaussian(2.0)(X), atol=1e-8)
    np.testing.assert_allclose(Nystroem(VectorSpace())(TEXTS), VectorSpace()(TEXTS), atol=1e-10)


def test_with_few_landmarks_it_equals_the_formula():
    kernel = Nystroem(Gaussian(2.0), n_landmarks=8).fit(X)
    landmarks = kernel.landmarks_.records
    assert landmarks.shape == (8, 3)
    base = Gaussian(2.0)
    expected = base(X, landmarks) @ np.linalg.inv(base(landmarks)) @ base(landmarks, X)
    np.testing.assert_allclose(kernel(X), expected, atol=1e-8)
    theirs = SklearnNystroem(kernel="rbf", gamma=1 / 8, n_components=40).fit_transform(X)
    ours = Nystroem(base, n_landmarks=40).fit(X).features(X)
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-6)


def test_it_keeps_the_promises_of_kernels():
    check_kernel(Nystroem(Gaussian(), n_landmarks=5).fit(X), X)
    check_kernel(Nystroem(Linear(), n_landmarks=30).fit(X), X)
    check_kernel(Nystroem(VectorSpace(), n_landmarks=3).fit(TEXTS), TEXTS)
    sets = [{"a"}, {"a"}, {"a", "b"}, set()]
    check_kernel(Nystroem(Intersection(), n_landmarks=4).fit(sets), sets)


def test_landmarks_repeat_for_the_same_seed():
    first, second = (Nystroem(Gaussian(), 5, random_state=3).fit(X) for _ in range(2))
    np.testing.assert_array_equal(first.features(X), second.features(X))


def test_no_landmarks_are_refused():
    with pytest.raises(ParameterError, match="'n_landmarks' parameter of Nystroem"):
        Nystroem(Linear(), n_landmarks=0)(X)
