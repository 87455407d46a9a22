from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from rarefind.core.errors import ParameterError, UnknownNameError
from rarefind.core.precision import average_precision
from rarefind.detection import make
from rarefind.detection.models import registry
from rarefind.kernels import Normalized, Spectrum, WeisfeilerLehman, format_kernel
from rarefind.testing import check_model

RANKERS = [name for name in registry.names() if name != "auto"]


def far_apart_scales():
    """A rare class that shows only once the features are scaled."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3)) * [1.0, 1e-3, 1e4]
    X[:15] += [2.5, 2.5e-3, 0.0]
    return X, np.array(["rare"] * 15 + ["usual"] * 135)


def quick(name):
    """The model of that name, with less work where that changes nothing but its quality."""
    fewer = {
        "auto": {"candidates": ["svm", "neighbours"]},
        "boosting": {"max_iter": 20},
        "forest": {"n_estimators": 20},
    }
    return make(name, **fewer.get(name, {}))


@pytest.mark.parametrize("name", registry.names())
def test_every_model_keeps_its_promises(name):
    check_model(quick(name), scikit_learn=False)


@pytest.mark.parametrize("name", RANKERS)
def test_every_model_ranks_raw_vectors(name):
    X, y = far_apart_scales()
    scores = make(name).fit(X, y).decision_function(X)
    assert average_precision(y, scores, target="rare") > (0.2 if name == "sphere-lago" else 0.6)


def test_the_target_and_the_parameters_are_passed_on():
    X, y = far_apart_scales()
    assert make("svm", C=3.0).estimator[-1].C == 3.0
    assert make("lago", alpha=2.0, target="usual").fit(X, y)[-1].targets_.tolist() == ["usual"]
    assert make("logistic", target="usual").fit(X, y).targets_.tolist() == ["usual"]


def test_unknown_models_and_parameters_are_refused_in_words():
    with pytest.raises(UnknownNameError, match="Did you mean 'svm'"):
        make("smv")
    with pytest.raises(
        ParameterError, match=r"SVC does not take these parameters: 'gama'. It .*gamma"
    ):
        make("svm", gama=1.0)
    with pytest.raises(ParameterError, match=r"NeighbourVotes does not take .* 'kernel'. It takes"):
        make("neighbours", kernel=Spectrum(2))


def strings():
    rng = np.random.default_rng(0)
    usual = ["".join(rng.choice(list("ACGT"), 20)) for _ in range(40)]
    return usual + ["".join(rng.choice(list("AC"), 20)) for _ in range(8)], Normalized(Spectrum(2))


def graphs():
    ring = [[place, (place + 1) % 6] for place in range(6)]
    paths = [{"nodes": ["C"] * size, "edges": ring[: size - 1]} for size in (3, 4, 5, 6) * 10]
    rings = [{"nodes": [*"CCCCC", atom], "edges": ring} for atom in "CNOSCNOS"]
    return paths + rings, WeisfeilerLehman(2)


@pytest.mark.parametrize("records", [strings, graphs])
@pytest.mark.parametrize(
    "name",
    [
        *("kernel-fisher", "kernel-logistic", "kernel-pca", "kernel-perceptron", "lago"),
        *("lago-density", "mkl", "sphere-lago", "svm", "svm-hard"),
    ],
)
def test_models_with_a_kernel_rank_what_only_it_can_compare(name, records):
    X, kernel = records()
    y = np.array(["usual"] * 40 + ["rare"] * 8)
    given = {"kernels": [kernel, 2.0 * kernel]} if name == "mkl" else {"kernel": kernel}
    model = clone(make(name, target="rare", **given)).fit(X, y)
    assert average_precision(y, model.decision_function(X), target="rare") > 0.9
    assert set(model.predict(X)) <= {"rare", "usual"}


@pytest.mark.parametrize("name", ["auto", "kernel-logistic", "lago", "mkl", "svm", "svm-hard"])
def test_a_kernel_may_be_a_formula(name):
    X, kernel = strings()
    y = np.array(["usual"] * 40 + ["rare"] * 8)
    scores = [
        make(name, target="rare", kernel=given).fit(X, y).decision_function(X)
        for given in (kernel, format_kernel(kernel))
    ]
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize("name", ["kernel-fisher", "kernel-logistic", "svm"])
def test_similarities_given_are_not_scaled(name):
    X, kernel = strings()
    y = np.array(["usual"] * 40 + ["rare"] * 8)
    through = make(name, kernel=kernel).fit(X, y).decision_function(X)
    given = make(name, kernel="precomputed").fit(kernel(X), y).decision_function(kernel(X))
    np.testing.assert_allclose(given, through, rtol=1e-6, atol=1e-8)
