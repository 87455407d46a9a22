"""Every record in the plane: what each map promises."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from rarefind.core.errors import DataError, UnknownNameError
from rarefind.geometry.maps import METHODS, make_map
from rarefind.kernels import Spectrum


def groups(seed=0):
    """Three groups far apart in five features; the first three rows come twice."""
    rng = np.random.default_rng(seed)
    parts = [rng.normal(size=(40, 5)), rng.normal(8.0, 1.0, (30, 5)), rng.normal(-8.0, 1.0, (9, 5))]
    X = np.vstack([*parts, parts[0][:3]])
    return X, np.repeat([0, 1, 2, 0], [40, 30, 9, 3])


def nearest_of_same(points, group):
    D = cdist(points, points)
    np.fill_diagonal(D, np.inf)
    return (group[D.argmin(axis=1)] == group).mean()


@pytest.mark.parametrize("method", METHODS)
def test_groups_stay_apart_and_everything_is_in_view(method):
    X, group = groups()
    labels = {row: f"group {group[row]}" for row in range(0, 79, 3)}
    made = make_map(method, X, None, labels)
    assert made.points.shape == (82, 2)
    assert np.abs(made.points).max() <= 1.0
    assert made.note
    assert nearest_of_same(made.points, group) > (0.9 if method == "lda" else 0.999)
    np.testing.assert_array_equal(made.points, make_map(method, X, None, labels).points)


@pytest.mark.parametrize("method", ["umap", "kernel-pca", "pca"])
def test_records_that_are_no_vectors_are_placed_by_their_kernel(method):
    rng = np.random.default_rng(1)
    words = ["".join(rng.choice(list("AC" if n < 30 else "GT"), 20)) for n in range(60)]
    made = make_map(method, words, Spectrum(2), {})
    assert made.method == ("umap" if method == "umap" else "kernel-pca")
    assert nearest_of_same(made.points, np.arange(60) // 30) == 1.0


def test_identical_records_share_a_place():
    X, _ = groups()
    made = make_map("umap", X, None, {})
    np.testing.assert_array_equal(made.points[:3], made.points[-3:])


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(UnknownNameError, match="no map 'tsne'"):
        make_map("tsne", np.eye(9), None, {})
    with pytest.raises(DataError, match=r"needs 5 different records\. There are 3"):
        make_map("umap", np.eye(3), None, {})
    with pytest.raises(DataError, match="no vectors, and there is no kernel"):
        make_map("pca", ["a", "b"], None, {})
    with pytest.raises(DataError, match="two labelled classes"):
        make_map("lda", np.eye(9), None, {0: "a"})
