from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import rarefind as rf
from rarefind import discovery
from rarefind.core.errors import DataError, NotAvailableError, ParameterError, UnknownNameError
from rarefind.detection.models import registry
from rarefind.geometry import Precomputed


def payments(n=300, frauds=12, seed=0):
    rng = np.random.default_rng(seed)
    ordinary = n - frauds
    return pd.DataFrame(
        {
            "amount": np.r_[rng.lognormal(3, 1, ordinary), rng.normal(900.0, 20.0, frauds)],
            "country": [*rng.choice(["se", "no", "fi"], ordinary), *["lt"] * frauds],
            "age": [None if rng.random() < 0.05 else age for age in rng.normal(40, 9, n)],
        }
    )


def told(table, count=40, frauds=12, frame=None):
    hunt = rf.Hunt(table if frame is None else frame(table.to_dict("list")))
    rng = np.random.default_rng(1)
    for row in [*rng.choice(len(table) - frauds, count, replace=False), *range(-7, 0)]:
        place = int(row) % len(table)
        hunt.tell(place, "fraud" if place >= len(table) - frauds else "ordinary")
    return hunt


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_the_class_comes_first_with_reasons_and_figures(frame):
    table = payments()
    ranking = told(table, frame=frame).rank("fraud")
    assert set(ranking.top(5).tolist()) == set(range(288, 293))
    assert (np.diff(ranking.scores) <= 0).all()
    assert len(ranking.rows) == 300 - 47
    quality = ranking.quality
    assert quality.examples == 7
    assert quality.average_precision is None
    assert "7 examples are too few" in quality.sentence
    shown = ranking.to_frame()
    assert isinstance(shown, frame)
    assert shown["row"].to_list()[:5] == ranking.top(5).tolist()
    assert "<Ranking of 253 records for 'fraud': How good" in repr(ranking)


@pytest.mark.parametrize("model", ["auto", "forest", "lago", "logistic-sgd"])
def test_the_order_of_the_answers_does_not_matter(model):
    table = payments()
    hunt = told(table)
    again = rf.Hunt(table)
    for row, label in reversed(hunt.labels.items()):
        again.tell(row, label)
    ranking, other = hunt.rank("fraud", model), again.rank("fraud", model)
    np.testing.assert_array_equal(other.rows, ranking.rows)
    np.testing.assert_array_equal(other.scores, ranking.scores)
    assert other.why(ranking.rows[0]) == ranking.why(ranking.rows[0])


def test_figures_come_with_enough_examples():
    table = payments(frauds=30)
    hunt = told(table, frauds=30)
    for row in range(275, 290):
        hunt.tell(row, "fraud")
    quality = hunt.rank("fraud", "lago").quality
    assert quality.examples == 22
    assert quality.low <= quality.average_precision <= quality.high
    assert quality.average_precision > quality.chance


def test_votes_and_features_explain_a_score():
    hunt = told(payments())
    ranking = hunt.rank("fraud", "lago")
    first = int(ranking.rows[0])
    reason = ranking.why(first)
    assert reason.kind == "votes"
    assert all(hunt.labels[part["row"]] == "fraud" for part in reason.parts)
    assert "First: row 29" in str(reason)
    linear = hunt.rank("fraud", "logistic").why(first)
    assert linear.kind == "features"
    assert {part["feature"] for part in linear.parts} >= {"amount", "country=lt"}
    for model in ("forest", "neighbours", "svm", "auto"):
        shown = hunt.rank("fraud", model).why(first)
        assert shown.kind == "features", model
        assert {part["feature"] for part in shown.parts} & {"amount", "country=lt"}, model
        assert "speaks against" in shown.words
    with pytest.raises(UnknownNameError, match="Row 299 is not in the ranking"):
        ranking.why(299)


# Boosting learns from twenty records a leaf at least, and there are seven frauds.
MODELS = sorted(set(registry.names()) - {"auto", "boosting", "pca", "kernel-pca"})


@pytest.mark.parametrize("model", MODELS)
def test_every_model_ranks_a_mixed_table(model):
    ranking = told(payments()).rank("fraud", model)
    hits = set(ranking.top(5).tolist()) & set(range(288, 293))
    assert len(hits) >= 3
    assert ranking.model == model


