from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from sklearn.base import clone

from rarefind.core.errors import ParameterError, UnknownNameError
from rarefind.core.ranking import average_precision
from rarefind.detection import make
from rarefind.detection.models import registry

HOMES = {
    "kernel-fisher": "rarefind.detection.kernel_fisher",
    "kernel-logistic": "rarefind.detection.kernel_logistic",
    "kernel-perceptron": "rarefind.detection.kernel_perceptron",
    "mkl": "rarefind.detection.mkl",
}
ELSEWHERE = ["auto"]
RANKERS = [
    name
    for name in registry.names()
    if name not in ELSEWHERE
    and (name not in HOMES or importlib.util.find_spec(HOMES[name]) is not None)
]


def far_apart_scales():
    """A rare class that shows only once the features are scaled."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3)) * [1.0, 1e-3, 1e4]
    X[:15] += [2.5, 2.5e-3, 0.0]
    return X, np.array(["rare"] * 15 + ["usual"] * 135)


@pytest.mark.parametrize("name", RANKERS)
def test_every_model_ranks_raw_vectors(name):
    X, y = far_apart_scales()
    model = clone(make(name))
    scores = model.fit(X, y).decision_function(X)
    assert scores.shape == (150,)
    assert np.isfinite(scores).all()
    assert average_precision(y, scores, target="rare") > (0.2 if name == "sphere-lago" else 0.6)
    assert set(model.predict(X)) <= {"rare", "usual"}


def test_the_target_and_the_parameters_are_passed_on():
    X, y = far_apart_scales()
    assert make("svm", C=3.0).estimator[-1].C == 3.0
    assert make("lago", alpha=2.0, target="usual").fit(X, y)[-1].targets_.tolist() == ["usual"]
    assert make("logistic", target="usual").fit(X, y).targets_.tolist() == ["usual"]


def test_unknown_models_and_parameters_are_refused_in_words():
    with pytest.raises(UnknownNameError, match="Did you mean 'svm'"):
        make("smv")
    with pytest.raises(ParameterError, match="SVC does not take these parameters"):
        make("svm", gama=1.0)
