from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from rarefind.core.errors import DataError, ParameterError
from rarefind.kernels import Gaussian, Intersection, LatentSemantic, Linear, VectorSpace
from rarefind.testing import check_kernel

TEXTS = [
    "The cat sat on the mat",
    "the dog sat on the cat",
    "stock prices fell",
    "prices of stock rose and rose",
    "a dog and a cat",
    "Straße und Brücke",
]
NEW = ["the mat fell", "unheard of"]


@pytest.mark.parametrize("idf", [True, False])
@pytest.mark.parametrize("normalize", [True, False])
def test_bags_of_words_equal_scikit_learns(idf, normalize):
    kernel = VectorSpace(idf=idf, normalize=normalize).fit(TEXTS)
    theirs = TfidfVectorizer(use_idf=idf, norm="l2" if normalize else None).fit(TEXTS)
    old, new = theirs.transform(TEXTS), theirs.transform(NEW)
    np.testing.assert_allclose(kernel(TEXTS), (old @ old.T).toarray(), atol=1e-12)
    np.testing.assert_allclose(kernel(NEW, TEXTS), (new @ old.T).toarray(), atol=1e-12)
    check_kernel(kernel, TEXTS)


def test_repeated_words_count_by_their_logarithm_if_so_wished():
    texts = ["fish fish fish fish cat", "fish cat dog"]
    kernel = VectorSpace(idf=False, normalize=False, sublinear=True)
    assert kernel(texts)[0, 1] == pytest.approx((1 + np.log(4)) + 1)


def test_weights_follow_the_definition():
    counter = CountVectorizer().fit(TEXTS)
    counts = counter.transform(TEXTS).toarray()
    weights = np.log((1 + len(TEXTS)) / (1 + (counts > 0).sum(axis=0))) + 1
    expected = [[(x * z * weights**2).sum() for z in counts] for x in counts]
    np.testing.assert_allclose(VectorSpace(normalize=False)(TEXTS), expected)


def test_letters_runs_and_stop_words_are_options():
    kernel = VectorSpace(analyzer="char", ngram_range=(3, 3), idf=False, normalize=False)
    assert kernel(["statistics"], ["computation"])[0, 0] == 2.0
    assert VectorSpace(stop_words=("cat",))(["cat dog"], ["cat", "dog"]).tolist() == [[0.0, 1.0]]
    assert VectorSpace(analyzer=str.split).fit(["a-b c"])(["a-b"], ["a-b c"])[0, 0] > 0
    check_kernel(VectorSpace(ngram_range=(1, 2), min_df=2).fit(TEXTS), TEXTS)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_latent_semantics_equal_scikit_learns(rank):
    words = TfidfVectorizer().fit_transform(TEXTS)
    svd = TruncatedSVD(rank, algorithm="arpack", random_state=0).fit(words)
    theirs = svd.transform(words)
    kernel = LatentSemantic(rank=rank).fit(TEXTS)
    np.testing.assert_allclose(kernel(TEXTS), theirs @ theirs.T, atol=1e-10)
    new = svd.transform(TfidfVectorizer().fit(TEXTS).transform(NEW))
    np.testing.assert_allclose(kernel(NEW, TEXTS), new @ theirs.T, atol=1e-10)
    np.testing.assert_allclose(kernel.eigenvalues_, svd.singular_values_**2)
    check_kernel(kernel, TEXTS + NEW)


def test_features_and_similarities_lead_to_the_same_directions():
    X = np.random.default_rng(0).normal(size=(12, 4))
    values, vectors = np.linalg.eigh(X @ X.T)
    by_formula = (X @ X.T @ vectors[:, -2:]) / np.sqrt(values[-2:])
    kernel = LatentSemantic(2, kernel=Linear()).fit(X)
    np.testing.assert_allclose(kernel(X), by_formula @ by_formula.T, atol=1e-10)
    assert kernel.reference_.features is None
    from_words = LatentSemantic(3).fit(TEXTS)
    assert from_words.reference_.records is None
    values, vectors = np.linalg.eigh(VectorSpace()(TEXTS))
    expected = (vectors[:, -3:] * values[-3:]) @ vectors[:, -3:].T
    np.testing.assert_allclose(from_words(TEXTS), expected, atol=1e-10)


def test_full_rank_gives_the_kernel_back():
    X = np.random.default_rng(0).normal(size=(9, 2))
    for kernel, records in (
        (Gaussian(), X),
        (Intersection(), [{"a"}, {"b"}, {"a", "b"}, set()]),
        (Intersection(universe=["a", "b", "c"]), [{"a"}, {"b"}, {"a", "b"}, set()]),
        (VectorSpace(), TEXTS),
    ):
        reduced = LatentSemantic(100, kernel=kernel)
        np.testing.assert_allclose(reduced(records), kernel(records), atol=1e-8)
        check_kernel(reduced.fit(records), records)


def test_texts_without_words_and_other_records_are_refused():
    with pytest.raises(DataError, match="VectorSpace found no words"):
        VectorSpace()(["", "!"])
    with pytest.raises(DataError, match=r"VectorSpace needs texts. Record 1 is 3, a int"):
        VectorSpace()(["a word", 3])
    with pytest.raises(DataError, match="VectorSpace needs a list of texts"):
        VectorSpace()("one text")
    with pytest.raises(ParameterError, match="'rank' parameter of LatentSemantic"):
        LatentSemantic(0)(TEXTS)
    with pytest.raises(ParameterError, match="'ngram_range' parameter of VectorSpace"):
        VectorSpace(ngram_range=(2, 1))(TEXTS)
