"""Files as people have them: sheets, JSON arrays, arrays of numpy, several as one table."""

from __future__ import annotations

import zipfile
from datetime import date

import numpy as np
import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from rarefind.core.errors import DataError, ParameterError
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats import delimited
from rarefind.records.formats.by_ending import file_digest, read_table
from rarefind.records.formats.limits import Limits
from rarefind.records.read_as import ReadAs
from rarefind.records.several_names import found_files, is_there, joined_name

ROWS = [["amount", "city", "day"], ["$1,200.50", "Malmö", "2024-05-03"], ["$3", "Lund", None]]


def sheet(path, rows, empty=True):
    book = openpyxl.Workbook()
    page = book.active
    if empty:
        page = book.create_sheet("payments")
    for row in rows:
        page.append(row)
    book.save(path)
    return path


def test_a_spreadsheet_is_read_as_a_text_file_would_be(tmp_path):
    table = read_table(sheet(tmp_path / "t.xlsx", ROWS))
    assert table.column("amount").tolist() == [1200.5, 3.0]
    assert table.column("city").tolist() == ["Malmö", "Lund"]
    assert table.column("day").tolist() == ["2024-05-03", None]
    assert "from the sheet 'payments'" in detect_kinds(table)[0].why


def test_what_is_said_of_a_file_is_no_reason_to_leave_a_column_out(tmp_path):
    rows = [("nr", "size"), *((row, row * 7 % 31 + 0.5) for row in range(40))]
    number, size = detect_kinds(read_table(sheet(tmp_path / "t.xlsx", rows)))
    assert (number.kind, number.why) == ("id", "counts the rows")
    assert number.examples == ("0", "1", "2")
    assert size.why.endswith("from the sheet 'payments'")
    text = "\n".join(f"{row};{row * 7 % 31},5;Malmö" for row in range(40))
    files = [tmp_path / "may.csv", tmp_path / "june.csv"]
    for file in files:
        file.write_bytes(f"nr;size;town\n{text}\n".encode("latin-1"))
    recoded = ", read as windows-1252 text, since the file is no UTF-8"
    assert [recoded in kind.why for kind in detect_kinds(read_table(files[0]))] == [0, 1, 0]
    # Of two files under each other the numbers count twice: no rows, but a column compared.
    both = detect_kinds(read_table(tmp_path / "{may.csv,june.csv}"))
    assert [recoded in kind.why for kind in both] == [1, 0, 0]


def test_remarks_on_a_sheet_before_the_table_are_not_read(tmp_path):
    book = openpyxl.Workbook()
    for line in ("Notes", "Export of May", "do not edit"):
        book.active.append([line])
    book.save(tmp_path / "notes.xlsx")
    assert list(read_table(tmp_path / "notes.xlsx").columns) == ["Notes"]
    page = book.create_sheet("data")
    for row in [("shop", "size"), ("a", 1.5), ("b", 2)]:
        page.append(row)
    book.save(tmp_path / "t.xlsx")
    table = read_table(tmp_path / "t.xlsx")
    assert list(table.columns) == ["shop", "size"]
    assert "from the sheet 'data'" in table.writing.whole


def test_dates_and_numbers_of_sheets_have_their_kinds(tmp_path):
    import datetime as dt

    days = [dt.date(2024, 1, 1) + dt.timedelta(days=int(7 * place)) for place in range(30)]
    rows = [["size", "when", "ok"], *([place * 1.5, day, True] for place, day in enumerate(days))]
    kinds = detect_kinds(read_table(sheet(tmp_path / "t.xlsx", rows, empty=False)))
    assert [kind.kind for kind in kinds] == ["number", "date", "boolean"]


def test_a_sheet_without_names_and_files_that_are_none(tmp_path):
    path = sheet(tmp_path / "t.xlsx", [[1.5, 2], [3, 4]])
    assert read_table(path).column("column 1").tolist() == [1.5, 3.0]
    told = read_table(path, how=ReadAs(header=True))
    assert list(told.columns) == ["1.5", "2"]
    mixed = sheet(tmp_path / "m.xlsx", [[date(2024, 1, 8), "hats"], [date(2024, 1, 9), "shoes"]])
    assert read_table(mixed).column("column 2").tolist() == ["hats", "shoes"]
    broken = tmp_path / "b.xlsx"
    broken.write_bytes(b"no sheet at all")
    with pytest.raises(DataError, match=r"b.xlsx is not a readable spreadsheet"):
        read_table(broken)
    with pytest.raises(DataError, match=r"e.xlsx: no sheet of the file holds anything"):
        read_table(sheet(tmp_path / "e.xlsx", []))
    with pytest.raises(DataError, match=r"has more than 1 rows.*Limits\(rows="):
        read_table(path, Limits(rows=1))


def test_a_zip_that_grows_is_refused(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * 2**25)
    with pytest.raises(DataError, match="grows to more than 100 times its size"):
        read_table(path)
    with pytest.raises(DataError, match=r"bomb.xlsx: the file holds more than"):
        read_table(path, Limits(bytes=2**20, ratio=1e9))


