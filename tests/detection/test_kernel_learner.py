from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.detection.kernel.fisher import KernelFisherDiscriminant
from rarefind.detection.kernel.logistic import KernelLogisticRegression
from rarefind.detection.kernel.median_width import median_distance
from rarefind.detection.kernel.mkl import SimpleMKL
from rarefind.detection.kernel.perceptron import KernelPerceptron
from rarefind.kernels import Gaussian, Linear, Normalized, WeisfeilerLehman
from rarefind.kernels.graphs import Graph
from tests.detection.letters import KINDS, WORDS, Letters

LEARNERS = [
    KernelPerceptron(random_state=0),
    KernelLogisticRegression(),
    KernelFisherDiscriminant(),
    SimpleMKL(),
]
SINGLE = LEARNERS[:3]


def names(model):
    return type(model).__name__


def with_kernel(model, kernel):
    if isinstance(model, SimpleMKL):
        return clone(model).set_params(kernels=[kernel])
    return clone(model).set_params(kernel=kernel)


def clouds(n=40, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return rng.normal(size=(n, 3)) + 2.0 * y[:, None], y


@pytest.mark.parametrize("model", LEARNERS, ids=names)
def test_scikit_learns_own_checks_pass(model):
    results = check_estimator(clone(model), on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped"}
    skipped = [r["check_name"] for r in results if r["status"] == "skipped"]
    assert set(skipped) <= {"check_array_api_input"}  # not there before scikit-learn 1.9


@pytest.mark.parametrize("model", LEARNERS, ids=names)
def test_lists_of_strings_are_learnt_with_a_string_kernel(model):
    fitted = with_kernel(model, Letters()).fit(WORDS, KINDS)
    assert fitted.predict(WORDS).tolist() == KINDS
    assert fitted.predict(["bbb", "yy"]).tolist() == ["low", "high"]
    scores = cross_val_score(with_kernel(model, Letters()), WORDS * 2, KINDS * 2, cv=2)
    assert scores.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("model", LEARNERS, ids=names)
def test_lists_of_graphs_are_learnt_with_a_graph_kernel(model):
    rings = [Graph(["C"] * n, [(i, (i + 1) % n) for i in range(n)]) for n in range(3, 8)]
    lines = [Graph(["C"] * n, [(i, i + 1) for i in range(n - 1)]) for n in range(3, 8)]
    y = [0] * 5 + [1] * 5
    fitted = with_kernel(model, Normalized(WeisfeilerLehman())).fit(rings + lines, y)
    new = [Graph(["C"] * 9, [(i, (i + 1) % 9) for i in range(9)]), Graph(["C"] * 2, [(0, 1)])]
    assert (fitted.predict(rings + lines) == y).mean() >= 0.9
    assert fitted.predict(new[:1]).tolist() == [0]
    assert np.isfinite(fitted.decision_function(new)).all()


@pytest.mark.parametrize("model", SINGLE, ids=names)
def test_a_kernels_parameters_can_be_searched(model):
    search = GridSearchCV(with_kernel(model, Letters()), {"kernel__weight": [0.5, 2.0]}, cv=2)
    assert search.fit(WORDS * 2, KINDS * 2).best_score_ == 1.0


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", SINGLE, ids=names)
def test_precomputed_similarities_give_what_the_kernel_gives(model, classes):
    X, y = clouds(classes=classes)
    kernel = Gaussian(2.0)
    direct = with_kernel(model, kernel).fit(X[:30], y[:30])
    stored = with_kernel(model, "precomputed").fit(kernel(X[:30]), y[:30])
    np.testing.assert_allclose(
        stored.decision_function(kernel(X[30:], X[:30])),
        direct.decision_function(X[30:]),
        rtol=1e-7,
        atol=1e-9,
    )
    assert stored.__sklearn_tags__().input_tags.pairwise
    assert cross_val_score(with_kernel(model, "precomputed"), kernel(X), y, cv=3).min() > 0.5


@pytest.mark.parametrize("model", SINGLE, ids=names)
def test_lopsided_or_oblong_matrices_are_refused(model):
    K = np.eye(4)
    K[0, 3] = 1.0
    stored = with_kernel(model, "precomputed")
    with pytest.raises(DataError, match=r"symmetric matrix\. Entries \(0, 3\)"):
        stored.fit(K, [0, 1, 0, 1])
    with pytest.raises(DataError, match="square matrix"):
        stored.fit(np.ones((4, 3)), [0, 1, 0, 1])


@pytest.mark.parametrize("model", LEARNERS, ids=names)
def test_one_class_is_refused_in_words(model):
    with pytest.raises(DataError, match=r"at least two classes in y. Got one class, 'a'"):
        clone(model).fit([[1.0], [2.0]], ["a", "a"])


@pytest.mark.parametrize("model", LEARNERS, ids=names)
def test_labels_that_do_not_match_strings_are_refused(model):
    strings = with_kernel(model, Letters())
    with pytest.raises(DataError, match="Got 10 records and 2 labels"):
        strings.fit(WORDS, [0, 1])
    with pytest.raises(DataError, match="needs records to learn from"):
        strings.fit([], [])
    with pytest.raises(DataError, match="requires y"):
        strings.fit(WORDS, None)


@pytest.mark.parametrize("model", LEARNERS, ids=names)
@pytest.mark.parametrize("records", ["constant", "zero kernel", "zero vectors"])
def test_nothing_to_learn_from_gives_finite_scores(model, records):
    y = [0, 0, 0, 1, 1, 2] * 3
    if records == "constant":
        X, fitted = np.ones((18, 2)), clone(model).fit(np.ones((18, 2)), y)
    elif records == "zero vectors":
        X = np.zeros((18, 2))
        fitted = with_kernel(model, Linear()).fit(X, y)
    else:
        X = WORDS + WORDS[:8]
        fitted = with_kernel(model, Letters(weight=0.0)).fit(X, y)
    scores = fitted.decision_function(X)
    assert scores.shape == (18, 3)
    assert np.isfinite(scores).all()
    assert len(set(fitted.predict(X))) == 1


@pytest.mark.parametrize("model", LEARNERS, ids=names)
def test_a_kernel_that_gives_nan_is_named(model):
    def broken(A, B=None):
        return np.full((len(A), len(A if B is None else B)), np.nan)

    with pytest.raises(DataError, match=r"broken.*must give finite similarities. Got nan"):
        with_kernel(model, broken).fit(WORDS, KINDS)


@pytest.mark.parametrize("model", SINGLE, ids=names)
def test_unknown_kernels_are_refused(model):
    with pytest.raises(UnknownNameError, match=r"no kernel 'gausian'. Did you mean 'gaussian'"):
        with_kernel(model, "gausian").fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ParameterError, match="'kernel' parameter"):
        with_kernel(model, 3).fit([[1.0], [2.0]], [0, 1])


def test_the_median_width_ignores_order_and_repetition():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    apart = [np.linalg.norm(a - b) for i, a in enumerate(X) for b in X[:i]]
    assert median_distance(X) == pytest.approx(np.median(apart))
    more = np.vstack([X, X[:5], X[:5]])
    assert median_distance(rng.permutation(more)) == median_distance(X)
    assert median_distance(np.ones((4, 2))) == 1.0
    assert 0.5 < median_distance(rng.uniform(size=(5000, 3))) < 0.8
