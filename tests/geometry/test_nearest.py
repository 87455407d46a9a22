from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

from rarefind.geometry import Euclidean, KernelDistance
from rarefind.geometry.neighbours import nearest as door
from rarefind.geometry.neighbours.nearest import nearest
from rarefind.kernels import Gaussian, Spectrum


def compared(queries, records, k, measure, distances):
    """Hold what is found against the sorted matrix of all distances."""
    found, rows = nearest(queries, records, k, measure)
    np.testing.assert_allclose(found, np.sort(distances, axis=1)[:, :k], atol=1e-7)
    np.testing.assert_allclose(np.take_along_axis(distances, rows, axis=1), found, atol=1e-7)
    assert all(len(set(row)) == len(row) for row in rows.tolist())


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_the_nearest_are_those_of_the_sorted_distances(data):
    dimensions = data.draw(st.sampled_from([1, 3, 9, 20]))
    n, m = data.draw(st.integers(1, 30)), data.draw(st.integers(1, 60))
    k = data.draw(st.integers(1, m))
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    far = data.draw(st.sampled_from([0.0, 1e6]))
    # Whole numbers make ties common; far from the origin products lose digits.
    queries = rng.integers(-2, 3, size=(n, dimensions)) + far
    records = rng.integers(-2, 3, size=(m, dimensions)) + far
    compared(queries, records, k, Euclidean(), cdist(queries, records))


@pytest.mark.parametrize("dimensions", [2, 30])
def test_more_are_asked_for_than_there_are(dimensions):
    X = np.random.default_rng(0).normal(size=(12, dimensions))
    found, rows = nearest(X, X[:5], 9, Euclidean())
    assert found.shape == rows.shape == (12, 5)


def test_any_measure_and_any_records_are_taken(monkeypatch):
    monkeypatch.setattr(door, "row_blocks", lambda n, m: (slice(i, i + 7) for i in range(0, n, 7)))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(21, 3))
    kernel = KernelDistance(Gaussian())
    compared(X[:9], X, 4, kernel, kernel(X[:9], X))
    wide = sparse.csr_array(np.where(X > 0.5, X, 0.0))
    compared(wide[:9], wide, 4, Euclidean(), Euclidean()(wide[:9], wide))
    words = ["".join(rng.choice(list("ab"), 5)) for _ in range(21)]
    strings = KernelDistance(Spectrum(2))
    compared(words[:9], words, 4, strings, strings(words[:9], words))


def test_equal_distances_come_in_the_order_of_the_records():
    records = np.array([[1.0], [-1.0], [1.0], [5.0]])
    assert nearest(np.zeros((1, 1)), records, 3, Euclidean())[1].tolist() == [[0, 1, 2]]
