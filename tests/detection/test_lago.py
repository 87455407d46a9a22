from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from rarefind.core.errors import DataError, ParameterError, RarefindWarning, UnknownNameError
from rarefind.core.precision import average_precision
from rarefind.detection import Lago
from rarefind.detection.lago import votes as lago_votes
from rarefind.geometry import thresholds
from rarefind.kernels import Gaussian, Kernel, Linear
from rarefind.testing import check_model
from tests.detection.reference_lago import (
    angle,
    distance,
    slow_elementwise_lago,
    slow_lago,
)
from tests.outside import outside

PROFILES = ["gaussian", "triangular", "uniform", "cosine"]


def letter_counts(words):
    return np.array([[word.count(letter) for letter in "abcde"] for word in words], dtype=float)


class Letters(Kernel):
    """How many letters two words share, for tests on records that are no vectors."""

    def _read(self, A):
        return letter_counts(A)

    def _gram(self, left, right):
        return left @ (left if right is None else right).T

    def _diag(self, left):
        return np.einsum("ij,ij->i", left, left)


class Nothing(Letters):
    """A kernel that finds no similarity anywhere."""

    def _read(self, A):
        return np.zeros((len(A), 1))


def rare_in_crowd(seed=0, n0=60, n1=8, features=3):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(n0, features)), rng.normal(1.5, 0.3, size=(n1, features))])
    return X, np.r_[np.zeros(n0, dtype=int), np.ones(n1, dtype=int)]


