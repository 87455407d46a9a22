from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import KernelPCA
from sklearn.kernel_approximation import Nystroem as SklearnNystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from rarefind.core.errors import DataError, ParameterError, RarefindWarning, UnknownNameError
from rarefind.kernels import (
    Centered,
    FeatureTransformer,
    Gaussian,
    GivenGram,
    GramTransformer,
    Intersection,
    LatentSemantic,
    Linear,
    Normalized,
    Nystroem,
    Subsets,
    VectorSpace,
)

X = np.random.default_rng(0).normal(size=(20, 3))
Y = np.random.default_rng(1).normal(size=20)
WORDS = ["gatt", "gatta", "catt", "tagg", "ggat", "acca", "cca", "caca", "ccac", "acac"]
NEW = ["gata", "cac", "tttt"]
LABELS = [0] * 5 + [1] * 5


def letters(**params):
    return VectorSpace(analyzer="char", ngram_range=(1, 2), **params)


@pytest.mark.parametrize(
    ("kernel", "records"),
    [
        (Gaussian(2.0), X),
        (Gaussian(2.0), sparse.csr_array(X)),
        (Normalized(Linear() + 1), X.tolist()),
        (letters(), WORDS),
        (Centered(letters()) * 2, WORDS),
        (Intersection(), [set(word) for word in WORDS]),
        (Intersection(universe=list("gatc")), [set(word) for word in WORDS]),
        (LatentSemantic(2, kernel=letters()), WORDS),
    ],
    ids=lambda value: type(value).__name__,
)
def test_new_records_get_the_slice_of_the_whole_gram_matrix(kernel, records):
    step = GramTransformer(kernel)
    whole = step.fit_transform(records)
    np.testing.assert_allclose(whole, kernel(records), atol=1e-12)
    np.testing.assert_allclose(step.transform(records[3:7]), whole[3:7], atol=1e-9)
    np.testing.assert_allclose(step.fit(records).transform(records), whole, atol=1e-9)


def test_features_stand_for_the_records_where_there_are_some():
    assert GramTransformer(letters()).fit(WORDS).reference_.records is None
    sets = [set(word) for word in WORDS]
    assert GramTransformer(Intersection() + 1).fit(sets).reference_.records is None
    assert GramTransformer(Subsets()).fit(sets).reference_.records == sets
    assert GramTransformer(Linear()).fit(X).reference_.features is None


def test_a_pipeline_is_searched_over_the_kernels_parameters():
    pipeline = make_pipeline(GramTransformer(letters()), SVC(kernel="precomputed"))
    grid = {
        "gramtransformer__kernel__ngram_range": [(1, 1), (2, 2)],
        "gramtransformer__kernel__idf": [True, False],
        "svc__C": [1.0, 10.0],
    }
    search = GridSearchCV(pipeline, grid, cv=2).fit(WORDS, LABELS)
    assert search.best_score_ >= 0.8
    assert search.predict(NEW[:2]).tolist() == [0, 1]


def test_support_vector_machines_take_kernels_unchanged_on_lists_of_strings():
    search = GridSearchCV(SVC(kernel=letters()), {"kernel__ngram_range": [(1, 1), (2, 2)]}, cv=2)
    assert search.fit(WORDS, LABELS).predict(NEW[:2]).tolist() == [0, 1]
    assert cross_val_score(SVC(kernel=Normalized(letters()) ** 2), WORDS, LABELS, cv=2).min() >= 0.8


def test_a_given_gram_matrix_is_passed_on_and_cut_by_cross_validation():
    gram = letters()(WORDS)
    pipeline = make_pipeline(GramTransformer("precomputed"), SVC(kernel="precomputed"))
    direct = cross_val_score(SVC(kernel="precomputed"), gram, LABELS, cv=2)
    np.testing.assert_array_equal(cross_val_score(pipeline, gram, LABELS, cv=2), direct)
    assert GramTransformer("precomputed").__sklearn_tags__().input_tags.pairwise
    assert not GramTransformer(letters()).__sklearn_tags__().input_tags.pairwise


