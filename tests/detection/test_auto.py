from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.core.precision import average_precision
from rarefind.detection import AutoDetector, Lago
from rarefind.detection.auto import race as auto_race
from rarefind.detection.auto.rank_average import rank_scale
from rarefind.kernels import Kernel


class FirstLetters(Kernel):
    """Words are alike if their first letters are, for tests on records that are no vectors."""

    def _read(self, A):
        return np.array([[word[0] == letter, 0.1 * len(word)] for word in A for letter in "a"])

    def _gram(self, left, right):
        return left @ (left if right is None else right).T

    def _diag(self, left):
        return np.einsum("ij,ij->i", left, left)


class Slow(LogisticRegression):
    """A classifier that says it cannot be fitted."""

    def fit(self, X, y, sample_weight=None):
        raise ValueError("no memory left for this model")


def rare_in_crowd(seed=0, n1=20, n0=200):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(n0, 2)), rng.normal(1.8, 0.3, size=(n1, 2))])
    return X, np.array(["usual"] * n0 + ["rare"] * n1)


def test_it_is_a_scikit_learn_classifier():
    check_estimator(AutoDetector({"bayes": GaussianNB()}), on_skip=None)


def test_it_ranks_about_as_well_as_the_best_and_says_why():
    X, y = rare_in_crowd()
    X_new, y_new = rare_in_crowd(1)
    candidates = {"lago": Lago(), "guess": DummyClassifier(), "linear": LogisticRegression()}
    model = AutoDetector(candidates).fit(X, y)
    scores = {score.model: score.average_precision for score in model.scores_}
    assert scores["lago"] > scores["guess"] + 0.3
    assert "guess" not in model.chosen_[0]
    assert model.chosen_[0][0] in model.why_
    assert "average precision" in model.why_
    found = average_precision(y_new, model.decision_function(X_new), target="rare")
    single = Lago().fit(X, y).decision_function(X_new)
    assert found > average_precision(y_new, single, target="rare") - 0.05


@pytest.mark.parametrize("n1", [1, 2, 4])
def test_too_few_examples_are_not_compared_and_it_says_so(n1):
    X, y = rare_in_crowd(n1=n1)
    model = AutoDetector().fit(X, y)
    assert model.chosen_ == [("lago-density",)]
    assert "without comparison" in model.why_
    assert "at least 5 are needed" in model.why_
    scores = model.decision_function(X)
    assert np.isfinite(scores).all()
    assert np.argmax(scores) >= 200


def test_models_that_fail_or_take_too_long_are_left_out_with_a_note():
    X, y = rare_in_crowd()
    model = AutoDetector({"lago": Lago(), "slow": Slow()}).fit(X, y)
    notes = {score.model: score.note for score in model.scores_}
    assert notes["slow"].startswith("failed: Slow cannot be fitted to these 176 records: no memory")
    assert "no memory left" in model.why_
    hasty = AutoDetector({"svm": SVC(), "lago": Lago()}, time_limit=1e-6).fit(X, y)
    assert hasty.chosen_ == [("lago",)]
    assert "1e-06 s are too short to compare models on 220 records" in hasty.why_
    with pytest.raises(DataError, match="no memory left"):
        AutoDetector({"slow": Slow()}).fit(X, y)


def test_folds_side_by_side_give_what_they_give_one_by_one(monkeypatch):
    X, y = rare_in_crowd(n0=1100)
    X = np.hstack([X, np.random.default_rng(1).normal(size=(len(X), 120 - X.shape[1]))])
    assert X.size > auto_race.FEW_NUMBERS
    found = []
    filters = list(warnings.filters)
    for number in (1, 3):
        monkeypatch.setattr(auto_race, "workers", lambda number=number: number)
        model = AutoDetector(["lago", "logistic", "boosting"]).fit(X, y)
        found.append({score.model: score.average_precision for score in model.scores_})
    assert found[0] == found[1]
    assert len(found[0]) == 3
    assert list(warnings.filters) == filters


def test_strings_are_ranked_with_a_kernel():
    words = ["b" * (n % 7 + 1) for n in range(60)] + ["a" * (n % 4 + 1) for n in range(8)]
    y = [0] * 60 + [1] * 8
    model = AutoDetector(kernel=FirstLetters()).fit(words, y)
    assert {score.model for score in model.scores_} == {"lago", "sphere-lago", "svm"}
    assert model.predict(["aaa", "bbb"]).tolist() == [1, 0]


def test_several_rare_classes_get_a_choice_each():
    X, y = rare_in_crowd()
    y[:10], X[:10] = "other", X[:10] - 5.0
    model = AutoDetector(["lago", "logistic"]).fit(X, y)
    assert len(model.chosen_) == 2
    assert model.decision_function(X).shape == (220, 3)
    assert (model.predict(X) == y).mean() > 0.9


def test_a_class_that_is_not_rare_may_be_ranked_for_too():
    X, y = rare_in_crowd()
    model = AutoDetector({"lago": Lago(), "linear": LogisticRegression()}, target="usual")
    scores = model.fit(X, y).decision_function(X)
    assert average_precision(y, scores, target="usual") > 0.97


def test_a_rank_scale_keeps_every_order():
    rng = np.random.default_rng(0)
    scale = rank_scale(rng.normal(size=5000) ** 3)
    scores = np.sort(rng.normal(size=300) ** 3 * 4)
    assert (np.diff(scale(scores)) > 0).all()
    flat = rank_scale(np.zeros(10))(np.array([-1.0, 0.0, 1.0]))
    assert (np.diff(flat) > 0).all()


def test_bad_input_is_refused_in_words():
    X, y = rare_in_crowd()
    with pytest.raises(ParameterError, match="'time_limit' parameter of AutoDetector"):
        AutoDetector(time_limit=0).fit(X, y)
    with pytest.raises(ParameterError, match="'candidates' parameter of AutoDetector"):
        AutoDetector("lago").fit(X, y)
    with pytest.raises(UnknownNameError, match="'lagoo'"):
        AutoDetector(["lagoo"]).fit(X, y)
    with pytest.raises(DataError, match="only one class"):
        AutoDetector().fit(X, ["a"] * len(y))