def test_arrays_of_numpy_are_tables(tmp_path):
    rng = np.random.default_rng(0)
    np.save(tmp_path / "a.npy", rng.normal(size=(30, 3)))
    table = read_table(tmp_path / "a.npy")
    assert [kind.kind for kind in detect_kinds(table)] == ["number"] * 3
    np.save(tmp_path / "wide.npy", rng.normal(size=(30, 384)).astype(np.float32))
    (kind,) = detect_kinds(read_table(tmp_path / "wide.npy"))
    assert (kind.name, kind.kind) == ("vector", "vector")
    np.save(tmp_path / "dots.npy", rng.integers(0, 16, size=(30, 8, 8)))
    (kind,) = detect_kinds(read_table(tmp_path / "dots.npy"))
    assert (kind.kind, kind.shape) == ("picture", (8, 8))
    words = np.array(["a", "b", ""] * 10)
    np.savez(
        tmp_path / "t.npz", e=rng.normal(size=(30, 200)), kind=words, size=np.arange(30.0) ** 2
    )
    kinds = {kind.name: kind.kind for kind in detect_kinds(read_table(tmp_path / "t.npz"))}
    assert kinds == {"e": "vector", "kind": "category", "size": "number"}


def test_arrays_that_are_no_table_are_refused(tmp_path):
    np.save(tmp_path / "o.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(DataError, match=r"o.npy is no array of numbers or words that can be read"):
        read_table(tmp_path / "o.npy")
    np.savez(tmp_path / "t.npz", a=np.zeros(3), b=np.zeros(4))
    with pytest.raises(DataError, match=r"a row for each record. Got a 3, b 4"):
        read_table(tmp_path / "t.npz")
    np.save(tmp_path / "c.npy", np.zeros(3, dtype=complex))
    with pytest.raises(DataError, match=r"holds complex128. Numbers, dates or words are needed"):
        read_table(tmp_path / "c.npy")
    np.save(tmp_path / "e.npy", np.zeros((0, 3)))
    with pytest.raises(DataError, match="has no rows"):
        read_table(tmp_path / "e.npy")
    (tmp_path / "z.npz").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(DataError, match=r"z.npz"):
        read_table(tmp_path / "z.npz")


def test_several_files_are_one_table_read_together(tmp_path):
    (tmp_path / "a.csv").write_text("price;city\n1.234;Lund\n")
    (tmp_path / "b.csv").write_text("city;price\nMalmö;2,50\n", encoding="utf-8")
    whole = joined_name([tmp_path / "a.csv", tmp_path / "b.csv"])
    for path in (whole, tmp_path / "*.csv", tmp_path):
        assert is_there(path)
        table = read_table(path)
        assert table.column("price").tolist() == [1234.0, 2.5]
        assert table.column("city").tolist() == ["Lund", "Malmö"]
        assert table.to_write()["price"] == ["1.234", "2,50"]
        assert file_digest(path) == file_digest(tmp_path)
    (tmp_path / "b.csv").write_text("city;cost\nMalmö;2,50\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"b.csv and a.csv .* differ in the column 'cost'"):
        read_table(whole)


def test_parquet_and_json_lines_join_too_and_what_is_gone_is_said(tmp_path):
    for place, name in enumerate("ab"):
        cells = {"size": [1.5 + place, 2.0], "spot": [[1.0, 2.0], [3.0, 4.0]]}
        parquet.write_table(pa.table(cells), tmp_path / f"{name}.parquet")
    table = read_table(tmp_path)
    assert table.column("size").tolist() == [1.5, 2.0, 2.5, 2.0]
    assert detect_kinds(table)[1].kind == "vector"
    assert found_files(tmp_path / "c*.csv") == []
    for path in (tmp_path / "c*.csv", joined_name([tmp_path / "a.csv", tmp_path / "b.csv"])):
        assert not is_there(path)
        with pytest.raises(DataError, match="There is no file"):
            read_table(path)
    with pytest.raises(DataError, match="if they lie in one folder"):
        joined_name([tmp_path / "a.csv", tmp_path / "x" / "b.csv"])


@pytest.mark.parametrize("large", [1, 2**30])
def test_what_is_said_of_a_text_file_is_heeded(tmp_path, monkeypatch, large):
    monkeypatch.setattr(delimited, "LARGE", large)
    path = tmp_path / "t.csv"
    path.write_bytes("a:b\nåsa:-999\nbo:2.5\n".encode("latin-1"))
    how = ReadAs(delimiter=":", encoding="latin-1", missing=("-999", "BO"))
    table = read_table(path, how=how)
    assert table.column("a").tolist() == ["åsa", None]
    np.testing.assert_array_equal(table.column("b"), [np.nan, 2.5])
    named = read_table(path, how=ReadAs(delimiter=":", header=False))
    assert named.column("column 1").tolist() == ["a", "åsa", "bo"]
    path.write_text("1,2\n3.5,4\n")
    assert list(read_table(path, how=ReadAs(header=True)).columns) == ["1", "2"]


@pytest.mark.parametrize("large", [1, 2**30])
def test_text_that_is_no_utf_8_is_read_as_windows_writes_it_and_said(tmp_path, monkeypatch, large):
    monkeypatch.setattr(delimited, "LARGE", large)
    path = tmp_path / "t.csv"
    path.write_bytes("name,price\nÅsa,€3\nBo,€4.50\n".encode("windows-1252"))
    table = read_table(path)
    assert table.column("name").tolist() == ["Åsa", "Bo"]
    assert table.column("price").tolist() == [3.0, 4.5]
    why = detect_kinds(table)[0].why
    assert why.endswith("read as windows-1252 text, since the file is no UTF-8")
    path.write_bytes("名,値\n東京,1\n".encode("shift-jis"))
    assert read_table(path, how=ReadAs(encoding="shift-jis")).column("名").tolist() == ["東京"]


def test_what_cannot_be_said_is_refused(tmp_path):
    with pytest.raises(ParameterError, match=r"must be one character, or the word tab. Got '::'"):
        ReadAs(delimiter="::").check()
    with pytest.raises(ParameterError, match="There is no encoding 'latin-x'"):
        ReadAs(encoding="latin-x").check()
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n')
    with pytest.raises(DataError, match=r"said of .csv and .tsv files only, and"):
        read_table(path, how=ReadAs(delimiter=","))
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xff\xfea")
    with pytest.raises(DataError, match=r"is not all utf-16 text. Say its encoding"):
        read_table(path)


def test_words_for_gaps_hold_in_every_file(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": "-999", "b": "x", "c": -999}\n{"a": "3", "b": "no", "c": 7}\n')
    table = read_table(path, how=ReadAs(missing=("-999", "x")))
    np.testing.assert_array_equal(table.column("a"), [np.nan, 3.0])
    assert table.column("b").tolist() == [None, "no"]
    np.testing.assert_array_equal(table.column("c"), [np.nan, 7.0])


@pytest.mark.parametrize("large", [1, 2**30])
def test_a_number_for_gaps_is_found_however_it_is_written(tmp_path, monkeypatch, large):
    monkeypatch.setattr(delimited, "LARGE", large)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n-999.0,x\n2.5,-999\n-9.99e2,-999 m\n")
    table = read_table(path, how=ReadAs(missing=("-999",)))
    np.testing.assert_array_equal(table.column("a"), [np.nan, 2.5, np.nan])
    assert table.column("b").tolist() == ["x", None, "-999 m"]
    assert "stand for a gap" not in detect_kinds(table)[0].why


@pytest.mark.parametrize("large", [1, 2**30])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "npy", "parquet", "xlsx", "folder"])
def test_a_word_for_gaps_that_is_nowhere_is_said(tmp_path, monkeypatch, ending, large):
    monkeypatch.setattr(delimited, "LARGE", large)
    path = tmp_path / f"t.{ending}"
    numbers = np.array([[1.5, 2.0], [-999.0, 3.0]])
    if ending == "folder":
        path.mkdir()
        (path / "one.csv").write_text("a,b\n1.5,2\n")
        (path / "two.csv").write_text("a,b\n-999.0,3\n")
    elif ending == "npy":
        np.save(path, numbers)
    elif ending == "xlsx":
        sheet(path, [["a", "b"], *numbers.tolist()])
    elif ending == "parquet":
        parquet.write_table(pa.table(dict(zip("ab", numbers.T, strict=True))), path)
    else:
        csv, lines = "a,b\n1.5,2\n-999.0,3\n", '{"a": 1.5, "b": 2}\n{"a": -999.0, "b": 3}\n'
        path.write_text(csv if ending == "csv" else lines)
    table = read_table(path, how=ReadAs(missing=("-999", "-1", "Gone")))
    whys = [kind.why for kind in detect_kinds(table)]
    assert whys[0].endswith("no cell is '-1' or 'gone', said to stand for a gap")
    assert "stand for a gap" not in "".join(whys[1:])
    assert np.isnan(next(iter(table.columns.values()))[1])
    found = read_table(path, how=ReadAs(missing=("-999",)))
    assert "stand for a gap" not in detect_kinds(found)[0].why


def test_a_sheet_as_people_lay_it_out(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["B2"] = "Payments of May"
    for place, name in enumerate(("region", "amount", "weight")):
        sheet.cell(4, 2 + place, name)
    sheet["C5"], sheet["D5"] = "(EUR)", "kg"
    for row in range(30):
        sheet.cell(6 + row, 3, row + 0.5)
        sheet.cell(6 + row, 4, row * 7 % 30)
        if row % 10 == 0:
            sheet.cell(6 + row, 2, f"part {row // 10}")
            sheet.merge_cells(start_row=6 + row, end_row=15 + row, start_column=2, end_column=2)
    sheet["B37"], sheet["C37"] = "Total", 450
    path = tmp_path / "t.xlsx"
    book.save(path)
    table = read_table(path)
    assert list(table.columns) == ["region", "amount", "weight"]
    assert table.n_rows == 30
    assert table.words("region") == [f"part {row // 10}" for row in range(30)]
    assert [kind.kind for kind in detect_kinds(table)] == ["category", "number", "number"]
    assert table.writing.whole == (
        "without 1 line above the header",
        "the last row ('Total') left out, as it sums up the others",
        "without the line of units below the header",
    )
