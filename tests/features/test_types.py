"""Types of pandas, polars and Arrow that tables have besides numbers and words."""

from __future__ import annotations

import datetime as dt
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rarefind.core.errors import DataError, RarefindWarning
from rarefind.features import TableFeatures

N = 40
NUMBERS = np.random.default_rng(0).integers(100, 99999, N) / 100
TIMES = [dt.time(row % 24, row * 7 % 60) for row in range(N)]
SECONDS = [time.hour * 3600.0 + time.minute * 60 for time in TIMES]
DECIMALS = [Decimal(f"{number:.2f}") for number in NUMBERS]
PEOPLE = [
    {"age": float(number), "at": {"town": "abc"[row % 3]}} for row, number in enumerate(NUMBERS)
]


def vectors(table):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        features = TableFeatures(scale="none").fit(table)
    return list(features.get_feature_names_out()), features.transform(table)


@pytest.mark.parametrize(
    ("column", "numbers"),
    [
        (pd.Series(DECIMALS), NUMBERS),
        (pa.array(DECIMALS, pa.decimal128(10, 2)), NUMBERS),
        (pa.array(DECIMALS, pa.decimal256(40, 2)), NUMBERS),
        (pl.Series(DECIMALS), NUMBERS),
        (pd.Series(TIMES), SECONDS),
        (pa.array(TIMES), SECONDS),
        (pl.Series(TIMES), SECONDS),
    ],
)
def test_decimals_and_times_are_numbers(column, numbers):
    frame = {pd.Series: pd.DataFrame, pl.Series: pl.DataFrame}.get(type(column), pa.table)
    names, found = vectors(frame({"x": column}))
    assert names == ["x"]
    np.testing.assert_allclose(found[:, 0], numbers)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_fields_of_records_are_columns(frame):
    names, found = vectors(frame({"who": PEOPLE if frame is not pa.table else pa.array(PEOPLE)}))
    assert names == ["who.age", "who.at.town=a", "who.at.town=b", "who.at.town=c"]
    np.testing.assert_allclose(found[:, 0], NUMBERS)


def test_months_of_pandas_are_dates():
    table = pd.DataFrame({"month": pd.period_range("2021-01", periods=N, freq="M")})
    assert vectors(table)[0][0] == "month"


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ([["a", "b"], ["c"]] * (N // 2), "lists of words"),
        (pa.array([2**63 + row * 977 for row in range(N)], pa.uint64()), "more than 15 digits"),
    ],
)
def test_what_cannot_be_compared_is_left_out_with_its_name(cells, why):
    table = pa.table({"x": cells, "y": NUMBERS})
    with pytest.warns(RarefindWarning, match=f"'x' .*{why}"):
        features = TableFeatures().fit(table)
    assert list(features.get_feature_names_out()) == ["y"]
    assert features.transform(table).shape == (N, 1)


def test_columns_of_one_name_are_refused_in_a_sentence():
    table = pd.DataFrame(np.ones((3, 2)), columns=["a", "a"])
    with pytest.raises(DataError, match=r"The table cannot be read: .*'a' 2 times"):
        TableFeatures().fit(table)


def test_yes_and_no_in_several_spellings_are_one_number():
    names, found = vectors(pd.DataFrame({"ok": ["Yes", "no", "Y", "TRUE", "f"] * 8}))
    assert names == ["ok"]
    np.testing.assert_array_equal(found[:5, 0], [1, 0, 1, 1, 0])
