"""The distance of two rows of a mixed table is the same number wherever it is asked for."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

import rarefind as rf
from rarefind.detection import make
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.frames import read_frame
from rarefind.records.preparing.recipe import prepare

KINDS = {
    "amount": "number", "balance": "number", "country": "category", "day": "date", "paid": "boolean"
}  # fmt: skip
NUMBER = st.one_of(st.none(), st.floats(-1e6, 1e6).map(lambda value: round(value, 3)))
WORD = st.sampled_from(["se", "no", "fi", "dk", None])
DAY = st.integers(0, 900).map(lambda days: dt.datetime(2024, 1, 1) + dt.timedelta(days=days))
AMOUNT = st.floats(0.0, 100.0).map(lambda value: round(value, 2))
ROW = st.tuples(AMOUNT, NUMBER, WORD, DAY, st.booleans())


@st.composite
def tables(draw):
    rows = draw(st.lists(ROW, min_size=8, max_size=30))
    cells = {name: [row[place] for row in rows] for place, name in enumerate(KINDS)}
    cells["amount"][:2], cells["country"][:2] = [1.0, 2.5], ["se", "no"]
    cells["paid"][:2], cells["day"][1] = [True, False], dt.datetime(2027, 1, 1)
    cells["balance"][:2] = [3.0, 0.5]  # a column without any cell is left out, with a warning
    return cells


def distances_of(hunt):
    space = hunt.space
    points = [space.engine.distances(point) for point in range(len(space.folded.weights))]
    return np.array(points)[np.ix_(space.folded.point_of, space.folded.point_of)]


@pytest.mark.filterwarnings("ignore:Left out of the comparison")  # a column of gaps
@settings(deadline=None, max_examples=25)
@given(cells=tables(), frame=st.sampled_from([pd.DataFrame, pl.DataFrame, pa.table]))
def test_rows_are_as_far_apart_in_hunt_lago_ranking_and_service(cells, frame):
    table = frame(cells)
    hunt = rf.Hunt(table)
    expected = distances_of(hunt)
    y = np.arange(len(cells["amount"])) % 4 == 0

    def check(vectors):
        np.testing.assert_allclose(cdist(vectors, vectors), expected, rtol=1e-7, atol=1e-7)

    check(hunt.features_.transform(table))
    for row, label in enumerate(y[:-2]):
        hunt.tell(row, "odd" if label else "even")
    check(hunt.rank("odd", "lago").examples.records)
    centres = rf.Lago().fit(table, y).centres_
    np.testing.assert_allclose(
        cdist(centres, centres), expected[np.ix_(y, y)], rtol=1e-7, atol=1e-7
    )
    check(make("lago").fit(table, y)[:-1].transform(table))
    shown = read_frame(table)
    kinds = detect_kinds(shown, KINDS)
    check(prepare(shown, kinds).records)  # what the service ranks and maps


@pytest.mark.parametrize("scale", ["standard", "none"])
def test_a_hunt_scales_numbers_as_told_beside_words(scale):
    rng = np.random.default_rng(0)
    amount = rng.normal(500.0, 100.0, size=40)
    table = pd.DataFrame({"amount": amount, "country": ["se", "no"] * 20})
    made = rf.Hunt(table, scale=scale).features_.transform(table)[:, 0]
    expected = amount if scale == "none" else (amount - amount.mean()) / amount.std()
    np.testing.assert_allclose(made, expected)


def test_a_rare_word_is_as_far_in_the_ranking_as_in_the_hunt():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"amount": rng.normal(size=1000), "kind": ["usual"] * 985 + ["rare"] * 15})
    hunt = rf.Hunt(table, "random")
    for row in (*range(30), 990, 991):
        hunt.tell(row, table["kind"][row])
    ranking = hunt.rank("rare", "lago")
    lago = ranking.fitted[-1]
    words = lago.centres_[:, 1:]
    assert np.linalg.norm(words[0] - ranking.examples.records[0, 1:]) == pytest.approx(1.0)