@pytest.mark.parametrize(
    "model",
    [
        Lago(),
        Lago(bandwidth="diagonal", profile="triangular"),
        Lago("sphere", profile="cosine"),
        Lago(kernel=Gaussian(2.0)),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::rarefind.core.errors.RarefindWarning")
def test_it_keeps_the_promises_of_models_and_of_scikit_learn(model):
    check_model(model)


def read_reference(name):
    path = outside("RAREFIND_REFERENCE", name)
    with path.open() as lines:
        names = [name.strip('"') for name in next(lines).strip().split(",")]
    values = np.loadtxt(path, delimiter=",", skiprows=1)
    return {name: values[:, column] for column, name in enumerate(names)}


@pytest.mark.parametrize("alpha", ["0.5", "1", "2"])
@pytest.mark.parametrize("profile", ["gaussian", "triangular"])
@pytest.mark.parametrize("bandwidth", ["scalar", "diagonal"])
def test_scores_equal_those_of_the_r_package(bandwidth, profile, alpha):
    train, test = read_reference("lago_train.csv"), read_reference("lago_test.csv")
    column = {"scalar": "s", "diagonal": "e"}[bandwidth] + profile[0] + alpha
    # There the Gaussian is exp(-z²), here exp(-z²/2).
    ours = float(alpha) / np.sqrt(2.0) if profile == "gaussian" else float(alpha)
    model = Lago(bandwidth=bandwidth, profile=profile, alpha=ours, n_neighbors=5, target=1.0)
    model.fit(np.column_stack([train["newx01"], train["newx02"]]), train["y"])
    scores = model.votes(np.column_stack([test["newx01"], test["newx02"]]))
    np.testing.assert_allclose(scores, test[column], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("features", [2, 12])
@given(seed=st.integers(0, 1000), k=st.integers(1, 9), alpha=st.floats(0.1, 4.0))
@settings(max_examples=15, deadline=None)
def test_scores_equal_the_definition(profile, features, seed, k, alpha):
    X, y = rare_in_crowd(seed, n0=40, n1=5, features=features)
    X1, X0, queries = X[y == 1], X[y == 0], X[::3] + 0.1
    options = {"k": k, "alpha": alpha, "profile": profile}
    scalar = Lago(profile=profile, alpha=alpha, n_neighbors=k).fit(X, y)
    np.testing.assert_allclose(
        scalar.votes(queries), slow_lago(X1, X0, queries, **options), atol=1e-10
    )
    sphere = Lago("sphere", profile=profile, alpha=alpha, n_neighbors=k).fit(X, y)
    np.testing.assert_allclose(
        sphere.votes(queries), slow_lago(X1, X0, queries, **options, measure=angle), atol=1e-7
    )
    diagonal = Lago(bandwidth="diagonal", profile=profile, alpha=alpha, n_neighbors=k).fit(X, y)
    np.testing.assert_allclose(
        diagonal.votes(queries), slow_elementwise_lago(X1, X0, queries, **options), atol=1e-10
    )


def test_the_published_profile_of_each_geometry_is_the_default():
    X, y = rare_in_crowd()
    for geometry, profile in (("euclidean", "gaussian"), ("sphere", "cosine")):
        left, said = Lago(geometry).fit(X, y), Lago(geometry, profile=profile).fit(X, y)
        np.testing.assert_array_equal(left.votes(X), said.votes(X))
    gaussian = Lago("sphere", profile="gaussian").fit(X, y)
    assert not np.allclose(gaussian.votes(X), left.votes(X))


@pytest.mark.parametrize("geometry", ["euclidean", "sphere"])
def test_a_kernel_gives_its_own_geometry(geometry):
    rng = np.random.default_rng(3)
    words = ["".join(rng.choice(list("abc"), size=6)) for _ in range(40)]
    words += ["".join(rng.choice(list("de"), size=6)) + "a" for _ in range(4)]
    y = ["ordinary"] * 40 + ["rare"] * 4
    vectors = letter_counts(words)
    by_kernel = Lago(geometry, kernel=Letters()).fit(words, y)
    by_vectors = Lago(geometry).fit(vectors, y)
    np.testing.assert_allclose(
        by_kernel.decision_function(words), by_vectors.decision_function(vectors), atol=1e-6
    )
    assert by_kernel.predict(["dedede", "abcabc"]).tolist() == ["rare", "ordinary"]
    assert by_kernel.explain("deaded", most=1)[0].row >= 40
    linear = Lago(geometry, kernel="linear").fit(vectors, y)
    np.testing.assert_allclose(
        linear.decision_function(vectors), by_vectors.decision_function(vectors), atol=1e-6
    )


def test_sparse_vectors_are_ranked_as_dense_ones():
    X, y = rare_in_crowd(4)
    X = np.where(np.abs(X) < 0.1, 0.0, X)
    for model in (Lago(), Lago("sphere", profile="cosine"), Lago(bandwidth="diagonal")):
        dense = model.fit(X, y).decision_function(X)
        thin = clone(model).fit(sparse.csr_array(X), y).decision_function(sparse.csr_array(X))
        np.testing.assert_allclose(thin, dense, atol=1e-6)


def test_the_logarithm_orders_records_that_are_too_far_for_their_votes():
    X, y = rare_in_crowd(5)
    far = np.array([[200.0] * 3, [300.0] * 3, [400.0] * 3])
    for profile in PROFILES:
        model = Lago(profile=profile, alpha=0.5).fit(X, y)
        assert model.votes(far).max() < 1e-300
        scores = model.decision_function(far)
        assert np.isfinite(scores).all()
        assert scores[0] > scores[1] > scores[2]
        assert scores[0] < model.decision_function(X[y == 1]).min()


def test_without_that_order_unvoted_records_are_tied_at_the_bottom():
    X, y = rare_in_crowd(5)
    model = Lago(profile="uniform", alpha=0.3, order_zeros=False).fit(X, y)
    unvoted = model.votes(X) == 0
    assert unvoted.any()
    scores = model.decision_function(X)
    assert len(set(scores[unvoted])) == 1
    assert scores[unvoted].max() < scores[~unvoted].min()


def test_tuning_beats_the_usual_alpha_in_ten_dimensions():
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(8, 10))
    y = (rng.random(8000) < 0.02).astype(int)
    X = rng.normal(size=(8000, 10))
    X[y == 1] = centres[rng.integers(8, size=y.sum())] + 0.35 * rng.normal(size=(y.sum(), 10))
    train, test = slice(0, 4000), slice(4000, 8000)
    tuned = Lago().fit(X[train], y[train])
    usual = Lago(alpha=1.0, n_neighbors=5).fit(X[train], y[train])
    better = average_precision(y[test], tuned.decision_function(X[test]))
    assert better > average_precision(y[test], usual.decision_function(X[test])) + 0.1
    assert tuned.average_precision_[0] == pytest.approx(better, abs=0.15)


def test_the_density_correction_helps_where_density_varies():
    rng = np.random.default_rng(1)
    scale = rng.choice([0.2, 3.0], size=(3000, 1), p=[0.9, 0.1])
    X = rng.normal(size=(3000, 2)) * scale
    y = (np.abs(X[:, 0] - 1.5) < 0.4) & (rng.random(3000) < 0.5) & (scale[:, 0] > 1)
    half = slice(0, 1500)
    rest = slice(1500, 3000)
    plain = Lago().fit(X[half], y[half])
    corrected = Lago(density_correction=True).fit(X[half], y[half])
    assert corrected.average_precision_[0] >= plain.average_precision_[0]
    found = average_precision(y[rest], corrected.decision_function(X[rest]))
    assert found > average_precision(y[rest], plain.decision_function(X[rest])) - 0.02
    if corrected.density_power_[0]:
        votes = corrected.explain(X[half][y[half]][0])
        assert sum(vote.share for vote in votes) == pytest.approx(1.0)


def test_one_known_example_is_enough():
    X, y = rare_in_crowd(6, n1=1)
    for model in (Lago(), Lago("sphere", profile="cosine"), Lago(density_correction=True)):
        scores = model.fit(X, y).decision_function(X)
        assert np.isfinite(scores).all()
        assert np.argmax(scores) == 60
        assert model.predict(X[60:]).tolist() == [1]
        assert np.isnan(model.average_precision_[0])
    order = np.argsort([distance(x, X[60]) for x in X])
    np.testing.assert_array_equal(np.argsort(-Lago().fit(X, y).decision_function(X)), order)


def test_the_smaller_class_is_ranked_for_and_comes_last():
    X, y = rare_in_crowd(7)
    names = np.where(y == 1, "fraud", "ordinary")
    model = Lago().fit(X, names)
    assert model.classes_.tolist() == ["ordinary", "fraud"]
    assert model.targets_.tolist() == ["fraud"]
    scores = model.decision_function(X)
    assert average_precision(names, scores, target="fraud") > 0.8
    assert Lago(target="ordinary").fit(X, names).targets_.tolist() == ["ordinary"]


def test_several_rare_classes_get_a_ranking_each():
    rng = np.random.default_rng(8)
    X = np.vstack(
        [rng.normal(size=(80, 2)), rng.normal(4, 0.2, (6, 2)), rng.normal(-4, 0.2, (5, 2))]
    )
    y = np.array(["common"] * 80 + ["north"] * 6 + ["south"] * 5)
    every = Lago().fit(X, y)
    scores = every.decision_function(X)
    assert scores.shape == (91, 3)
    assert not scores[:, 0].any()
    assert (every.predict(X) == y).mean() > 0.95
    named = Lago(target=["south", "north"]).fit(X, y)
    np.testing.assert_array_equal(named.decision_function(X), scores[:, [2, 1]])
    assert set(named.predict(X)) == {"common", "north", "south"}
    single = Lago(target="south").fit(X, y)
    np.testing.assert_array_equal(single.decision_function(X), scores[:, 2])
    assert every.explain(X[-1], target="south", most=1)[0].row == 90
    with pytest.raises(ParameterError, match="several are ranked"):
        every.explain(X[-1])


def test_a_weight_is_a_repetition():
    X, y = rare_in_crowd(9)
    weights = np.arange(len(y)) % 3
    repeated = Lago().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    weighted = Lago().fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), atol=1e-8
    )


