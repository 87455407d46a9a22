from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from catboost import CatBoostClassifier
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.core.precision import average_precision
from rarefind.detection import AutoDetector, Lago
from rarefind.detection.auto import time_left
from rarefind.detection.auto.oblivious_trees import ObliviousTrees
from rarefind.detection.auto.parts import parts
from rarefind.detection.auto.rank_scale import rank_scale
from rarefind.detection.auto.time_left import Clock, LeftOutError
from rarefind.detection.files.reading import load
from rarefind.detection.files.writing import save
from rarefind.kernels import (
    BlendedSpectrum,
    Kernel,
    LatentSemantic,
    Normalized,
    Spectrum,
    VectorSpace,
)


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


def test_it_ranks_about_as_well_as_the_best_and_says_what_it_averages():
    X, y = rare_in_crowd()
    X_new, y_new = rare_in_crowd(1)
    candidates = {"lago": Lago(), "guess": DummyClassifier(), "linear": LogisticRegression()}
    model = AutoDetector(candidates).fit(X, y)
    scores = {score.model: score.average_precision for score in model.scores_}
    assert scores["lago"] > scores["guess"] + 0.3
    assert model.chosen_ == [("lago", "guess", "linear")]
    assert "the rankings of lago, guess and linear are averaged" in model.why_
    assert model.quality_[0].sentence in model.why_
    assert model.average_precision_[0] == model.quality_[0].average_precision
    found = average_precision(y_new, model.decision_function(X_new), target="rare")
    single = Lago().fit(X, y).decision_function(X_new)
    assert found > average_precision(y_new, single, target="rare") - 0.05


def test_the_usual_members_depend_on_what_there_is_to_learn_from():
    X, y = rare_in_crowd(n0=60)
    usual = ("trees", "boosting", "component trees", "svm", "logistic", "catboost")
    assert AutoDetector().fit(X, y).chosen_ == [usual]
    y[:20] = "third"
    named = AutoDetector(target="rare").fit(X, y)
    assert named.chosen_ == [("trees", "class trees", *usual[1:])]
    thin = AutoDetector(target="rare").fit(sparse.csr_matrix(X), y)
    assert thin.chosen_ == [("trees", "class trees", "logistic", "svm")]


@pytest.mark.parametrize("n1", [1, 2, 4])
def test_few_examples_rank_but_tell_no_figure(n1):
    X, y = rare_in_crowd(n1=n1)
    model = AutoDetector().fit(X, y)
    assert "too few" in model.why_
    assert np.isnan(model.average_precision_).all()
    assert all(np.isnan(score.average_precision) for score in model.scores_)
    assert "boosting" not in model.chosen_[0]
    assert "Boosting was left out: it takes 5 examples." in model.why_
    scores = model.decision_function(X)
    assert np.isfinite(scores).all()
    assert np.argmax(scores) >= 200


@pytest.mark.parametrize(("n1", "n0"), [(1, 1), (2, 3), (30, 2)])
def test_few_others_are_enough_to_rank(n1, n0):
    X, y = rare_in_crowd(n1=n1, n0=n0)
    model = AutoDetector(target="rare").fit(X, y)
    scores = model.decision_function(X)
    assert scores[n0:].min() > scores[:n0].max()
    assert model.quality_[0].average_precision is None


def test_models_that_fail_or_take_too_long_are_left_out_with_a_note():
    X, y = rare_in_crowd()
    model = AutoDetector({"lago": Lago(), "slow": Slow()}).fit(X, y)
    notes = {score.model: score.note for score in model.scores_}
    assert notes["slow"].startswith("failed: Slow cannot be fitted to these 176 records: no memory")
    assert "no memory left" in model.why_
    assert model.chosen_ == [("lago",)]
    hasty = AutoDetector({"svm": SVC(), "lago": Lago()}, time_limit=1e-6).fit(X, y)
    assert hasty.chosen_ == [("svm",)]
    assert "Lago was left out: it would take more than the 0 s left." in hasty.why_
    with pytest.raises(DataError, match="no memory left"):
        AutoDetector({"slow": Slow()}).fit(X, y)


