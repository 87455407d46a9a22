"""Numbers, dates and gaps as people write them."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import DataError
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.columns.values import dates_of, numbers_of
from rarefind.records.formats import delimited
from rarefind.records.formats.by_ending import read_table
from rarefind.records.table import Table, word_array
from tests.records.ways_of_writing import DATES, GAPS, NUMBERS


def read(tmp_path, columns, name="t.tsv"):
    path = tmp_path / name
    lines = ["\t".join(columns), *("\t".join(row) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_table(path)


@pytest.mark.parametrize("large", [1, 2**30])
@pytest.mark.parametrize("way", NUMBERS)
def test_a_number_is_read_however_it_is_written(tmp_path, monkeypatch, way, large):
    monkeypatch.setattr(delimited, "LARGE", large)
    cells, numbers = NUMBERS[way]
    table = read(tmp_path, {"x": cells, "ok": ["a", "b", "a"]})
    kind = detect_kinds(table)[0]
    assert kind.kind == "number", kind
    np.testing.assert_allclose(table.column("x"), numbers, rtol=1e-12)
    assert table.to_write()["x"][0] == cells[0] or large == 1  # written again as it was


@pytest.mark.parametrize("way", DATES)
def test_a_date_is_read_however_it_is_written(tmp_path, way):
    table = read(tmp_path, {"when": DATES[way], "ok": ["a", "b", "a"]})
    assert detect_kinds(table)[0].kind == "date"
    np.testing.assert_array_equal(
        dates_of(table, "when"), [1614729600.0, 1618358400.0, 1606780800.0]
    )


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["Yes", "no", "Y", "TRUE", "0", "f"], "boolean"),
        (["ja", "nein", "ja", "Nein", "JA", "nein"], "boolean"),
        (["Q3 2021", "Q4 2021", "2022-Q1", "2022 Q2", "Q3/2022", "Q4-2022"], "date"),
        (["2021-W09", "2021-W10", "2021W11", "2021-W12-3", "2021-W13", "2021-W14"], "date"),
        (["03/2021", "04/2021", "12/2021", "1.2022", "02-2022", "3/2022"], "date"),
        (["23/12/2024", "12/23/2024", "24/12/2024", "1/2/2024", "2/3/2024", "9/9/2024"], "date"),
    ],
)
def test_columns_of_words_are_what_they_say(tmp_path, cells, kind):
    assert detect_kinds(read(tmp_path, {"x": cells, "ok": ["a", "b"] * 3}))[0].kind == kind


@pytest.mark.parametrize(
    ("write", "kind"),
    [
        (lambda i: f"{100 + i * 7 % 80}/{60 + i * 3 % 41}", "vector"),
        (lambda i: f"{i % 9 + 1} x {i % 7 + 3} x {i % 11 + 2}", "vector"),
        (lambda i: f"{i}-{i + i % 7 + 1}", "vector"),
        (lambda i: f"+46 70 {100 + i * 7} {10 + i} {99 - i}", "id"),
        (lambda i: f"DE{10 + i} {9999 - i * 13} {1000 + i * 17} {2000 + i * 31}", "id"),
        (lambda i: f"{i * 1571 % 10000:05d}", "id"),
        (lambda i: f"{10000 + i * 1571}-{i * 377 % 10000:04d}", "id"),
    ],
)
def test_what_varies_like_a_measurement_is_kept_and_what_only_tells_apart_is_not(
    tmp_path, write, kind
):
    cells = [write(i) for i in range(60)]
    table = read(tmp_path, {"x": cells, "y": ["a", "b", "c"] * 20})
    assert detect_kinds(table)[0].kind == kind


def test_both_orders_of_day_and_month_are_read_and_said(tmp_path):
    days = ["23/12/2024", "24/12/2024", "12/23/2024", "01/02/2024"] * 5
    kind = detect_kinds(read(tmp_path, {"day": days, "x": ["a", "b"] * 10}))[0]
    assert kind.kind == "date"
    assert "the day first, but the month in 1 that fits no other way" in kind.why


@pytest.mark.parametrize("large", [1, 2**30])
def test_words_for_gaps_and_slips_are_missing_and_said(tmp_path, monkeypatch, large):
    monkeypatch.setattr(delimited, "LARGE", large)
    rng = np.random.default_rng(0)
    amounts = [f"${number:,.2f}" for number in rng.lognormal(6, 2, 400)]
    days = [f"{day} March 2021" for day in rng.integers(1, 32, 400)]
    for place, gap in enumerate(GAPS):
        amounts[20 * place + 3] = gap
        days[20 * place + 5] = gap
    amounts[7], amounts[9] = "see note", "12..5"
    table = read(tmp_path, {"amount": amounts, "day": days})
    amount, day = detect_kinds(table)
    assert (amount.kind, amount.missing) == ("number", len(GAPS) + 2)
    assert "2 unreadable cells taken for missing: 'see note', '12..5'" in amount.why
    assert "15 cells taken for missing: '-', '--', '—' and 12 others" in amount.why
    assert (day.kind, day.missing) == ("date", len(GAPS))


@pytest.mark.parametrize(
    "cells",
    [
        ["A123", "A124", "B-77"],  # codes
        ["0017", "0018", "$19"],
        ["4111 1111 1111 1111", "4222 2222 2222 2222", "1"],
        ["12 kg", "3 km", "7 °C"],  # units that do not go together
        ["10-20", "20-30", "30-40"],
        ["1.2.3", "1.2.4", "1.3.0"],
        ["(5", "6)", "7"],
        ["--5", "+-3", "1"],
        ["12ab", "13ab", "14ab"],
        ["1", "2", "fraud"],  # names of classes
    ],
)
def test_what_is_no_number_stays_a_word(tmp_path, cells):
    table = read(tmp_path, {"x": cells, "ok": ["a", "b", "a"]})
    assert table.column("x").tolist() == cells


def test_a_kind_can_be_forced(tmp_path):
    cells = ["12 kg", "oops", "15 kg", "never", "17 kg"]
    table = Table({"weight": word_array(cells)}, "t")
    (kind,) = detect_kinds(table, {"weight": "number"})
    assert kind.why == "as you said, in g, 2 unreadable cells taken for missing: 'oops', 'never'"
    np.testing.assert_array_equal(
        numbers_of(table, "weight"), [12000, np.nan, 15000, np.nan, 17000]
    )


def test_columns_that_only_count_are_left_out(tmp_path):
    rng = np.random.default_rng(0)
    rows = 40
    path = tmp_path / "t.csv"
    amounts = [f"{value:.2f}" for value in rng.normal(size=rows)]
    path.write_text(
        ",amount,__index_level_0__,number\n"
        + "".join(f"{row},{amounts[row]},{900 - 7 * row},{row + 1001}\n" for row in range(rows))
    )
    kinds = {kind.name: kind.kind for kind in detect_kinds(read_table(path))}
    assert kinds == {"index": "id", "amount": "number", "__index_level_0__": "id", "number": "id"}


@pytest.mark.parametrize("large", [1, 2**30])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encodings_and_delimiters_are_noticed(tmp_path, monkeypatch, encoding, delimiter, large):
    monkeypatch.setattr(delimited, "LARGE", large)
    path = tmp_path / "t.csv"
    rows = [["name", "size"], ["Åsa 漢 🙂", "1.5"], ["Bo", "2"]]
    path.write_bytes("\n".join(delimiter.join(row) for row in rows).encode(encoding))
    table = read_table(path)
    assert table.column("name").tolist() == ["Åsa 漢 🙂", "Bo"]
    assert table.column("size").tolist() == [1.5, 2.0]


def test_utf_16_that_breaks_off_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\n1,2\n".encode("utf-16")[:-1])
    with pytest.raises(DataError, match=r"t.csv: the file is not all utf-16 text. Say its"):
        read_table(path)


@pytest.mark.parametrize("large", [1, 2**30])
def test_a_file_without_a_header_is_noticed(tmp_path, monkeypatch, large):
    monkeypatch.setattr(delimited, "LARGE", large)
    path = tmp_path / "t.csv"
    path.write_text("0.5,3\n0.75,4\n-1,5\n")
    table = read_table(path)
    assert table.column("column 1").tolist() == [0.5, 0.75, -1.0]
    assert table.column("column 2").tolist() == [3.0, 4.0, 5.0]
    assert detect_kinds(table)[0].why.endswith("without a header line: names are made up")
    path.write_text("0,1,2\n0.5,3,1\n0.75,4,1\n")  # as pandas names columns without names
    assert list(read_table(path).columns) == ["0", "1", "2"]
    path.write_text("name,2019,2020\nx,3,1\n")
    assert list(read_table(path).columns) == ["name", "2019", "2020"]


HEADLESS = {
    "payments": "0,8 January 2024,07:21,$31.27,clothing\n1,9 January 2024,17:02,$5.10,food\n",
    "flowers": "5.1,3.5,1.4,0.2,setosa\n4.9,3.0,1.4,0.2,setosa\n",
    "people": "39,State-gov,77516,Male\n50,Private,83311,Female\n",
    "counted": "1,red\n2,blue\n3,red\n",
    "born": "Anna,1987\nBo,1990\nCai,2001\n",
    "days": "2024-01-31\n2024-02-01\n",
    "one gap": "7 May 2024,unknown,hats\n8 May 2024,3,shoes\n9 May 2024,4,hats\n",
    "thousands": 'Anna,"1,234.50"\nBo,999.00\n',
    "a long cell": 'x,7 May 2024\ny,8 May 2024\n"z' + " and on" * 9 + '",9 May 2024\n',
    "same twice": "red,red,small\nblue,red,large\nred,blue,small\n",
}

HEADED = {
    "words": "day,amount\n8 May 2024,$3\n",
    "a word above numbers": "7 May 2024,size\n8 May 2024,3\n9 May 2024,4\n",
    "index of pandas": ",7 May 2024,2024\n0,8 May 2024,3\n1,9 May 2024,4\n",
    "years": "name,2019,2020\nx,3,1\ny,2,8\n",
    "counted by pandas": "name,0,1\nx,3.5,1\ny,2.5,8\n",
    "one counted": "name,0\nx,3.5\ny,2.5\n",
    "pictures": "kind,1x1,1x2\nx,3,1\n",
    "cells": "p0,p1,kind\n3,1,x\n",
    "up to 63": ",".join(map(str, range(64))) + "\n" + ",".join("5" * 64) + "\n",
    "wavelengths": "sample,400.5,401,401.5\nx,0.1,0.7,0.3\n",
    "shares": "name,5%,95%\nx,1.2,3.3\n",
    "months": "name,2024-01,2024-02\nx,12,33\n",
    "lengths above times": "name,100 m,400 m\nx,10.8 s,48 s\n",
    "no cell alike": "name,note\nx,good\n",
}


@pytest.mark.parametrize("large", [1, 2**30])
@pytest.mark.parametrize("text", HEADLESS.values(), ids=HEADLESS)
def test_a_first_line_like_those_below_is_a_record(tmp_path, monkeypatch, large, text):
    monkeypatch.setattr(delimited, "LARGE", large)
    path = tmp_path / "t.csv"
    path.write_text(text)
    table = read_table(path)
    assert next(iter(table.columns)) == "column 1"
    assert table.n_rows == text.count("\n")
    assert "without a header line: names are made up" in detect_kinds(table)[0].why


@pytest.mark.parametrize("large", [1, 2**30])
@pytest.mark.parametrize("text", HEADED.values(), ids=HEADED)
def test_names_that_look_like_cells_stay_names(tmp_path, monkeypatch, large, text):
    monkeypatch.setattr(delimited, "LARGE", large)
    path = tmp_path / "t.csv"
    path.write_text(text)
    table = read_table(path)
    names = text.splitlines()[0].split(",")
    assert list(table.columns) == [name or "index" for name in names]
    assert table.n_rows == text.count("\n") - 1


@pytest.mark.parametrize("large", [1, 2**30])
def test_one_file_of_all_these_ways_is_a_table_of_the_expected_kinds(tmp_path, monkeypatch, large):
    """Sixty and more ways side by side: what one column decides does not mislead another."""
    monkeypatch.setattr(delimited, "LARGE", large)
    ways = {**{way: cells for way, (cells, _) in NUMBERS.items()}, **DATES}
    assert len(ways) + len(GAPS) >= 60
    rng = np.random.default_rng(0)
    rows = 6 * len(GAPS)
    repeated = {way: [cells[row % 3] for row in range(rows)] for way, cells in ways.items()}
    gappy = [f"${number:,.2f}" for number in rng.lognormal(6, 2, rows)]
    gappy[::6] = GAPS
    table = read(tmp_path, {**repeated, "with gaps": gappy, "words": ["a", "b"] * (rows // 2)})
    kinds = {kind.name: kind for kind in detect_kinds(table)}
    assert {way for way in NUMBERS if kinds[way].kind != "number"} == set()
    assert {way for way in DATES if kinds[way].kind != "date"} == set()
    for way, (_, numbers) in NUMBERS.items():
        np.testing.assert_allclose(table.column(way)[:3], numbers, rtol=1e-12, err_msg=way)
    assert (kinds["with gaps"].kind, kinds["with gaps"].missing) == ("number", len(GAPS))
    assert kinds["words"].kind == "category"
