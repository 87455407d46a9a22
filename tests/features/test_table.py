from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.fixes import parse_version

from rarefind.core.errors import DataError, ParameterError, RarefindWarning, UnknownNameError
from rarefind.features import TableFeatures
from rarefind.features.scaling import squashed, standardized

CELLS = {
    "size": [1.0, None, 3.0, 4.0],
    "kind": ["a", None, "b", "a"],
    "when": [dt.datetime(2020, 1, 1), None, dt.datetime(2021, 3, 1), dt.datetime(2021, 1, 5)],
    "fresh": [True, None, False, True],
    "spot": [[1.0, 2.0], None, [3.0, 4.0], [5.0, 5.0]],
    "count": [1, 2, 3, 9],
}
FRAMES = [pd.DataFrame, pl.DataFrame, pa.table]


def columns(cells):
    return {name: np.array(column, dtype=object) for name, column in cells.items()}


BROKEN_CHECKS = (
    {"check_positive_only_tag_during_fit": "it takes a broken mean from whole numbers itself"}
    if parse_version(sklearn.__version__) < parse_version("1.7.2")
    else {}
)
"""Checks of scikit-learn that fail before they come to a transformer which takes categories."""


@pytest.mark.parametrize("scale", ["squash", "standard", "none"])
def test_it_is_a_scikit_learn_transformer(scale):
    done = check_estimator(
        TableFeatures(scale), on_skip=None, on_fail=None, expected_failed_checks=BROKEN_CHECKS
    )
    failed = {each["check_name"] for each in done if each["status"] in ("failed", "xfail")}
    assert failed == set(BROKEN_CHECKS)


@pytest.mark.parametrize("frame", FRAMES)
def test_every_library_gives_the_same_vectors(frame):
    expected = TableFeatures().fit_transform(columns(CELLS))
    features = TableFeatures().fit(frame(CELLS))
    np.testing.assert_array_equal(features.transform(frame(CELLS)), expected)
    assert features.get_feature_names_out().tolist() == [
        "size", "size is missing", "kind=a", "kind=b", "when", "when is missing",
        "when: day of week (x)", "when: day of week (y)", "fresh", "fresh is missing",
        "spot[0]", "spot[1]", "count",
    ]  # fmt: skip


def test_numbers_are_scaled_words_one_apart_gaps_told_and_lists_in_proportion():
    made = TableFeatures("standard").fit(columns(CELLS))
    vectors = made.transform(columns(CELLS))
    of = {name: vectors[:, place] for place, name in enumerate(made.get_feature_names_out())}
    assert of["count"].std() == pytest.approx(1.0)
    assert of["size is missing"].tolist() == [0.0, 1.0, 0.0, 0.0]
    words = np.column_stack([of["kind=a"], of["kind=b"]])
    assert np.linalg.norm(words[0] - words[2]) == pytest.approx(1.0)
    assert words[1].tolist() == [0.0, 0.0]
    lists = np.column_stack([of["spot[0]"], of["spot[1]"]])
    near, far = np.linalg.norm(lists[2] - lists[0]), np.linalg.norm(lists[3] - lists[0])
    assert far / near == pytest.approx(5.0 / np.sqrt(8.0))
    assert lists[1].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("scale", "scaled"), [("squash", squashed), ("standard", standardized), ("none", np.asarray)]
)
def test_a_table_of_numbers_is_an_array_and_scale_means_the_same_beside_a_word(scale, scaled):
    X = np.random.default_rng(0).lognormal(size=(50, 2)) * [1.0, 1e6]
    table = pd.DataFrame(X, columns=["a", "b"])
    np.testing.assert_array_equal(TableFeatures(scale).fit_transform(table), scaled(X))
    mixed = TableFeatures(scale).fit_transform(table.assign(word=["u", "v"] * 25))
    np.testing.assert_allclose(mixed[:, :2], scaled(X), rtol=1e-12, atol=1e-12)


def test_later_records_come_in_the_same_columns():
    features = TableFeatures().fit(pd.DataFrame({"n": [1.0, 2.0, 9.0], "w": ["a", "b", "a"]}))
    later = features.transform(pd.DataFrame({"n": [None, 2.0], "w": ["new", "b"]}))
    assert later[0].tolist() == [later[1, 0], 0.0, 0.0]
    numbers = TableFeatures("none").fit(pd.DataFrame({"a": [1.0, 2.0, 9.0]}))
    assert numbers.transform(pd.DataFrame({"a": [None, 4.0]})).ravel().tolist() == [2.0, 4.0]
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert numbers.transform([[7.0]]).tolist() == [[7.0]]


