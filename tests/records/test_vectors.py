from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import DataError
from rarefind.records import Table, to_vectors
from rarefind.records.examples import buried_disc, rare_digits


def words(*cells):
    return np.array(cells, dtype=object)


def test_numbers_are_standardised_and_words_spread_out():
    table = Table(
        {
            "size": np.array([1.0, 2.0, np.nan, 3.0]),
            "kind": words("a", "b", None, "a"),
            "same": np.full(4, 7.0),
        },
        "t",
    )
    vectors = to_vectors(table)
    assert vectors.names == ("size", "kind=a", "kind=b", "same")
    assert vectors.left_out == ()
    np.testing.assert_allclose(vectors.X[:, 0].mean(), 0, atol=1e-12)
    assert vectors.X[2, 0] == 0.0  # missing: the median, here the mean
    assert np.linalg.norm(vectors.X[0, 1:3] - vectors.X[1, 1:3]) == pytest.approx(2.0)
    np.testing.assert_array_equal(vectors.X[:, 3], 0.0)


def test_columns_of_free_text_are_left_out_and_named():
    table = Table({"n": np.arange(200.0), "id": words(*map(str, range(200)))}, "t")
    assert to_vectors(table).left_out == ("id",)
    with pytest.raises(DataError, match=r"nothing to compare records by.*id"):
        to_vectors(table.without(["n"]))


def test_the_examples_are_what_they_say():
    digits = rare_digits()
    assert digits.sizes() == {"5": 6, "6": 8, "7": 10, "8": 12, "9": 14}
    assert digits.X.shape == (len(digits.labels), 64)
    disc = buried_disc()
    assert disc.sizes() == {"rare": 10}
    rare = disc.X[np.array(disc.labels) == "rare"]
    assert np.linalg.norm(rare, axis=1).max() <= 0.1
    np.testing.assert_array_equal(rare_digits(3).X, rare_digits(3).X)