def test_a_score_is_explained_by_its_votes():
    X, y = rare_in_crowd(10)
    model = Lago(profile="triangular", alpha=2.0).fit(X, y)
    votes = model.explain(X[60])
    assert votes[0].row == 60
    assert votes[0].vote == 1.0
    assert [vote.share for vote in votes] == sorted((v.share for v in votes), reverse=True)
    total = np.mean([vote.vote for vote in votes])
    assert total == pytest.approx(model.votes(X[60:61])[0])
    far = model.explain(np.full(3, 1e3))
    assert sum(vote.share for vote in far) == pytest.approx(1.0)
    assert all(vote.vote == 0.0 for vote in far)


def test_it_can_be_searched_over():
    X, y = rare_in_crowd(11)
    search = GridSearchCV(Lago(), {"profile": ["gaussian", "triangular"]}, cv=2, scoring="roc_auc")
    assert search.fit(X, y).best_score_ > 0.7


@given(seed=st.integers(0, 200), copies=st.integers(1, 7))
@settings(max_examples=20, deadline=None)
def test_copies_of_background_records_never_give_nan(seed, copies):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(30, 2)).astype(float)
    X = np.vstack([X, np.repeat(X[:1], copies, axis=0)])
    y = np.r_[np.zeros(30), np.ones(copies)]
    for model in (Lago(), Lago(bandwidth="diagonal"), Lago(density_correction=True)):
        scores = model.fit(X, y).decision_function(X)
        assert np.isfinite(scores).all()


