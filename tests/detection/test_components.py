from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA
from sklearn.utils.estimator_checks import check_estimator

from rarefind.core.errors import DataError
from rarefind.core.precision import average_precision
from rarefind.detection import make
from rarefind.detection.kernel.components import KernelComponents
from rarefind.detection.neighbour_votes import NeighbourVotes
from rarefind.kernels import Gaussian, Spectrum


@pytest.mark.parametrize("estimator", [KernelComponents(), NeighbourVotes()], ids=repr)
def test_it_is_a_scikit_learn_estimator(estimator):
    check_estimator(estimator, on_skip=None)


def test_all_landmarks_give_kernel_pca_exactly():
    X = np.random.default_rng(0).normal(size=(40, 3))
    fresh = np.random.default_rng(1).normal(size=(10, 3))
    ours = KernelComponents(Gaussian(1.5), n_components=5).fit(X)
    theirs = KernelPCA(5, kernel="rbf", gamma=0.5 / 1.5**2).fit(X)
    for records in (X, fresh):
        np.testing.assert_allclose(
            np.abs(ours.transform(records)), np.abs(theirs.transform(records)), atol=1e-9
        )


def test_landmarks_come_near_with_a_part_of_the_records():
    X = np.random.default_rng(0).normal(size=(300, 2))
    full = KernelComponents(Gaussian(3.0), n_components=2).fit(X)
    part = KernelComponents(Gaussian(3.0), n_components=2, n_landmarks=60).fit(X)
    np.testing.assert_allclose(part.explained_variance_, full.explained_variance_, rtol=0.01)


def test_strings_have_components_too():
    words = ["aab", "aba", "bba", "xyx", "xxy", "yyx"]
    found = KernelComponents(Spectrum(1), n_components=1).fit_transform(words).ravel()
    assert len(set(np.sign(found[:3]))) == 1
    assert (np.sign(found[:3]) == -np.sign(found[3:])).all()
    assert KernelComponents(Spectrum(1)).fit_transform(["a", "a"]).tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize("name", ["pca", "kernel-pca"])
def test_components_rank_with_labels_and_project_without(name):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(80, 3)), rng.normal(3.0, 0.3, size=(8, 3))])
    y = [0] * 80 + [1] * 8
    model = make(name, n_components=2).fit(X, y)
    assert average_precision(y, model.decision_function(X)) > 0.9
    places = model.transform(X)
    np.testing.assert_array_equal(make(name, n_components=2).fit_transform(X), places)
    with pytest.raises(DataError, match="fitted without labels"):
        make(name).fit(X).decision_function(X)


def test_fewer_records_than_neighbours_all_vote():
    votes = NeighbourVotes(20, weights="uniform").fit([[0.0], [1.0], [9.0]], [0, 0, 1])
    np.testing.assert_allclose(votes.predict_proba([[5.0]]), [[2 / 3, 1 / 3]])
