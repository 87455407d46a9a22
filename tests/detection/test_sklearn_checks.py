"""scikit-learn's own checks of what models say about themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import estimator_checks, get_tags

from rarefind.detection import make
from rarefind.detection.models import registry

QUICK = {"forest": {"n_estimators": 5}, "boosting": {"max_iter": 3}}
"""Settings with which slow models are checked."""


def model(name):
    return make(name, **QUICK.get(name, {}))


@pytest.mark.parametrize("name", ["auto", "boosting", "forest", "kernel-perceptron", "lda"])
def test_models_say_whether_they_take_sparse_matrices(name):
    estimator_checks.check_estimator_sparse_tag(name, model(name))


@pytest.mark.parametrize("name", ["auto", "boosting", "forest", "kernel-perceptron", "lda"])
def test_models_say_whether_they_take_gaps(name):
    ranker = model(name)
    assert get_tags(ranker).input_tags.allow_nan == (name in ("boosting", "forest"))
    if not get_tags(ranker).input_tags.allow_nan:
        estimator_checks.check_estimators_nan_inf(name, ranker)
        return
    X = np.random.default_rng(0).normal(size=(40, 2))
    X[0, 0] = np.nan
    assert np.isfinite(ranker.fit(X, np.arange(40) % 5 == 0).decision_function(X)).all()


@pytest.mark.parametrize("name", ["fisher", "lda", "neighbours", "kernel-perceptron", "logistic"])
def test_weights_that_are_all_the_same_change_nothing(name):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(np.vstack([rng.normal(size=(30, 2)), rng.normal(3, 1, size=(6, 2))]))
    y = pd.Series([0] * 30 + [1] * 6)
    weight = pd.Series(np.ones(36), index=np.arange(36)[::-1])
    plain = model(name).fit(X, y).decision_function(X)
    weighed = model(name).fit(X, y, sample_weight=weight).decision_function(X)
    np.testing.assert_allclose(weighed, plain, rtol=1e-6)


def test_a_kernel_perceptron_made_by_name_ranks_the_same_every_time():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] + rng.normal(size=60) > 1.5).astype(int)
    first, second = (make("kernel-perceptron").fit(X, y).decision_function(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_every_model_by_name_can_be_made():
    assert all(hasattr(make(name), "fit") for name in registry.names())