def test_records_of_a_kernel_a_sparse_matrix_and_given_similarities_are_ranked():
    rng = np.random.default_rng(0)
    strings = ["".join(rng.choice(list("ac"), 12)) for _ in range(30)] + ["gtgtgtgtgtgt"] * 4
    hunt = rf.Hunt(strings, kernel=rf.kernels.Spectrum(2))
    assert hunt.features_ is None
    X = np.vstack([rng.normal(size=(30, 3)), rng.normal(9.0, 0.1, size=(4, 3))])
    given = rf.Hunt(X @ X.T, kernel="precomputed")
    thin = rf.Hunt(sparse.csr_array(X))
    for each in (hunt, given, thin):
        for row in (0, 1, 2, 30, 31):
            each.tell(row, "odd" if row >= 30 else "even")
        ranking = each.rank("odd")
        assert set(ranking.top(2).tolist()) == {32, 33}
        reason = ranking.why(32)
        assert {part["row"] for part in reason.parts} <= {30, 31}
        assert {part["row"] for part in reason.against} <= {0, 1, 2}


def test_a_feature_adds_what_the_score_loses_with_its_ordinary_value():
    rng = np.random.default_rng(0)
    hunt = rf.Hunt(np.vstack([rng.normal(size=(60, 3)), rng.normal(4.0, 0.5, size=(8, 3))]))
    for row in [*range(30), *range(60, 65)]:
        hunt.tell(row, "odd" if row >= 60 else "even")
    ranking = hunt.rank("odd", "forest")
    best, worst = int(ranking.rows[0]), int(ranking.rows[-1])
    records = ranking.examples.records
    ordinary = np.median(records[:30], axis=0)
    for part in ranking.why(best).parts:
        column = int(str(part["feature"]).split()[-1])
        changed = records[[best]].copy()
        changed[0, column] = ordinary[column]
        lost = ranking.fitted.decision_function(records[[best]]) - ranking.fitted.decision_function(
            changed
        )
        assert part["adds"] == pytest.approx(float(lost[0]))
        assert part["value"] == records[best, column]
    assert str(ranking.why(best)) != str(ranking.why(worst))


def apart(kernel, table, row, other):
    gram = kernel(table.iloc[[row, other]])
    return float(np.sqrt(gram[0, 0] + gram[1, 1] - 2 * gram[0, 1]))


@pytest.mark.parametrize("model", ["auto", "lago", "svm", "mkl"])
def test_parts_of_a_table_compared_by_kernels_are_explained(model):
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abc"), 8)) for _ in range(40)]
    table = pd.DataFrame({"name": ["zzzz" + word for word in words[:6]] + words[6:]})
    table["amount"] = rng.normal(size=40)
    kernel = rf.kernels.On("name", rf.kernels.Spectrum(2))
    kernel = kernel + rf.kernels.On("amount", rf.kernels.Gaussian(1.0))
    hunt = rf.Hunt(table, strategy="random", kernel=kernel)
    for row in [0, 1, 2, *range(10, 20)]:
        hunt.tell(row, "odd" if row < 6 else "even")
    ranking = hunt.rank("odd", model)
    assert set(ranking.top(3).tolist()) == {3, 4, 5}
    reason = ranking.why(3)
    assert reason.kind == "votes"
    assert {part["row"] for part in reason.parts} <= {0, 1, 2}
    far = [part["distance"] for part in reason.against]
    assert len(far) == 3
    assert far == sorted(far)
    assert {part["row"] for part in reason.against} <= set(range(10, 20))
    nearest = min(1, 2, 0, key=lambda row: apart(kernel, table, 3, row))
    unit = apart(kernel, table, 3, nearest)
    assert far[0] == pytest.approx(min(apart(kernel, table, 3, row) for row in range(10, 20)))
    assert reason.against[0]["times"] == pytest.approx(far[0] / unit)
    assert "times as far as the nearest example" in str(reason)
    if model == "mkl":
        name, weight = next(iter(ranking.kernel_weights.items()))
        assert name == "on(name, spectrum(2))"
        assert weight > 0.9
        assert f"What each kernel counts: {name}" in ranking.chosen


