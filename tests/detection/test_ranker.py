from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.core.precision import average_precision
from rarefind.detection import RareRanker
from rarefind.testing import check_model


def rare_in_crowd(seed=0):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(80, 2)), rng.normal(2.5, 0.3, size=(8, 2))])
    return X, np.array(["ordinary"] * 80 + ["fraud"] * 8)


@pytest.mark.parametrize("estimator", [LogisticRegression()], ids=repr)
def test_it_keeps_the_promises_of_models_and_of_scikit_learn(estimator):
    check_model(RareRanker(estimator))


@pytest.mark.parametrize(
    "estimator", [LogisticRegression(), SVC(), ExtraTreesClassifier(20, random_state=0)], ids=repr
)
def test_higher_means_the_rare_class_whatever_its_name(estimator):
    X, y = rare_in_crowd()
    scores = RareRanker(estimator).fit(X, y).decision_function(X)
    assert average_precision(y, scores, target="fraud") > 0.8


def test_the_order_is_that_of_the_classifier_itself():
    X, y = rare_in_crowd()
    plain = LogisticRegression().fit(X, y == "fraud")
    ranker = RareRanker(LogisticRegression()).fit(X, y)
    np.testing.assert_allclose(ranker.decision_function(X), plain.decision_function(X))
    np.testing.assert_allclose(ranker.predict_proba(X), plain.predict_proba(X))
    assert not hasattr(RareRanker(SVC()), "predict_proba")


def test_certain_probabilities_have_finite_scores():
    X, y = rare_in_crowd()
    scores = RareRanker(KNeighborsClassifier(1)).fit(X, y).decision_function(X)
    assert np.isfinite(scores).all()


def test_several_rare_classes_get_a_classifier_each():
    X, y = rare_in_crowd()
    y[:5] = "error"
    ranker = RareRanker(LogisticRegression()).fit(X, y)
    assert ranker.targets_.tolist() == ["error", "fraud"]
    assert ranker.decision_function(X).shape == (88, 3)
    one = RareRanker(LogisticRegression(), target="fraud").fit(X, y)
    np.testing.assert_allclose(one.decision_function(X), ranker.decision_function(X)[:, 1])
    np.testing.assert_allclose(ranker.predict_proba(X).sum(axis=1), 1.0)
    assert (ranker.classes_[ranker.predict_proba(X).argmax(axis=1)] == ranker.predict(X)).all()


def test_weights_reach_the_classifier_or_are_refused():
    X, y = rare_in_crowd()
    weights = np.arange(88) % 3
    weighted = RareRanker(LogisticRegression()).fit(X, y, sample_weight=weights)
    repeated = RareRanker(LogisticRegression()).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), atol=1e-3
    )
    with pytest.raises(DataError, match="KNeighborsClassifier takes no sample_weight"):
        RareRanker(KNeighborsClassifier()).fit(X, y, sample_weight=weights)


def test_bad_input_is_refused_in_words():
    X, y = rare_in_crowd()
    with pytest.raises(ParameterError, match="'estimator' parameter of RareRanker"):
        RareRanker(3).fit(X, y)
    with pytest.raises(UnknownNameError, match="'frod'"):
        RareRanker(SVC(), target="frod").fit(X, y)
    with pytest.raises(DataError, match="88 records and 2 labels"):
        RareRanker(SVC()).fit(X, y[:2])
    with pytest.raises(DataError, match="only one class"):
        RareRanker(SVC()).fit(X, ["a"] * 88)
