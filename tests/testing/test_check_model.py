"""Models that break one rule each."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from rarefind.testing import check_model
from rarefind.testing.models import RULES
from tests.testing.broken import assert_breaks, assert_every_rule_is_tried


class Nearest(ClassifierMixin, BaseEstimator):
    """Scores by how much nearer a record is to the middle of the rarer class than to the other."""

    def __init__(self, shift=0.0, random_state=None):
        self.shift = shift
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X, y):
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        classes, counts = np.unique(y, return_counts=True)
        if len(classes) > 2:
            kind = type_of_target(y)
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}."
            )
        if len(classes) < 2:
            raise ValueError("Nearest needs two classes. Got one class.")
        rare = 0 if counts[0] < counts[1] else 1
        self.classes_ = classes[[1 - rare, rare]]
        self.middle_ = X[y == classes[rare]].mean(axis=0) + self.shift
        self.crowd_ = X[y != classes[rare]].mean(axis=0)
        return self

    def decision_function(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        away = np.linalg.norm(X - self.middle_, axis=1)
        return np.linalg.norm(X - self.crowd_, axis=1) - away

    def predict(self, X):
        rare = self.decision_function(X) > 0
        return self.classes_[rare.astype(int)]


class Flat(Nearest):
    def decision_function(self, X):
        return super().decision_function(X)[:, None]


class GivesUp(Nearest):
    def decision_function(self, X):
        scores = super().decision_function(X)
        return np.where(scores < 0, -np.inf, scores)


class LastOfTheAlphabet(Nearest):
    def decision_function(self, X):
        scores = super().decision_function(X)
        return scores if self.classes_[1] > self.classes_[0] else -scores


class Numbers(Nearest):
    def predict(self, X):
        return (self.decision_function(X) > 0).astype(int)


class AmongOthers(Nearest):
    def decision_function(self, X):
        scores = super().decision_function(X)
        return scores - scores.min()


class ByChance(Nearest):
    def fit(self, X, y):
        super().fit(X, y)
        self.middle_ = self.middle_ + 0.01 * np.random.normal(size=3)  # noqa: NPY002
        return self


class GoesOn(Nearest):
    def fit(self, X, y):
        before = getattr(self, "middle_", 0.0)
        super().fit(X, y)
        self.middle_ = self.middle_ + 0.1 * before
        return self


class CentresInPlace(Nearest):
    def fit(self, X, y):
        X[:1] = 0.0
        return super().fit(X, y)


class ChangesItself(Nearest):
    def fit(self, X, y):
        self.shift = 0.5
        return super().fit(X, y)


class AlwaysReady(Nearest):
    def decision_function(self, X):
        return super().decision_function(X) if hasattr(self, "middle_") else np.zeros(len(X))


class OneClassIsEnough(Nearest):
    def fit(self, X, y):
        return self if len(np.unique(y)) == 1 else super().fit(X, y)


class Wide(Nearest):
    def decision_function(self, X):
        return super().decision_function(np.asarray(X)[:, : getattr(self, "n_features_in_", 1)])


class NoTags(Nearest):
    def fit(self, X, y):
        super().fit(X, y)
        self.n_features_in_ += 0
        self.seen = len(X)
        return self


BROKEN = [
    (Flat(), "decision_function gives", "Its shape: expected (58,), got (58, 1)."),
    (GivesUp(), "decision_function gives", "is -inf."),
    (LastOfTheAlphabet(), "Higher means", "With 'ant' rare among 'zebra'"),
    (Numbers(), "What predict answers", "predict said {0, 1}."),
    (AmongOthers(), "The score of a record", "A record scored alone has 0, and had "),
    (ByChance(), "A copy has", "A record scored by another copy has "),
    (GoesOn(), "A copy has", "A record scored after it was fitted to other labels has "),
    (CentresInPlace(), "Learning and ranking", "The records: expected "),
    (ChangesItself(), "Learning and ranking", "The model as it prints itself"),
    (AlwaysReady(), "A model that has learnt", "should have raised NotFittedError, and was acc"),
    (OneClassIsEnough(), "Labels that nothing", "One class should have raised ValueError"),
    (Wide(), "Tables that nothing", "A feature too many should have raised ValueError"),
    (Nearest(), "A model that was saved", "It raised "),
]


@pytest.mark.parametrize(
    ("model", "rule", "example"), BROKEN, ids=[type(one).__name__ for one, _, _ in BROKEN]
)
def test_a_model_that_breaks_a_rule_is_told_which(model, rule, example):
    assert_breaks(lambda: check_model(model), rule, example)


def test_a_model_that_scikit_learn_would_not_take_is_told_why():
    words = "check_dont_overwrite_parameters failed: Estimator adds public attribute"
    assert_breaks(lambda: check_model(NoTags(), saved=False), "scikit-learn's own checks", words)
    check_model(NoTags(), saved=False, scikit_learn=False)


def test_every_rule_is_broken_here_and_the_one_they_all_derive_from_breaks_none():
    tried = [rule for _, rule, _ in BROKEN]
    assert_every_rule_is_tried(RULES, [*tried, "scikit-learn's own checks"])
    check_model(Nearest(), saved=False)
