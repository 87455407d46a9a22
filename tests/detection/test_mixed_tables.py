"""Every detector takes the tables that a hunt takes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from rarefind.core.errors import TooLargeError
from rarefind.core.memory_guard import memory_limit
from rarefind.detection import AutoDetector, Lago, RareRanker, load, make, save
from rarefind.detection.models import registry
from rarefind.features import TableFeatures
from rarefind.kernels import Gaussian, Linear

N, ODD = 120, 12
Y = np.array(["plain"] * (N - ODD) + ["odd"] * ODD)


def cells():
    rng = np.random.default_rng(0)
    return {
        "amount": np.r_[rng.lognormal(3, 1, N - ODD), rng.normal(900.0, 9.0, ODD)],
        "country": [*rng.choice(["se", "no", "fi"], N - ODD), *["lt"] * ODD],
        "age": [None if rng.random() < 0.1 else float(age) for age in rng.normal(40, 9, N)],
        "fresh": rng.random(N) < 0.5,
    }


def hits(model, table):
    scores = model.decision_function(table)
    return int((np.argsort(-scores, kind="stable")[:ODD] >= N - ODD).sum())


@pytest.mark.parametrize("name", registry.names())
def test_every_model_takes_words_and_gaps(name):
    table = pd.DataFrame(cells())
    model = make(name, target="odd").fit(table, Y)
    assert hits(model, table) >= ODD - 2
    assert set(model.predict(table[:5])) <= {"plain", "odd"}


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, np.ndarray.tolist])
def test_every_model_takes_sparse_matrices_and_lists(name, kind):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(N, 4)) * (rng.random((N, 4)) < 0.5)
    X[:, 0] += 0.1  # a record of zeros has no direction, which sphere-lago says
    X[-ODD:] += 5.0
    model = make(name, target="odd").fit(kind(X), Y)
    assert hits(model, kind(X)) >= ODD - 2


def test_zeros_that_do_not_fit_into_memory_are_not_written_out():
    X = sparse.csr_array(np.eye(N))
    with memory_limit("1KB"), pytest.raises(TooLargeError, match="with all its zeros would need"):
        make("lda").fit(X, Y)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize(
    "model", [Lago(), make("svm"), AutoDetector(["lago", "logistic"])], ids=repr
)
def test_every_library_gives_the_same_scores(model, frame):
    table = pd.DataFrame(cells())
    expected = model.fit(table, Y).decision_function(table)
    found = model.fit(frame(cells()), Y).decision_function(frame(cells()))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_a_classifier_of_scikit_learn_gets_the_vectors_of_a_hunt():
    table = pd.DataFrame(cells())
    ranker = RareRanker(LogisticRegression(), target="odd").fit(table, Y)
    vectors = TableFeatures().fit_transform(table)
    expected = LogisticRegression().fit(vectors, Y == "odd").decision_function(vectors)
    np.testing.assert_allclose(ranker.decision_function(table), expected, rtol=1e-6)


def test_later_tables_are_read_as_the_first_one_was():
    table = pd.DataFrame(cells())
    model = make("lago", target="odd").fit(table, Y)
    whole = model.decision_function(table)
    full = table["age"].notna().to_numpy()  # numbers and words without a gap
    np.testing.assert_allclose(model.decision_function(table[full]), whole[full])
    numbers = table[["amount", "age"]]
    model = make("logistic", target="odd").fit(numbers, Y)
    np.testing.assert_allclose(
        model.decision_function(numbers[full]), model.decision_function(numbers)[full]
    )


def test_tables_of_numbers_are_taken_as_they_are():
    table = pd.DataFrame(cells())[["amount", "fresh"]].astype(float)
    model = Lago(target="odd")
    expected = model.fit(table.to_numpy(), Y).decision_function(table.to_numpy())
    np.testing.assert_array_equal(model.fit(table, Y).decision_function(table), expected)


def test_a_sum_of_kernels_on_vectors_takes_vectors():
    kernel = Gaussian() + Linear()
    assert kernel.takes_vectors
    model = Lago(kernel=kernel, target="odd").fit(pd.DataFrame(cells()), Y)
    assert hits(model, pd.DataFrame(cells())) >= ODD - 2


@pytest.mark.parametrize("model", [Lago(), make("lago"), AutoDetector(["lago", "svm"])], ids=repr)
def test_models_of_tables_are_saved_with_what_they_learnt_of_the_columns(model, tmp_path):
    table = pd.DataFrame(cells())
    table["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(N), "D")
    save(model.fit(table, Y), tmp_path / "model.rarefind")
    again = load(tmp_path / "model.rarefind")
    np.testing.assert_array_equal(again.decision_function(table), model.decision_function(table))


def test_models_are_judged_in_folds_of_a_table():
    scores = cross_val_score(make("logistic"), pd.DataFrame(cells()), Y == "odd", cv=3)
    assert scores.mean() > 0.95
