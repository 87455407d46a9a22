from __future__ import annotations

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rarefind import Hunt, Lago
from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.features import TableFeatures
from rarefind.kernels import Gaussian, Normalized, Spectrum
from rarefind.kernels.formulas.reading import format_kernel
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.preparing.recipe import prepare
from rarefind.records.table import Table, word_array

N = 60
RNG = np.random.default_rng(0)
GRAPHS = [
    {"nodes": ["C", "O", "N"][: i % 3 + 1], "edges": [[0, 1]] * (i % 3 > 0)} for i in range(N)
]


def mixed():
    return Table(
        {
            "id": word_array(f"A-{i}" for i in range(N)),
            "amount": np.r_[np.nan, RNG.normal(size=N - 1)],
            "ok": word_array(["yes", "no"] * (N // 2)),
            "country": word_array(["se", "no", None] * (N // 3)),
            "day": word_array(f"2024-01-{i % 28 + 1:02d}" for i in range(N)),
        },
        "t.csv",
    )


def texts():
    words = ["red", "green", "blue", "fast", "slow"]
    return word_array(" ".join(RNG.choice(words, 6)) for _ in range(N))


def prepared(table, **options):
    return prepare(table, detect_kinds(table), **options)


def test_plain_columns_become_scaled_vectors():
    ready = prepared(mixed())
    assert ready.kernel is None
    assert ready.scale == "none"
    assert ready.left_out == ("id",)
    assert ready.names[:6] == (
        "amount",
        "amount is missing",
        "ok",
        "country=no",
        "country=se",
        "day",
    )
    assert ready.records.shape == (N, len(ready.names))
    assert np.isfinite(ready.records).all()
    said = "compared by 1 number, 1 yes-or-no column, 1 category and 1 date"
    assert ready.description == said


def test_numbers_and_words_are_prepared_as_in_a_dataframe():
    table = mixed().without(["id", "ok", "day"])
    np.testing.assert_array_equal(
        prepared(table).records, TableFeatures().fit_transform(table.columns)
    )


def test_further_rows_come_in_the_same_columns():
    table = mixed()
    ready = prepared(table)
    rows = np.array([5, 0, 7])
    np.testing.assert_allclose(ready.more(table.chosen(rows)), ready.records[rows])
    new = Table(
        {
            "amount": np.array([1e9, np.nan]),
            "ok": np.array([1.0, 0.0]),
            "country": word_array(["xx", "se"]),
            "day": word_array([None, "2031-05-05"]),
            "more": np.zeros(2),
        },
        "new.csv",
    )
    made = ready.more(new)
    assert made.shape == (2, len(ready.names))
    assert np.isfinite(made).all()
    at = [ready.names.index(name) for name in ("country=no", "country=se")]
    assert made[0, at].tolist() == [0.0, 0.0]  # a word never seen
    assert made[1, at[1]] > 0
    with pytest.raises(UnknownNameError, match=r"new.csv: There is no column 'amount'"):
        ready.more(new.without(["amount"]))


def test_cells_of_another_kind_are_refused_naming_row_and_column():
    ready = prepared(mixed())
    good = mixed().chosen(np.arange(2))
    for name, cell, words in [
        ("amount", "lots", "row 1 of column 'amount' holds 'lots', which is no number"),
        ("ok", "perhaps", "row 1 of column 'ok' holds 'perhaps', which is no yes or no"),
        ("day", "soon", "row 1 of column 'day' holds 'soon', which is no date"),
    ]:
        bad = good.with_columns({name: word_array([None, cell])})
        with pytest.raises(DataError, match=f"t.csv: {words}"):
            ready.more(bad)
    graphs = prepared(Table({"g": word_array(GRAPHS)}, "g"))
    with pytest.raises(DataError, match="row 0 of column 'g' holds 'x', which is no graph"):
        graphs.more(Table({"g": word_array(["x"])}, "g"))


@pytest.mark.parametrize(
    ("column", "written", "said"),
    [
        (texts(), "vector-space", "texts compared by vector-space"),
        (
            word_array(f"ACGTACGT{'ACGT'[i % 4]}{'ACGT'[i % 3]}" * 2 + "A" * i for i in range(N)),
            "normalized(spectrum)",
            "sequences compared by normalized(spectrum)",
        ),
        (
            word_array("CC(=O)O" + "C" * i for i in range(N)),
            "normalized(blended-spectrum(4))",
            "molecules compared by normalized(blended-spectrum(4))",
        ),
        (
            word_array(GRAPHS),
            "normalized(weisfeiler-lehman(3))",
            "graphs compared by normalized(weisfeiler-lehman(3))",
        ),
    ],
    ids=["texts", "sequences", "molecules", "graphs"],
)
def test_one_column_that_needs_a_kernel_gets_one_and_can_be_hunted_in(column, written, said):
    column[3] = None
    table = Table({"x": column}, "t")
    ready = prepared(table)
    assert format_kernel(ready.kernel) == written
    assert ready.description == said
    assert len(ready.records) == N
    hunt = Hunt(ready.records, kernel=ready.kernel, scale=ready.scale, strategy="random")
    assert 0 <= hunt.ask().row < N
    assert ready.more(table.chosen(np.arange(4))) == ready.records[:4]
    hunt.append(ready.more(table.chosen(np.arange(4))))
    assert hunt.n_records == N + 4


def test_long_texts_are_compared_by_topics():
    words = [f"w{i}" for i in range(300)]
    column = word_array(" ".join(RNG.choice(words, 40)) for _ in range(120))
    assert format_kernel(prepared(Table({"page": column}, "t")).kernel) == (
        "normalized(latent-semantic(50))"
    )


def test_parts_of_all_kinds_are_added_up():
    table = mixed().with_columns({"note": texts(), "structure": word_array(GRAPHS)})
    ready = prepared(table)
    written = format_kernel(ready.kernel)
    assert "on(note, vector-space) + on(structure, normalized(weisfeiler-lehman(3)))" in written
    assert written.endswith("*on(vectors, linear)")
    gram = ready.kernel(ready.records)
    assert gram.shape == (N, N)
    np.testing.assert_allclose(gram, gram.T)
    again = ready.kernel(ready.more(table.chosen(np.arange(3))), ready.records)
    np.testing.assert_allclose(again, gram[:3], rtol=1e-9, atol=1e-12)
    assert 0 <= Hunt(ready.records, kernel=ready.kernel, strategy="random").ask().row < N


def test_equal_rows_of_several_parts_are_one():
    table = mixed().with_columns({"note": texts()})
    rows = prepared(table).records
    twice = prepared(table.chosen(np.r_[np.arange(N), 0]))
    assert rows[0] == rows[0]
    assert rows[0] != rows[1]
    assert twice.records[0] == twice.records[N]
    assert len({*twice.records}) < N + 1
    assert list(rows[0]) == ["note", "vectors"]
    assert "note" in repr(rows[0])
    assert len(rows[0]) == 2


def test_a_kernel_on_vectors_gets_the_scaled_vectors():
    table = mixed()
    ready = prepared(table, kernel="gaussian(width=2)")
    np.testing.assert_array_equal(ready.records, prepared(table).records)
    assert ready.kernel.get_params() == Gaussian(width=2).get_params()
    assert ready.description.endswith("in gaussian(2)")


def test_a_kernel_on_strings_gets_the_column_of_strings():
    table = mixed().with_columns({"note": texts()})
    ready = prepared(table, kernel=Normalized(Spectrum(2)))
    assert ready.records == [str(cell) for cell in table.column("note")]
    assert set(ready.left_out) == {"id", "amount", "ok", "country", "day"}
    single = Table({"kind": word_array(["aab", "ab"] * 30), "n": np.arange(60.0)}, "t")
    assert prepared(single, kernel="spectrum(2)").records[:2] == ["aab", "ab"]


def test_a_kernel_on_columns_gets_their_parts():
    table = mixed().with_columns({"note": texts()})
    ready = prepared(
        table, kernel="on(note, spectrum(2)) + on(amount, gaussian) + on(id, spectrum)"
    )
    assert set(ready.left_out) == {"ok", "country", "day"}
    row = ready.records[0]
    assert row["note"] == table.column("note")[0]
    assert row["id"] == "A-0"
    assert abs(row["amount"]) < 1  # missing: the median, on the robust scale
    assert ready.kernel(ready.records).shape == (N, N)
    labels = np.array(["rare"] * 5 + ["other"] * (N - 5))
    model = Lago(kernel=ready.kernel, target="rare").fit(ready.records, labels)
    assert len(model.decision_function(ready.more(table.chosen(np.arange(7))))) == 7


def test_kernels_that_do_not_fit_are_refused():
    table = mixed().with_columns({"note": texts(), "other": texts()})
    with pytest.raises(DataError, match=r"t.csv: spectrum compares one column.*there are 2 \(note"):
        prepared(table, kernel="spectrum")
    with pytest.raises(DataError, match=r"there are 0 \(none\)"):
        prepared(Table({"a": np.arange(3.0)}, "t"), kernel="spectrum")
    with pytest.raises(UnknownNameError, match=r"There is no column 'nte'.*'note'"):
        prepared(table, kernel="on(nte, spectrum)")
    with pytest.raises(ParameterError, match="at character 1: there is no kernel 'spektrum'"):
        prepared(table, kernel="spektrum")
    with pytest.raises(DataError, match=r"t: there is nothing to compare records by.*\(code\)"):
        prepared(Table({"code": word_array(f"A{i}" for i in range(N))}, "t"))


def test_pictures_share_one_scale():
    columns = {f"p{i}": RNG.integers(0, 2 + 10 * (i == 5), N) * 1.0 for i in range(16)}
    ready = prepared(Table(columns, "t"))
    spread = ready.records.std(axis=0)
    assert spread.argmax() == 5
    assert spread[5] > 3 * spread[4]
    gaps = Table({**columns, "p3": np.full(N, np.nan)}, "t")
    assert np.isfinite(prepared(gaps).records).all()


def test_any_transformer_can_take_over():
    table = mixed().without(["id", "ok", "day"])
    table = table.with_columns({"amount": RNG.normal(size=N)})
    change = make_column_transformer(
        (StandardScaler(), ["amount"]), (OneHotEncoder(handle_unknown="ignore"), ["country"])
    )
    ready = prepared(table, transformer=change)
    assert ready.records.shape[0] == N
    assert ready.description == "compared by the vectors of ColumnTransformer"
    np.testing.assert_allclose(ready.more(table.chosen(np.arange(3))), ready.records[:3])
    assert ready.names[0].endswith("amount")
    words = prepared(Table({"note": texts()}, "t"), transformer=TfidfVectorizer())
    assert words.records.shape[0] == N
    with pytest.raises(DataError, match="must have fit and transform"):
        prepared(table, transformer=3)
    with pytest.raises(DataError, match=r"t.csv: StandardScaler cannot use the table"):
        prepared(table, transformer=StandardScaler())


def test_a_category_of_many_words_keeps_the_commonest():
    cells = [f"w{i % 150}" for i in range(3000)] + ["common"] * 100
    ready = prepared(Table({"c": word_array(cells)}, "t"))
    assert ready.records.shape == (3100, 100)
    assert "c=common" in ready.names
