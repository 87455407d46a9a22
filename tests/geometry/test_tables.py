from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rarefind.core.errors import DataError
from rarefind.discovery import Hunt
from rarefind.features.scaling import squashed, standardized


def test_a_few_giants_do_not_hide_the_rest():
    rng = np.random.default_rng(0)
    column = np.r_[rng.normal(size=500), rng.normal(6, 0.1, size=5), 1e6, -1e6][:, None]
    plain, soft = standardized(column)[:, 0], squashed(column)[:, 0]
    assert abs(plain[500] - plain[0]) < 0.01  # invisible
    assert soft[500:505].min() > soft[:500].max()
    assert abs(soft).max() < 20
    assert (np.diff(soft[np.argsort(column[:, 0])]) >= 0).all()  # the order stays


@pytest.mark.parametrize("factor", [1e-300, 1e-9, 1e200, 1e307])
def test_the_unit_of_a_column_does_not_matter_however_large(factor):
    column = np.random.default_rng(0).uniform(-1, 1, size=(50, 1))
    for scale in (standardized, squashed):
        np.testing.assert_allclose(scale(column * factor), scale(column), rtol=1e-9, atol=1e-12)
    asked = Hunt(np.hstack([column, column**2]) * factor).ask()
    expected = Hunt(np.hstack([column, column**2])).ask()
    assert (asked.row, asked.why) == (expected.row, expected.why)
    assert asked.neighbours == expected.neighbours
    assert asked.evidence == pytest.approx(expected.evidence, rel=1e-9)


def test_numbers_too_large_for_distances_are_refused():
    with pytest.raises(DataError, match=r"needs numbers below 1e\+150"):
        Hunt([[1e200], [0.0], [1.0]], scale="none")


def test_columns_whose_middle_is_constant_take_their_scale_from_further_out():
    column = np.r_[np.zeros(90), np.arange(1.0, 11.0)][:, None]
    assert squashed(column).std() == pytest.approx(1.0)
    assert np.isfinite(squashed(np.r_[np.zeros(999), 1.0][:, None])).all()
    np.testing.assert_array_equal(squashed(np.full((5, 1), 3.0)), 0.0)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_mixed_table_of_either_kind_can_be_hunted_in(frame):
    rng = np.random.default_rng(0)
    table = frame(
        {
            "amount": rng.normal(size=40),
            "country": ["se", "no"] * 20,
            "fresh": [True, False] * 20,
        }
    )
    question = Hunt(table).ask()
    assert 0 <= question.row < 40
