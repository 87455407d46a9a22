from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.features.cells.number_marks import COMMAS, POINTS
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats import delimited as csv_files
from rarefind.records.formats.by_ending import read_table, write_table

EUROPEAN = """Betrag;Menge;Maß (m, genau);Ort
3,14;1.234;1,250;Köln
-1.234,50;950;2,500;Århus
;12.000;3;Köln
"""


def read(tmp_path, text, name="t.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_table(path)


@pytest.mark.parametrize("large", [1, 2**30])
def test_decimal_commas_and_points_between_thousands_are_numbers(tmp_path, monkeypatch, large):
    monkeypatch.setattr(csv_files, "LARGE", large)
    table = read(tmp_path, EUROPEAN)
    np.testing.assert_array_equal(table.column("Betrag"), [3.14, -1234.5, np.nan])
    assert table.column("Menge").tolist() == [1234.0, 950.0, 12000.0]
    assert table.column("Maß (m, genau)").tolist() == [1.25, 2.5, 3.0]
    assert [kind.why for kind in detect_kinds(table)[:2]] == [
        "numbers from -1234.5 to 3.14, with decimal commas",
        "numbers from 950 to 12000, with points between thousands, as other columns have decimal "
        "commas",
    ]


def test_what_came_with_semicolons_and_commas_goes_out_so_and_comes_back(tmp_path):
    table = read(tmp_path, EUROPEAN)
    scored = table.with_columns({"score": np.array([0.5, 1.234, np.nan])})
    write_table(scored, tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:3] == [
        "Betrag;Menge;Maß (m, genau);Ort;score",
        "3,14;1.234;1,250;Köln;0,5",
        "-1.234,50;950;2,500;Århus;1,234",
    ]
    again = read_table(tmp_path / "out.csv")
    for name, column in scored.columns.items():
        np.testing.assert_array_equal(again.column(name), column)
    assert [kind.kind for kind in detect_kinds(again)] == [
        kind.kind for kind in detect_kinds(scored)
    ]


def test_between_commas_the_file_tells_what_a_comma_means(tmp_path):
    table = read(tmp_path, 'a\n"3,14"\n"2,5"\n')
    assert table.column("a").tolist() == [3.14, 2.5]
    table = read(tmp_path, 'a,b\n"1,234","1,234.50"\n"12,000",7\n')
    assert table.column("a").tolist() == [1234.0, 12000.0]
    assert table.column("b").tolist() == [1234.5, 7.0]
    table = read(tmp_path, 'a\n"1,234"\n"12,000"\n')
    assert table.column("a").tolist() == [1234.0, 12000.0]
    assert detect_kinds(table)[0].why.endswith("with commas between thousands")


def test_points_stay_decimals_where_no_column_has_commas(tmp_path):
    table = read(tmp_path, "a;b\n1.234;x\n12.000;y\n")
    assert table.column("a").tolist() == [1.234, 12.0]
    table = read(tmp_path, "a;b\n1.5;3,2\n12.000;4,1\n")
    assert table.column("a").tolist() == [1.5, 12.0]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["1,5", "2,5", "3,5", "4", "5", "k. A."], "nearly all numbers, but not 'k. A.'"),
        (["1,5", "2.5", "3,5", "4", "5"], "some with decimal commas and some with points"),
        (["0017", "0018", "0019", "0020", "0021"], ""),
        (["1,5", "x", "y", "z", "w"], ""),
    ],
)
def test_words_among_numbers_are_named(tmp_path, cells, words):
    table = read(tmp_path, "n;a\n" + "".join(f"1;{cell}\n" for cell in cells))
    assert table.column("a").tolist() == cells
    why = detect_kinds(table)[1].why
    assert words in why
    assert words or "numbers" not in why


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
def test_a_number_written_either_way_is_read_back(whole, places):
    number = whole / 10**places
    written = f"{number:,.{places}f}"
    assert POINTS.read(written) == number
    assert COMMAS.read(written.translate(str.maketrans(",.", ".,"))) == number


@pytest.mark.parametrize(
    "word",
    ["", ",", "1,", ",5", "1,2,3", "1.23", "12.34.567", "0.123", "01,5", "1,5x", "²,5"],
)
def test_what_is_no_number_with_commas_stays_a_word(word):
    assert COMMAS.read(word) is None