def test_a_bad_gram_matrix_is_reported():
    with pytest.raises(DataError, match=r"GramTransformer was given .* not symmetric"):
        GramTransformer("precomputed").fit(np.triu(np.ones((3, 3))))
    with pytest.warns(RarefindWarning, match=r"GramTransformer was given .* negative eigenvalue"):
        GramTransformer("precomputed").fit([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(DataError, match="GramTransformer needs a square matrix"):
        GramTransformer("precomputed").fit(np.ones((3, 2)))


# ---- learners that ask for one pair at a time, or for a matrix -------------------------------


def test_kernel_ridge_takes_pairs_of_vectors_and_grams_of_anything():
    by_pair = KernelRidge(kernel=Gaussian(2.0).pair, alpha=0.1).fit(X, Y)
    by_name = KernelRidge(kernel="rbf", gamma=1 / 8, alpha=0.1).fit(X, Y)
    np.testing.assert_allclose(by_pair.predict(X[:5] + 1), by_name.predict(X[:5] + 1))
    lengths = np.array([len(word) for word in WORDS], float)
    pipeline = make_pipeline(
        GramTransformer(letters()), KernelRidge(kernel="precomputed", alpha=0.1)
    ).fit(WORDS, lengths)
    gram = letters().fit(WORDS)
    weights = np.linalg.solve(gram(WORDS) + 0.1 * np.eye(10), lengths)
    np.testing.assert_allclose(pipeline.predict(NEW), gram(NEW, WORDS) @ weights)


def test_kernel_pca_takes_pairs_of_vectors_and_grams_of_anything():
    by_pair = KernelPCA(2, kernel=Gaussian(2.0).pair).fit(X)
    by_name = KernelPCA(2, kernel="rbf", gamma=1 / 8).fit(X)
    np.testing.assert_allclose(np.abs(by_pair.transform(X)), np.abs(by_name.transform(X)))
    pipeline = make_pipeline(GramTransformer(letters()), KernelPCA(2, kernel="precomputed"))
    scores = pipeline.fit(WORDS).transform(WORDS)
    # The leading directions of the centred kernel are what LatentSemantic keeps of it.
    ours = LatentSemantic(2, kernel=Centered(letters()))(WORDS)
    np.testing.assert_allclose(scores @ scores.T, ours, atol=1e-9)
    assert pipeline.transform(NEW).shape == (3, 2)


def test_scikit_learns_nystroem_takes_pairs_of_vectors_and_row_numbers_of_anything():
    theirs = SklearnNystroem(kernel=Gaussian(2.0).pair, n_components=20).fit_transform(X)
    np.testing.assert_allclose(theirs @ theirs.T, Gaussian(2.0)(X), atol=1e-8)
    gram = letters()(WORDS)
    rows = np.arange(10)[:, None]
    features = SklearnNystroem(kernel=GivenGram(gram).pair, n_components=10).fit_transform(rows)
    np.testing.assert_allclose(features @ features.T, gram, atol=1e-8)


def test_our_nystroem_gives_any_records_features_for_linear_learners():
    step = FeatureTransformer(Nystroem(letters(), n_landmarks=10))
    features = step.fit_transform(WORDS)
    np.testing.assert_allclose(features @ features.T, letters()(WORDS), atol=1e-8)
    model = make_pipeline(step, LogisticRegression()).fit(WORDS, LABELS)
    assert model.predict(NEW[:2]).tolist() == [0, 1]
    assert list(step.get_feature_names_out())[:1] == ["featuretransformer0"]


def test_features_come_out_as_the_kernel_gives_them():
    found = FeatureTransformer(letters()).fit(WORDS).transform(NEW)
    expected = letters().fit(WORDS).features(NEW)
    np.testing.assert_array_equal(found.toarray(), expected.toarray())


@pytest.mark.filterwarnings("ignore::rarefind.core.errors.RarefindWarning")
@pytest.mark.parametrize(
    "estimator",
    [GramTransformer(), GramTransformer("precomputed"), FeatureTransformer()],
    ids=lambda value: type(value).__name__,
)
def test_scikit_learns_own_checks_pass(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert [one["check_name"] for one in results if one["status"] == "failed"] == []


def test_wrong_input_is_refused_in_words():
    with pytest.raises(ParameterError, match="'kernel' parameter must be a name or a rarefind"):
        GramTransformer(3).fit(X)
    with pytest.raises(UnknownNameError, match="Did you mean 'gaussian'"):
        GramTransformer("gausian").fit(X)
    with pytest.raises(DataError, match="GramTransformer needs at least one record"):
        GramTransformer(letters()).fit([])
    with pytest.raises(DataError, match=r"A list of records is needed. Got generator"):
        GramTransformer(letters()).fit(word for word in WORDS)