@pytest.mark.parametrize("seconds", [0.0, 0.02])
def test_what_will_take_too_long_is_foreseen_from_few_records(seconds, monkeypatch):
    wanted = np.arange(16_000) % 50 == 0
    sizes, now = [], [0.0]
    monkeypatch.setattr(time_left, "time", SimpleNamespace(perf_counter=lambda: now[0]))

    def fit(rows, seed):
        sizes.append(len(rows))
        now[0] += seconds * (len(rows) / 1000) ** 2

    clock = Clock(1.0)
    if seconds:
        with pytest.raises(LeftOutError, match="more than the 1 s left"):
            clock.foresee(fit, wanted, 5)
    else:
        clock.foresee(fit, wanted, 5)
    assert sizes == [1000, 2000]


@pytest.mark.parametrize("draw", range(10))
def test_on_noise_no_figure_is_above_twice_chance(draw):
    rng = np.random.default_rng(draw)
    X = rng.normal(size=(100, 6))
    y = np.array(["usual"] * (95 - draw) + ["rare"] * (5 + draw))
    quality = AutoDetector(["svm", "logistic", "lda"], target="rare").fit(X, y).quality_[0]
    assert quality.average_precision is None or quality.average_precision <= 2 * quality.chance
    assert quality.chance < 0.25


@pytest.mark.parametrize(("n1", "n0"), [(12, 80), (5, 5), (3, 40), (40, 4), (2, 3)])
def test_parts_leave_out_each_record_once_unless_its_kind_is_dear(n1, n0):
    wanted = np.arange(n1 + n0) < n1
    learnt = parts(wanted, 0)
    for kind in (wanted, ~wanted):
        left_out = (~learnt[:, kind]).sum(axis=0)
        assert (left_out == (kind.sum() >= 5)).all()
        assert (learnt[:, kind].sum(axis=1) >= min(kind.sum(), 4)).all()


def test_strings_are_ranked_with_a_kernel():
    words = ["b" * (n % 7 + 1) for n in range(60)] + ["a" * (n % 4 + 1) for n in range(8)]
    y = [0] * 60 + [1] * 8
    model = AutoDetector(kernel=FirstLetters()).fit(words, y)
    assert model.chosen_ == [("svm", "lago")]
    assert model.predict(["aaa", "bbb"]).tolist() == [1, 0]
    listed = AutoDetector(kernel=Spectrum(1)).fit(words, y)
    own = ("svm", "lago", "logistic", "trees")
    assert listed.chosen_ == [(*own, "pieces svm", "pieces logistic", "pieces trees")]
    assert listed.predict(["aaa", "bbb"]).tolist() == [1, 0]


def test_catboosts_trees_judge_without_it_as_they_do_in_it():
    X, y = rare_in_crowd()
    kept = ObliviousTrees(30, random_state=3).fit(X, y == "rare")
    whole = CatBoostClassifier(
        iterations=30, verbose=0, thread_count=1, random_seed=3, allow_writing_files=False
    ).fit(X, y == "rare")
    expected = whole.predict(X, prediction_type="RawFormulaVal")
    np.testing.assert_allclose(kept.decision_function(X), expected, rtol=1e-6, atol=1e-9)


def test_several_rare_classes_get_an_average_each():
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


@pytest.mark.parametrize("apart", [1e-3, 1e-9, 1e-15, 0.0])
def test_a_rank_scale_stays_tame_where_others_score_nearly_alike(apart):
    others = -1.0 + apart * np.arange(20)
    examples = np.array([0.5, 1.0])
    scale = rank_scale(others, np.concatenate([others, examples]))
    scores = np.array([-1.2, -1.0 - 2e-3, *examples, 1.2])
    assert (np.diff(scale(scores)) > 0).all()
    assert np.abs(scale(scores)).max() < 50.0


@pytest.mark.parametrize("n1", [1, 2, 4])
def test_scores_from_very_few_labels_are_tame(n1):
    rng = np.random.default_rng(n1)
    X = np.vstack([rng.normal(size=(20, 30)) * 1e-3, rng.normal(5.0, 1.0, size=(n1, 30))])
    model = AutoDetector().fit(X, [0] * 20 + [1] * n1)
    everywhere = np.vstack([X, rng.normal(0.0, 5.0, size=(200, 30))])
    assert np.abs(model.decision_function(everywhere)).max() < 100.0


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


