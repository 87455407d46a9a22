"""Words of tables in memory are read as those of files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rarefind as rf
from rarefind.core.errors import DataError, RarefindWarning
from rarefind.features import TableFeatures
from rarefind.features.cells.readers import NumberReader
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.columns.values import dates_of
from rarefind.records.frames import read_frame
from tests.records.ways_of_writing import DATES, NUMBERS

FRAMES = [pd.DataFrame, pl.DataFrame, pa.table]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("way", NUMBERS)
def test_numbers_are_read_however_they_are_written(way, frame):
    cells, numbers = NUMBERS[way]
    table = frame({"x": cells, "ok": ["a", "b", "a"]})
    features = TableFeatures("none").fit(table)
    assert features.parts_[0].kind == "number"
    np.testing.assert_allclose(features.transform(table)[:, 0], numbers, rtol=1e-12)
    read = read_frame(table)
    assert detect_kinds(read)[0].kind == "number"
    np.testing.assert_allclose(read.column("x"), numbers, rtol=1e-12)


@pytest.mark.parametrize("way", NUMBERS)
def test_a_single_cell_is_read_as_its_column_was(way):
    cells, numbers = NUMBERS[way]
    table = pl.DataFrame({"x": cells, "ok": ["a", "b", "a"]})
    features = TableFeatures("none").fit(table)
    alone = [features.transform(table[row : row + 1])[0, 0] for row in range(3)]
    np.testing.assert_allclose(alone, numbers, rtol=1e-12)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("way", DATES)
def test_dates_are_read_however_they_are_written(way, frame):
    table = frame({"when": DATES[way], "ok": ["a", "b", "a"]})
    features = TableFeatures("none").fit(table)
    assert features.parts_[0].kind == "date"
    days = np.array([1614729600.0, 1618358400.0, 1606780800.0]) / 86400.0
    np.testing.assert_allclose(features.transform(table)[:, 0], days)
    read = read_frame(table)
    assert detect_kinds(read)[0].kind == "date"
    np.testing.assert_allclose(dates_of(read, "when") / 86400.0, days)


def test_what_the_column_decided_holds_for_cells_that_could_be_read_otherwise():
    table = pd.DataFrame({"when": ["1/31/2024", "2/1/2024"], "size": ["1.234,5", "7"]})
    features = TableFeatures("none").fit(table)
    later = features.transform(pd.DataFrame({"when": ["3/4/2024", "soon"], "size": ["1.234", "x"]}))
    march = np.datetime64("2024-03-04").astype("datetime64[D]").astype(float)
    assert later[0, 0] == march
    assert later[0, -1] == 1234.0
    assert later[1, -1] == features.transform(table)[:, -1].mean()  # a gap: the median of two


def test_cells_that_nobody_can_read_are_said_and_money_is_never_dropped():
    rng = np.random.default_rng(0)
    amounts = [f"${amount:,.2f}" for amount in rng.lognormal(5, 1, 300)]
    amounts[7], amounts[9] = "see note", "unknown"
    table = pd.DataFrame({"amount": amounts, "age": rng.normal(size=300)})
    with pytest.warns(RarefindWarning, match=r"'amount': .*1 unreadable cell .*: 'see note'"):
        hunt = rf.Hunt(table)
    assert [part.columns for part in hunt.features_.parts_] == [("amount",), ("age",)]
    assert "with signs of money" in hunt.features_.notes_["amount"]


def test_a_text_is_left_out_only_with_a_warning_that_names_it():
    words = [f"{one} and {other}" for one in "abcdefghij" for other in "klmnopqrst"]
    table = pa.table({"memo": words, "size": np.random.default_rng(0).normal(size=100)})
    with pytest.warns(RarefindWarning, match=r"'memo' \(100 different texts in 100 rows\)"):
        hunt = rf.Hunt(table)
    assert hunt.features_.left_out_ == ("memo",)


def test_words_said_to_be_numbers_are_read_and_a_type_for_categories_is_believed():
    table = pd.DataFrame({"x": ["12 kg", "oops", "15 kg", "17 kg"], "y": ["1", "2", "1", "2"]})
    with pytest.warns(RarefindWarning, match="1 unreadable cell taken for missing: 'oops'"):
        features = TableFeatures("none", kinds={"x": "number"}).fit(table)
    assert features.transform(table)[:, 0].tolist() == [12000.0, 15000.0, 15000.0, 17000.0]
    assert [part.kind for part in features.parts_] == ["number", "number"]
    told = TableFeatures(kinds={"x": "id"}).fit(table.astype({"y": "category"}))
    assert told.parts_[-1].kind == "category"
    with pytest.raises(DataError, match=r"as dates, and most of its cells .* row 0 holds '12 kg'"):
        TableFeatures(kinds={"x": "date"}).fit(table)


def test_a_reader_of_nothing_reads_gaps():
    assert np.isnan(NumberReader(".", ())([None, "never"])).all()


@pytest.mark.parametrize("frame", FRAMES)
def test_lists_written_in_words_are_vectors(frame):
    words = ["[1.5, -2]", "[3 4e1]", None, "[0.25;7]"]
    table = frame({"embedding": words})
    features = TableFeatures("none").fit(table)
    assert features.parts_[0].kind == "vector"
    np.testing.assert_allclose(
        features.transform(table)[[0, 1, 3]], [[1.5, -2], [3, 40], [0.25, 7]]
    )
    with pytest.raises(DataError, match="row 1 holds '\\[3, x\\]'"):
        features.transform(frame({"embedding": ["[1, 2]", "[3, x]"]}))
