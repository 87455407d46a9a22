from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from rarefind.geometry import Angle, Euclidean, KernelAngle, KernelDistance, row_blocks
from rarefind.kernels import Gaussian, Linear


def pairs(columns):
    return arrays(np.float64, (7, columns), elements=st.floats(-100, 100, width=32))


def slow_distance(x, z):
    return float(np.sqrt(sum((a - b) ** 2 for a, b in zip(x, z, strict=True))))


def slow_angle(x, z):
    if not x.any() or not z.any():
        return np.pi / 2
    u, v = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return 2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v))


@pytest.mark.parametrize("columns", [1, 3, 40])
def test_distances_and_angles_equal_the_pairwise_definition(columns):
    @given(pairs(columns))
    def check(X):
        X = np.vstack([X, X[:1], np.zeros((1, columns))])
        slow = np.array([[slow_distance(x, z) for z in X] for x in X])
        for A in (X, sparse.csr_array(X)):
            np.testing.assert_allclose(Euclidean()(A), slow, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(Euclidean()(A, A[:4]), slow[:, :4], rtol=1e-9, atol=1e-12)
        tiny = np.abs(X) < 1e-150
        X = np.where(tiny, 0.0, X)
        turned = np.array([[slow_angle(x, z) for z in X] for x in X])
        for A in (X, sparse.csr_array(X)):
            np.testing.assert_allclose(Angle()(A), turned, atol=1e-7)
            np.testing.assert_allclose(Angle()(A[:3], A), turned[:3], atol=1e-7)

    check()


def test_identical_records_are_at_distance_zero_in_many_dimensions():
    X = np.random.default_rng(0).normal(1e3, 1.0, size=(5, 200))
    X[4] = X[0]
    assert Euclidean()(X)[0, 4] == 0.0
    assert KernelDistance(Linear())(X)[0, 4] == pytest.approx(0.0, abs=1e-3)


@given(pairs(3))
def test_the_linear_kernel_gives_the_vectors_own_geometry(X):
    scale = max(1.0, float(np.abs(X).max()))
    np.testing.assert_allclose(KernelDistance(Linear())(X), Euclidean()(X), atol=1e-6 * scale)
    X = np.where(np.abs(X) < 1e-3, 0.0, X)
    np.testing.assert_allclose(KernelAngle(Linear())(X), Angle()(X), atol=1e-6)


def test_kernel_geometry_of_two_lists_is_the_slice_of_one():
    X = np.random.default_rng(1).normal(size=(12, 4))
    for measure in (
        KernelDistance(Gaussian(2.0)),
        KernelAngle(Gaussian(2.0)),
        Angle(),
        Euclidean(),
    ):
        whole = measure(X)
        np.testing.assert_allclose(measure(X[:5], X[5:]), whole[:5, 5:], atol=1e-12)
        np.testing.assert_array_equal(np.diag(whole), 0.0)


def test_blocks_cover_all_rows_once():
    covered = [row for part in row_blocks(103, 7, block_bytes=500) for row in range(103)[part]]
    assert covered == list(range(103))


@pytest.mark.parametrize("columns", [3, 40])
def test_dense_records_are_compared_with_sparse_ones(columns):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(5, columns)), rng.normal(size=(4, columns))
    for measure in (Euclidean(), Angle()):
        expected = measure(A, B)
        np.testing.assert_allclose(measure(A, sparse.csr_array(B)), expected, rtol=1e-9)
        np.testing.assert_allclose(measure(sparse.csr_array(A), B), expected, rtol=1e-9)