def test_with_one_example_the_best_and_the_worst_record_have_different_reasons():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(30, 2)), rng.normal(5.0, 0.1, size=(3, 2))])
    strings = ["".join(rng.choice(list("ac"), 12)) for _ in range(30)] + ["gtgtgtgtgtgt"] * 3
    for hunt in (rf.Hunt(X), rf.Hunt(strings, kernel=rf.kernels.Spectrum(2))):
        for row in (0, 1, 2, 30):
            hunt.tell(row, "odd" if row >= 30 else "even")
        ranking = hunt.rank("odd")
        best, worst = int(ranking.rows[0]), int(ranking.rows[-1])
        assert str(ranking.why(best)) != str(ranking.why(worst))


def test_when_every_record_has_a_label_each_is_ranked_by_a_model_that_has_not_seen_it():
    X = np.r_[np.linspace(0.0, 1.0, 20), 9.0, 9.1, 9.2][:, None]
    hunt = rf.Hunt(X)
    for row in range(23):
        hunt.tell(row, row >= 20)
    ranking = hunt.rank(True, "lago")
    assert set(ranking.top(3).tolist()) == {20, 21, 22}
    assert ranking.fitted is None
    assert ranking.why(0).kind == "none"


def test_labels_as_arrays_go_into_scikit_learn():
    hunt = told(payments())
    rows, labels = hunt.labels_array()
    assert dict(zip(rows.tolist(), labels.tolist(), strict=True)) == hunt.labels
    vectors = hunt.features_.transform(payments())
    model = rf.Lago(target="fraud").fit(vectors[rows], labels)
    assert model.targets_.tolist() == ["fraud"]
    mixed = rf.Hunt([[0.0], [1.0], [2.0]], "random")
    mixed.tell(0, 1)
    mixed.tell(1, "one")
    assert mixed.labels_array()[1].tolist() == [1, "one"]


def test_what_cannot_be_ranked_is_refused_in_words():
    hunt = rf.Hunt(Precomputed(1.0 - np.eye(4)), "random")
    hunt.tell(0, "a")
    hunt.tell(1, "b")
    with pytest.raises(NotAvailableError, match="this hunt knows distances only"):
        hunt.rank("a")
    hunt = rf.Hunt([[0.0], [1.0], [9.0]], "random")
    hunt.tell(0, "even")
    with pytest.raises(DataError, match="All labels are 'even'"):
        hunt.rank("even")
    with pytest.raises(UnknownNameError, match="There is no class 'odd'"):
        hunt.rank("odd")


def test_a_ranking_is_drawn():
    mpl.use("Agg")
    axes = told(payments()).rank("fraud", "lago").plot()
    assert axes.get_ylabel() == "score for fraud"
    assert len(axes.lines[0].get_xdata()) == 253


def test_a_hunt_by_an_oracle_can_rank_and_both_names_are_hunts():
    X = np.r_[np.linspace(0.0, 1.0, 20), 9.0, 9.1, 9.2][:, None]
    hunt = rf.discover(X, lambda row: "odd" if row >= 20 else "even", budget=6)
    assert isinstance(hunt, discovery.Hunt)
    left = {20, 21, 22} - set(hunt.labels)
    assert set(hunt.rank("odd").top(len(left)).tolist()) == left


def test_a_transformer_of_ones_own_makes_the_vectors():
    table = payments()
    features = rf.features.TableFeatures(kinds={"country": "id"})
    hunt = rf.Hunt(table, features=features)
    assert hunt.features_.left_out_ == ("country",)
    assert not hasattr(features, "parts_")  # a copy was fitted
    with pytest.raises(ValueError, match="'features' and 'scale' parameters of Hunt exclude"):
        rf.Hunt(table, features=features, scale="none")
    with pytest.raises(ValueError, match="must be a transformer with fit and transform"):
        rf.Hunt(table, features="squash")


def test_a_member_of_auto_is_named_as_no_model():
    with pytest.raises(
        ParameterError, match=r"'class trees' is a member of auto.*nearest is forest"
    ):
        told(payments()).rank("fraud", "class trees")
