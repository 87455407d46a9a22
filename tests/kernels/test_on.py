from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.svm import SVC

from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.kernels import Gaussian, Intersection, Linear, On, VectorSpace
from rarefind.testing import check_kernel

AGES = [30, 31, 60, 20, 45]
PAY = [1.0, 2.0, 0.5, 3.0, 1.5]
WORDS = ["red fox", "dog", "blue dog", "red dog", "fox"]
TAGS = [{"a"}, {"b"}, {"a", "b"}, set(), {"c"}]


def as_dicts():
    return [
        dict(zip(("age", "pay", "words"), row, strict=True))
        for row in zip(AGES, PAY, WORDS, strict=True)
    ]


TABLES = {
    "pandas": pd.DataFrame(as_dicts()),
    "polars": pl.DataFrame(as_dicts()),
    "dicts": as_dicts(),
    "structured": np.array(
        list(zip(AGES, PAY, WORDS, strict=True)),
        dtype=[("age", int), ("pay", float), ("words", "U20")],
    ),
}


@pytest.mark.parametrize("kind", TABLES)
def test_columns_are_found_by_name_in_every_kind_of_table(kind):
    records = TABLES[kind]
    words = VectorSpace().fit(WORDS)
    kernel = On("age", Gaussian(10.0)) + On("words", words)
    ages = np.array(AGES, float)[:, None]
    np.testing.assert_allclose(kernel(records), Gaussian(10.0)(ages) + words(WORDS))
    check_kernel(kernel, records)
    both = On(["age", "pay"], Gaussian(10.0))
    np.testing.assert_allclose(both(records), Gaussian(10.0)(np.column_stack([AGES, PAY])))
    with pytest.raises(UnknownNameError, match="Did you mean 'age'"):
        On("agee", Linear())(records)


def test_columns_are_found_by_position_and_slice_in_arrays():
    A = np.random.default_rng(0).normal(size=(6, 4))
    for records in (A, sparse.csr_array(A), sparse.csr_matrix(A)):
        np.testing.assert_allclose(On(2, Linear())(records), np.outer(A[:, 2], A[:, 2]))
        np.testing.assert_allclose(On(-1, Linear())(records), np.outer(A[:, 3], A[:, 3]))
        np.testing.assert_allclose(On(slice(1, 3), Linear())(records), A[:, 1:3] @ A[:, 1:3].T)
        np.testing.assert_allclose(On([0, 3], Linear())(records), A[:, [0, 3]] @ A[:, [0, 3]].T)
        check_kernel(On(slice(0, 2), Gaussian()), records)
    np.testing.assert_allclose(On(1, Linear())(TABLES["pandas"]), np.outer(PAY, PAY))
    np.testing.assert_allclose(On(slice(0, 2), Linear())(TABLES["polars"])[0, 0], 901.0)


def test_tuples_and_object_arrays_hold_parts_of_any_kind():
    pairs = list(zip(TAGS, PAY, strict=True))
    expected = Intersection()(TAGS) * np.outer(PAY, PAY)
    kernel = On(0, Intersection()) * On(1, Linear())
    np.testing.assert_allclose(kernel(pairs), expected)
    objects = np.empty((5, 2), dtype=object)
    objects[:, 0], objects[:, 1] = TAGS, PAY
    np.testing.assert_allclose(kernel(objects), expected)
    check_kernel(kernel, pairs)


def test_a_function_takes_any_part():
    kernel = On(lambda texts: [[float(len(text))] for text in texts], Linear())
    np.testing.assert_allclose(kernel(["a", "abc"]), [[1, 3], [3, 9]])
    with pytest.raises(DataError, match=r"one part for each record. It gave 1 for 2 records"):
        On(lambda texts: texts[:1], VectorSpace())(["a b", "c d"])


def test_kernels_inside_learn_from_their_part():
    kernel = On("words", VectorSpace()).fit(TABLES["polars"])
    np.testing.assert_allclose(kernel(TABLES["pandas"][:2]), VectorSpace().fit(WORDS)(WORDS[:2]))
    assert kernel.features(TABLES["dicts"]).shape == (5, 4)


@pytest.mark.parametrize("kind", TABLES)
def test_support_vector_machines_learn_from_mixed_tables(kind):
    kernel = On("age", Gaussian(10.0)) + On("words", VectorSpace())
    labels = [0, 1, 1, 1, 0]
    machine = SVC(kernel=kernel, C=100).fit(TABLES[kind], labels)
    assert machine.predict(TABLES[kind]).tolist() == labels


def test_terms_of_a_sum_stay_on_their_part():
    terms = On("pay", Linear() + Gaussian()).terms()
    assert [term.column for term in terms] == ["pay", "pay"]
    np.testing.assert_allclose(terms[0](TABLES["dicts"]), np.outer(PAY, PAY))


def test_parts_that_are_not_there_are_refused_in_words():
    A = np.zeros((3, 2))
    with pytest.raises(DataError, match=r"asks for column 5 of records with 2 column"):
        On(5, Linear())(A)
    with pytest.raises(DataError, match="an array without names"):
        On("age", Linear())(A)
    with pytest.raises(DataError, match="no such part in record 1"):
        On(1, Linear())([(1, 2), (1,)])
    with pytest.raises(UnknownNameError, match="record 1 named 'age'"):
        On("age", Linear())([{"age": 1}, {"pay": 2}])
    with pytest.raises(DataError, match="Row 1, column 0 holds nan"):
        On("age", Linear())([{"age": 1}, {"age": None}])
    with pytest.raises(DataError, match=r"A list of records is needed. Got int"):
        On("age", Linear())(7)
    for column in (None, 1.5, [], True):
        with pytest.raises(ParameterError, match="'column' parameter of On must be the name"):
            On(column, Linear())(A)
