"""Every detector on every kind of bad input: one sentence of ours, or a finite ranking."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import SVC

from rarefind.core.errors import DataError, RarefindError
from rarefind.detection import (
    AutoDetector,
    KernelFisherDiscriminant,
    KernelLogisticRegression,
    KernelMachine,
    KernelPerceptron,
    Lago,
    RareRanker,
    SimpleMKL,
    make,
)
from rarefind.detection.models import registry
from rarefind.kernels import Kernel, Spectrum

CLASSES = {
    "Lago": Lago,
    "Lago(sphere)": lambda: Lago("sphere", profile="cosine"),
    "Lago(diagonal)": lambda: Lago(bandwidth="diagonal"),
    "Lago(density)": lambda: Lago(density_correction=True),
    "KernelPerceptron": KernelPerceptron,
    "KernelLogisticRegression": KernelLogisticRegression,
    "KernelFisherDiscriminant": KernelFisherDiscriminant,
    "SimpleMKL": SimpleMKL,
    "KernelMachine": KernelMachine,
    "RareRanker": lambda: RareRanker(SVC()),
    "AutoDetector": lambda: AutoDetector(["lda", "logistic"]),
}
BY_NAME = {f"make({name})": lambda name=name: make(name) for name in registry.names()}
BY_NAME["make(forest)"] = lambda: make("forest", n_estimators=5)
BY_NAME["make(boosting)"] = lambda: make("boosting", max_iter=3)
BY_NAME["make(auto)"] = lambda: make("auto", candidates=["svm", "neighbours"])
MODELS = {**CLASSES, **BY_NAME}
WITH_KERNEL = {
    "Lago": lambda kernel: Lago(kernel=kernel),
    "Lago(sphere)": lambda kernel: Lago("sphere", kernel=kernel),
    "KernelPerceptron": KernelPerceptron,
    "KernelLogisticRegression": KernelLogisticRegression,
    "KernelFisherDiscriminant": KernelFisherDiscriminant,
    "SimpleMKL": lambda kernel: SimpleMKL([kernel]),
    "KernelMachine": KernelMachine,
    "AutoDetector": lambda kernel: AutoDetector(kernel=kernel),
    "RareRanker": lambda kernel: RareRanker(KernelPerceptron(kernel)),
}


class Nothing(Kernel):
    """No two records are alike, not even a record and itself."""

    def _read(self, A):
        return np.zeros((len(A), 1))

    def _gram(self, left, right):
        return left @ (left if right is None else right).T

    def _diag(self, left):
        return left[:, 0]


def good():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(24, 2)), rng.normal(3.0, 0.3, size=(6, 2))])
    return X, np.array([0] * 24 + [1] * 6)


def with_value(value, column=1):
    X, y = good()
    X[3, column] = value
    return X, y


def with_labels(labels):
    return good()[0], labels


REFUSED = {
    "NaN": lambda: with_value(np.nan),
    "infinity": lambda: with_value(-np.inf),
    "strings": lambda: (["a", "bc", "a", "cc"], [0, 0, 1, 1]),
    "rows of strings": lambda: ([["a", "b"], ["c", "d"], ["a", "d"]], [0, 0, 1]),
    "ragged rows": lambda: ([[1.0, 2.0], [3.0], [4.0, 5.0]], [0, 0, 1]),
    "one number per record": lambda: ([1.0, 2.0, 3.0], [0, 0, 1]),
    "complex numbers": lambda: (good()[0] * 1j, good()[1]),
    "no records": lambda: ([], []),
    "no records of two features": lambda: (np.zeros((0, 2)), []),
    "records without features": lambda: (np.zeros((30, 0)), good()[1]),
    "a number": lambda: (3.0, [1]),
    "None": lambda: (None, [0, 1]),
    "too few labels": lambda: with_labels([0, 1, 1]),
    "no labels": lambda: with_labels(None),
    "words and numbers as labels": lambda: with_labels([1, "a"] * 15),
    "words and numbers in an array of labels": lambda: with_labels(
        np.array([1, "a"] * 15, dtype=object)
    ),
    "a label missing": lambda: with_labels(["a", None, "b"] * 10),
    "a label that is NaN": lambda: with_labels([0.0, np.nan, 1.0] * 10),
    "labels in between": lambda: with_labels(np.linspace(0.0, 1.0, 30)),
    "two labels per record": lambda: with_labels(np.zeros((30, 2))),
    "one class": lambda: with_labels([0] * 30),
    "only positives": lambda: with_labels([1] * 30),
    "only one word": lambda: with_labels(["rare"] * 30),
}
TAKES_GAPS = {"make(boosting)", "make(forest)"}

RANKED = {
    "constant features": lambda: (np.ones((30, 2)), good()[1]),
    "one constant feature": lambda: (good()[0] * [1.0, 0.0], good()[1]),
    "zeros": lambda: (np.zeros((30, 2)), good()[1]),
    "1e200": lambda: with_value(1e200),
    "1e307": lambda: with_value(1e307),
    "1e307 of both signs": lambda: (np.sign(good()[0]) * 1e307, good()[1]),
    "all of 1e200": lambda: (good()[0] * 1e200, good()[1]),
    "all of 1e-200": lambda: (good()[0] * 1e-200, good()[1]),
    "all of 1e30": lambda: (good()[0] * 1e30, good()[1]),
    "sparse": lambda: (sparse.csr_array(good()[0]), good()[1]),
    "whole numbers": lambda: (np.round(good()[0]).astype(int), good()[1]),
    "one positive": lambda: with_labels([0] * 29 + [1]),
    "one of each": lambda: (good()[0][[0, -1]], [0, 1]),
    "one negative": lambda: with_labels([0] + [1] * 29),
    "words as labels": lambda: with_labels(["plain"] * 24 + ["rare"] * 6),
    "three classes": lambda: with_labels([0] * 20 + [1] * 5 + [2] * 5),
    "more features than records": lambda: (
        np.random.default_rng(0).normal(size=(12, 40)),
        [0] * 9 + [1] * 3,
    ),
}


LETTERS = [*"abcde" * 5, "zz", "zzz", "zz", "z", "zzzz"]
LETTER_LABELS = [0] * 25 + [1] * 5


def attempt(model, X, y):
    """Fit and rank; give the scores, or the error that was raised on purpose."""
    with warnings.catch_warnings():
        # A model may say in a warning that it has not converged, never that a number overflowed.
        warnings.simplefilter("ignore", UserWarning)
        try:
            fitted = model.fit(X, y)
            return np.asarray(fitted.decision_function(X))
        except RarefindError as problem:
            return problem


def assert_is_one_clear_sentence(problem):
    text = str(problem)
    assert isinstance(problem, DataError), repr(problem)
    assert "\n" not in text
    assert "sklearn" not in text
    assert "numpy" not in text
    assert "array-like" not in text
    assert text[0].isupper() or text.startswith("make")
    assert text.rstrip().endswith((".", "?")), text
    assert len(text) < 600


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("name", MODELS)
def test_what_cannot_be_learnt_from_is_refused_in_one_sentence(name, case):
    found = attempt(MODELS[name](), *REFUSED[case]())
    if name in TAKES_GAPS and case == "NaN":
        assert np.isfinite(found).all()
    else:
        assert isinstance(found, RarefindError), f"{name} ranked {case}"
        assert_is_one_clear_sentence(found)


@pytest.mark.parametrize("case", RANKED)
@pytest.mark.parametrize("name", MODELS)
def test_what_is_odd_is_ranked_or_refused_in_one_sentence(name, case):
    X, y = RANKED[case]()
    found = attempt(MODELS[name](), X, y)
    if isinstance(found, RarefindError):
        assert_is_one_clear_sentence(found)
    else:
        assert len(found) == X.shape[0]
        assert np.isfinite(found).all()


@pytest.mark.parametrize("name", WITH_KERNEL)
def test_a_kernel_that_gives_nothing_but_zeros_is_answered(name):
    found = attempt(WITH_KERNEL[name](Nothing()), LETTERS, LETTER_LABELS)
    if isinstance(found, RarefindError):
        assert_is_one_clear_sentence(found)
    else:
        assert np.isfinite(found).all()


@pytest.mark.parametrize(
    "labels", [[1, "a"] * 15, [None, 1] * 15, [0] * 30, [0, 1], None], ids=repr
)
@pytest.mark.parametrize("name", WITH_KERNEL)
def test_labels_are_checked_for_records_of_every_kind(name, labels):
    found = attempt(WITH_KERNEL[name](Spectrum(1)), LETTERS, labels)
    assert_is_one_clear_sentence(found)


@pytest.mark.parametrize("name", CLASSES)
def test_labels_keep_their_type(name):
    X, y = good()
    for given in (y.tolist(), np.array(y, dtype=object), y.astype(float)):
        assert MODELS[name]().fit(X, given).classes_.tolist() == [0, 1]
    words = MODELS[name]().fit(X, np.array(["no", "yes"], dtype=object)[y])
    assert sorted(words.classes_.tolist()) == ["no", "yes"]


@pytest.mark.parametrize("name", ["Lago", "KernelLogisticRegression", "RareRanker", "make(svm)"])
def test_new_records_are_checked_like_those_learnt_from(name):
    X, y = good()
    model = MODELS[name]().fit(X, y)
    with pytest.raises(DataError, match=r"X has 3 features, but .* is expecting 2 features"):
        model.decision_function(np.ones((1, 3)))
    with pytest.raises(DataError, match="Row 0, column 1 of X holds NaN"):
        model.decision_function([[0.0, np.nan]])


@pytest.mark.parametrize("name", sorted(set(BY_NAME) - {"make(sphere-lago)"}))
def test_new_records_far_away_have_finite_scores(name):
    X, y = good()
    scores = MODELS[name]().fit(X, y).decision_function([[1e300, -1e300], [0.0, 0.0]])
    assert np.isfinite(scores).all()