def test_constant_features_do_no_harm():
    X, y = rare_in_crowd(12)
    padded = np.hstack([X, np.full((len(X), 2), 7.0)])
    for bandwidth in ("scalar", "diagonal"):
        plain = Lago(bandwidth=bandwidth).fit(X, y).decision_function(X)
        np.testing.assert_allclose(
            Lago(bandwidth=bandwidth).fit(padded, y).decision_function(padded), plain, atol=1e-7
        )


def test_records_without_direction_are_at_right_angles_and_mentioned():
    X, y = rare_in_crowd(13)
    X[3] = 0.0
    with pytest.warns(RarefindWarning, match="1 of 68 records have no direction"):
        model = Lago("sphere", profile="cosine").fit(X, y)
    assert np.isfinite(model.decision_function(np.zeros((1, 3)))).all()
    with pytest.warns(RarefindWarning, match="68 of 68"):
        flat = Lago("sphere", kernel=Nothing()).fit(["a"] * 68, y)
    assert np.isfinite(flat.decision_function(["a", "b"])).all()


def test_more_neighbours_than_background_are_lowered_with_a_warning():
    X, y = rare_in_crowd(14, n0=4, n1=2)
    with pytest.warns(RarefindWarning, match="only 4 background records"):
        model = Lago(n_neighbors=9).fit(X, y, sample_weight=None)
    assert model.n_neighbors_.tolist() == [4]


@pytest.mark.parametrize(
    ("model", "X", "y", "error", "words"),
    [
        (Lago(), [[0.0], [1.0]], [1, 1], DataError, "only one class, 1"),
        (Lago(target="rare"), [[0.0], [1.0]], ["a", "b"], UnknownNameError, "'rare'"),
        (Lago(target=["a", "b"]), [[0.0], [1.0]], ["a", "b"], DataError, "names every class"),
        (Lago(target=[]), [[0.0], [1.0]], ["a", "b"], DataError, "empty list"),
        (Lago(), [[0.0], [np.nan]], [0, 1], ValueError, "NaN"),
        (Lago(), [[2.0], [2.0], [2.0]], [0, 0, 1], DataError, "no distance at all"),
        (Lago(kernel=Nothing()), ["a", "b", "c"], [0, 0, 1], DataError, "no distance at all"),
        (Lago(kernel=Letters()), ["a", "b"], [0, 0, 1], DataError, "2 records and 3 labels"),
        (Lago(alpha=0), [[0.0], [1.0]], [0, 1], ParameterError, "'alpha' parameter of Lago"),
        (Lago(kernel=3), [[0.0], [1.0]], [0, 1], ParameterError, "'kernel' parameter of Lago"),
        (Lago(kernel="lineal"), [[0.0], [1.0]], [0, 1], UnknownNameError, "'linear'"),
        (
            Lago(bandwidth="diagonal", kernel=Linear()),
            [[0.0], [1.0]],
            [0, 1],
            ParameterError,
            "only for vectors",
        ),
        (Lago("sphere"), [[0.5], [1.0]], [0, 1], DataError, "1 feature"),
    ],
)
def test_bad_input_is_refused_in_words(model, X, y, error, words):
    with pytest.raises(error, match=words):
        model.fit(X, y)


def test_bad_weights_are_refused_in_words():
    X, y = rare_in_crowd(15)
    with pytest.raises(DataError, match="zero for every record"):
        Lago().fit(X, y, sample_weight=np.zeros(len(y)))
    with pytest.raises(DataError, match="not negative"):
        Lago().fit(X, y, sample_weight=-np.ones(len(y)))


@pytest.mark.parametrize("density_correction", [False, True])
def test_single_precision_for_many_votes_keeps_seven_digits(monkeypatch, density_correction):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(200, 3)), rng.normal(2.0, 0.3, size=(20, 3))])
    y = [0] * 200 + [1] * 20
    model = Lago(density_correction=density_correction).fit(X, y)
    # Some records so far away that their votes are nothing in double precision.
    queries = np.vstack([X, rng.normal(size=(50, 3)) * 30.0])
    exact = model.decision_function(queries)
    monkeypatch.setattr(thresholds, "SINGLE_PRECISION_VOTES", 0)
    np.testing.assert_allclose(model.decision_function(queries), exact, rtol=1e-6, atol=1e-6)
    with lago_votes.every_digit():
        np.testing.assert_array_equal(model.decision_function(queries), exact)
