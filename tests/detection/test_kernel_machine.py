from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KernelCenterer
from sklearn.svm import SVC, SVR, OneClassSVM
from sklearn.utils.estimator_checks import check_estimator

from rarefind.core.errors import ParameterError
from rarefind.detection import KernelMachine
from rarefind.kernels import Gaussian, Intersection, Normalized, On, VectorSpace

X = np.random.default_rng(0).normal(size=(40, 3))
y = (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int)
WORDS = ["gatt", "gatta", "catt", "tagg", "ggat", "acca", "cca", "caca", "ccac", "acac"]
LABELS = ["g"] * 5 + ["c"] * 5
LETTERS = VectorSpace(analyzer="char", ngram_range=(1, 2))

# scikit-learn declares the same of its support vector machines.
WEIGHTS_ARE_NOT_REPEATS = "libsvm stops early, so weights and repeated records differ slightly"


@pytest.mark.parametrize(
    "estimator",
    [KernelMachine(), KernelMachine(Gaussian(2.0), SVC(C=3.0)), KernelMachine(estimator=SVR())],
    ids=repr,
)
def test_scikit_learns_own_checks_pass_for_support_vector_machines(estimator):
    expected = {
        f"check_sample_weight_equivalence_on_{kind}_data": WEIGHTS_ARE_NOT_REPEATS
        for kind in ("dense", "sparse")
    }
    results = check_estimator(
        estimator, expected_failed_checks=expected, on_skip=None, on_fail=None
    )
    failed = {one["check_name"]: one["exception"] for one in results if one["status"] == "failed"}
    assert failed == {}


def test_scikit_learns_own_checks_pass_for_kernel_ridge_without_exception():
    results = check_estimator(KernelMachine("gaussian", KernelRidge()), on_skip=None, on_fail=None)
    assert [one["check_name"] for one in results if one["status"] == "failed"] == []


def test_on_vectors_it_is_the_learner_with_that_kernel():
    machine = KernelMachine(Gaussian(2.0), SVC(C=3.0)).fit(X, y)
    direct = SVC(C=3.0, gamma=1 / 8).fit(X, y)
    np.testing.assert_allclose(
        machine.decision_function(X + 0.1), direct.decision_function(X + 0.1), atol=1e-6
    )
    np.testing.assert_array_equal(machine.predict(X), direct.predict(X))
    assert machine.score(X, y) == direct.score(X, y)
    assert machine.n_features_in_ == 3
    assert machine.estimator.kernel == "rbf"


def test_any_records_are_learnt_from():
    machine = KernelMachine(LETTERS, SVC(C=10)).fit(WORDS, LABELS)
    assert machine.predict(["gata", "cac"]).tolist() == ["g", "c"]
    assert machine.classes_.tolist() == ["c", "g"]
    assert machine.reference_.records is None
    sets = [set(word) for word in WORDS]
    machine = KernelMachine(Normalized(Intersection()), SVC(C=10)).fit(sets, LABELS)
    assert machine.predict([{"g", "t"}, {"c"}]).tolist() == ["g", "c"]
    mixed = [{"word": word, "size": len(word)} for word in WORDS]
    kernel = On("word", LETTERS) + On("size", Gaussian())
    machine = KernelMachine(kernel, SVC(C=10)).fit(mixed, LABELS)
    assert machine.predict([{"word": "gata", "size": 4}]).tolist() == ["g"]


def test_parameters_of_kernel_and_learner_are_searched_together():
    grid = {"kernel__ngram_range": [(1, 1), (2, 2)], "estimator__C": [1.0, 10.0]}
    search = GridSearchCV(KernelMachine(LETTERS, SVC()), grid, cv=2).fit(WORDS, LABELS)
    assert search.best_score_ >= 0.8
    assert LETTERS.ngram_range == (1, 2)


def test_regression_novelty_and_pipelines_work_too():
    target = X[:, 0] ** 2
    machine = KernelMachine(Gaussian(2.0), KernelRidge(alpha=0.1)).fit(X, target)
    direct = KernelRidge(kernel="rbf", gamma=1 / 8, alpha=0.1).fit(X, target)
    np.testing.assert_allclose(machine.predict(X), direct.predict(X))
    assert machine.score(X, target) == pytest.approx(direct.score(X, target))
    assert is_regressor(machine)
    novelty = KernelMachine(LETTERS, OneClassSVM(nu=0.2)).fit(WORDS)
    assert set(novelty.predict(WORDS)) <= {-1, 1}
    chained = make_pipeline(KernelCenterer(), SVC(kernel="precomputed"))
    assert is_classifier(KernelMachine(LETTERS, chained).fit(WORDS, LABELS))


def test_methods_the_learner_lacks_are_absent():
    ridge = KernelMachine(estimator=KernelRidge())
    assert not hasattr(ridge, "decision_function")
    assert not hasattr(ridge, "predict_proba")
    assert hasattr(KernelMachine(), "decision_function")
    assert not hasattr(KernelMachine(), "predict_proba")


def test_probabilities_come_from_the_learner():
    class Certain(SVC):
        def predict_proba(self, gram):
            return np.tile([0.25, 0.75], (len(gram), 1))

    machine = KernelMachine(estimator=Certain()).fit(X, y)
    np.testing.assert_array_equal(machine.predict_proba(X[:2]), [[0.25, 0.75]] * 2)


def test_weights_reach_the_learner_or_are_refused():
    weights = np.where(y == 1, 10.0, 1.0)
    machine = KernelMachine(Gaussian(2.0)).fit(X, y, sample_weight=weights)
    direct = SVC(gamma=1 / 8).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(machine.decision_function(X), direct.decision_function(X), atol=1e-6)
    with pytest.raises(ParameterError, match="GaussianProcessRegressor does not"):
        KernelMachine(estimator=GaussianProcessRegressor()).fit(X, y, sample_weight=weights)


def test_wrong_learners_and_unfitted_machines_are_refused_in_words():
    with pytest.raises(ParameterError, match="'estimator' parameter of KernelMachine must be a"):
        KernelMachine(estimator="svm").fit(X, y)
    with pytest.raises(NotFittedError):
        KernelMachine().predict(X)
    assert clone(KernelMachine(LETTERS)).kernel is not LETTERS