def test_the_user_says_what_a_column_holds():
    table = pd.DataFrame({"zip": [10.0, 20.0, 10.0], "day": ["2024-01-01", None, "2024-02-01"]})
    made = TableFeatures("none", kinds={"zip": "category", "day": "date"}).fit(table)
    assert made.get_feature_names_out()[:4].tolist() == [
        "zip=10", "zip=20", "day", "day is missing",
    ]  # fmt: skip
    assert np.ptp(made.transform(table)[:, 2]) == pytest.approx(31.0)  # days
    left = TableFeatures(kinds={"zip": "id"}).fit(table.assign(n=[1.0, 2.0, 3.0]))
    assert left.left_out_ == ("zip",)


def test_identifiers_free_text_and_empty_columns_are_left_out():
    table = {"n": np.arange(200.0) ** 2, "id": np.array([f"x{i}" for i in range(200)], object)}
    rows = {"row": np.arange(5.0, 205.0), "empty": np.full(200, np.nan)}
    with pytest.warns(RarefindWarning) as said:
        made = TableFeatures().fit({**table, **rows})
    assert made.left_out_ == ("id", "row", "empty")
    (warning,) = said
    assert str(warning.message).startswith(
        "Left out of the comparison: 'id' (200 different words in 200 rows), 'row' (counts the "
        "rows), 'empty' (every cell is missing). To keep a column, say"
    )
    assert warning.filename == __file__
    kept = TableFeatures(kinds={"id": "id", "row": "number", "empty": "id"}).fit({**table, **rows})
    assert kept.left_out_ == ("id", "empty")  # as asked, so nobody is warned
    with pytest.raises(DataError, match=r"nothing to compare records by \(columns: id\)"):
        TableFeatures().fit({"id": table["id"]})


def test_what_cannot_be_is_refused_in_words():
    table = pd.DataFrame({"a": [1.0, 2.0], "w": ["u", "v"]})
    with pytest.raises(UnknownNameError, match=r"There is no column .* 'b'"):
        TableFeatures(kinds={"b": "number"}).fit(table)
    with pytest.raises(UnknownNameError, match=r"There is no kind .* 'numbr'"):
        TableFeatures(kinds={"a": "numbr"}).fit(table)
    with pytest.raises(
        DataError, match=r"Column 'w' is to be read as numbers, and most .* row 0 holds 'u'"
    ):
        TableFeatures(kinds={"w": "number"}).fit(table)
    with pytest.raises(DataError, match="Column 'w' is to be read as dates"):
        TableFeatures(kinds={"w": "date"}).fit(table)
    with pytest.raises(DataError, match="Row 1 of column 'a' is infinite"):
        TableFeatures().fit(table.assign(a=[1.0, np.inf]))
    with pytest.raises(DataError, match="That of row 1 has 1 numbers, the first one 2"):
        TableFeatures().fit(pd.DataFrame({"e": [[1.0, 2.0], [1.0]]}))
    with pytest.raises(ParameterError, match="names columns of a table"):
        TableFeatures(kinds={"a": "number"}).fit([[1.0]])
    with pytest.raises(DataError, match="fitted to a table with the columns a, w"):
        TableFeatures().fit(table).transform([[1.0, 2.0]])
    with pytest.raises(DataError, match="feature names should match"):
        TableFeatures().fit(table).transform(table[["a"]])
    with pytest.raises(ParameterError, match="'scale' parameter of TableFeatures"):
        TableFeatures("large").fit(table)


def test_it_is_copied_and_stands_in_a_pipeline():
    table = pl.DataFrame({"n": [1.0, 2.0, 8.0, 9.0] * 5, "w": ["a", "a", "b", "b"] * 5})
    copy = clone(TableFeatures("standard", kinds={"n": "number"}))
    model = make_pipeline(copy, LogisticRegression()).fit(table, [0, 0, 1, 1] * 5)
    assert model.predict(table).tolist() == [0, 0, 1, 1] * 5
    assert model[:-1].get_feature_names_out().tolist() == ["n", "w=a", "w=b"]