def test_strings_of_one_length_are_also_compared_place_by_place(tmp_path):
    rng = np.random.default_rng(0)
    strings = ["".join(rng.choice(list("acgt"), 15)) for _ in range(150)]
    # The same pieces occur in all strings; only their place tells the class.
    strings = [
        text[:7] + "gg" + text[9:] if row < 30 else "gg" + text[2:]
        for row, text in enumerate(strings)
    ]
    known = [*range(10), *range(30, 110)]
    y = np.array(["odd" if row < 30 else "plain" for row in known])
    model = AutoDetector(kernel=Spectrum(2), target="odd").fit([strings[r] for r in known], y)
    places = ("positional svm", "positional logistic", "positional trees")
    assert model.chosen_[0][-3:] == places
    rest = [row for row in range(150) if row not in known]
    wanted = np.array([row < 30 for row in rest])
    scores = model.decision_function([strings[row] for row in rest])
    assert average_precision(wanted, scores) > 0.8
    save(model, tmp_path / "model.zip")
    again = load(tmp_path / "model.zip").decision_function([strings[row] for row in rest])
    np.testing.assert_allclose(again, scores)
    uneven = AutoDetector(kernel=Spectrum(2), target="odd")
    uneven.fit([strings[r] + "a" * (r % 2) for r in known], y)
    assert "positional svm" not in uneven.chosen_[0]


def test_molecules_are_also_compared_by_what_surrounds_their_atoms(tmp_path):
    rng = np.random.default_rng(0)
    ends = ["CC", "CCN", "CO", "CCCl", "CF", "CC(=O)O", "CCC", "CC#N"]
    odd = ["{}C1CCN({})CC1", "{1}N1CCC({0})CC1"]  # one molecule, written from either end
    plain = ["{}C1CCN({})C1", "{}C1CCC({})CC1", "{}C1CN({})CCC1", "{1}N1CCCC({0})C1"]
    forms = [odd[row % 2] for row in range(30)] + [plain[row % 4] for row in range(120)]
    strings = [form.format(*rng.permutation(ends)[:2]) for form in forms]
    known = [*range(0, 16, 2), *range(30, 110)]
    y = np.array(["odd" if row < 30 else "plain" for row in known])
    model = AutoDetector(kernel=Spectrum(2), target="odd").fit([strings[r] for r in known], y)
    assert "circular trees" in model.chosen_[0]
    weights = {member.name: member.weight for member in model.committees_[0].members}
    spelt = [name for name in weights if not name.startswith("circular ")]
    assert sum(weights.values()) == pytest.approx(3.0)
    assert sum(weights[name] for name in spelt) == pytest.approx(1.0)
    rest = [row for row in range(150) if row not in known]
    scores = model.decision_function([strings[row] for row in rest])
    assert average_precision(np.array([row < 30 for row in rest]), scores) > 0.8
    assert np.isfinite(model.decision_function(["no molecule!"])).all()
    save(model, tmp_path / "model.zip")
    again = load(tmp_path / "model.zip").decision_function([strings[row] for row in rest])
    np.testing.assert_allclose(again, scores)


@pytest.mark.parametrize(
    ("kernel", "view"),
    [
        (Normalized(VectorSpace()), "pieces svm"),
        (Normalized(LatentSemantic(3)), "words svm"),
        (Normalized(BlendedSpectrum(2)), "pieces svm"),
    ],
)
def test_texts_and_strings_are_seen_in_two_ways(kernel, view):
    rng = np.random.default_rng(0)
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    texts = [" ".join(rng.choice(words, rng.integers(5, 9))) for _ in range(60)]
    texts += [f"{text} omega" for text in texts[:8]]
    model = AutoDetector(kernel=kernel).fit(texts, [0] * 60 + [1] * 8)
    assert view in model.chosen_[0]
    weights = {member.name: member.weight for member in model.committees_[0].members}
    other = sum(weight for name, weight in weights.items() if name.startswith(view.split()[0]))
    assert other == pytest.approx(sum(weights.values()) / 2)
