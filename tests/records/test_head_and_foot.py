"""Files with more than a header and records: remarks, units, sums, empty rows, other marks."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats import delimited
from rarefind.records.formats.by_ending import read_table

BODY = "".join(f"{i}.25,{i * 7 % 50},{'se' if i % 3 else 'no'}\n" for i in range(40))
PLAIN = f"amount,fee,country\n{BODY}"


@pytest.fixture(params=[1, 2**30], ids=["by Arrow", "row by row"], autouse=True)
def reader(request, monkeypatch):
    monkeypatch.setattr(delimited, "LARGE", request.param)


def read(tmp_path, content, name="t.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(content.encode(encoding))
    return read_table(path)


def assert_plain(table):
    assert list(table.columns) == ["amount", "fee", "country"]
    assert table.n_rows == 40
    np.testing.assert_array_equal(table.column("amount"), np.arange(40) + 0.25)
    assert [kind.kind for kind in detect_kinds(table)] == ["number", "number", "category"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"Payments of May\nmade on 2024-06-01\n\n{PLAIN}", "without 3 lines above the header"),
        (f"# by a program\n{PLAIN}", "without 1 line above the header"),
        (f"Money,,Place\n{PLAIN}", "without 1 line above the header"),
        (f'"Payments,\nof May",,\n{PLAIN}', "without 2 lines above the header"),
        (
            PLAIN.replace("country\n", "country\n(EUR),(EUR),\n", 1),
            "without the line of units below the header",
        ),
        (
            PLAIN + "Total,812,\n",
            "the last row ('Total') left out, as it sums up the others",
        ),
        (
            PLAIN + ",,\n,,\n",
            "2 empty rows at the end left out",
        ),
        (
            PLAIN + "Summe:,812,\n,,\n",
            "the last row ('Summe') left out, as it sums up the others, and 1 empty row below",
        ),
        (
            PLAIN + "Total,,\n",
            "the last row ('Total') left out, as it sums up the others",
        ),
        ("sep=;\n" + PLAIN.replace(",", ";"), ""),
        (PLAIN.replace("\n", ",\n"), ""),
        (PLAIN.replace("\n", "\r\n") + "\x00", ""),
        (PLAIN.replace("\n", "\r\n") + "\x1a", ""),
    ],
)
def test_what_is_no_record_is_left_out_and_said(tmp_path, content, said):
    table = read(tmp_path, content)
    assert_plain(table)
    assert table.writing.whole == ((said,) if said else ())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_letters_of_two_and_four_bytes_are_noticed(tmp_path, encoding):
    assert_plain(read(tmp_path, PLAIN.replace("\n", "\r\n"), encoding=encoding))


def test_records_are_not_taken_for_remarks(tmp_path):
    words = "name,town\n" + "".join(f"ann{i},oslo\n" for i in range(9))
    assert read(tmp_path, words).n_rows == 9
    index = ",amount,country\n" + "".join(f"{i},{i}.5,se\n" for i in range(9))
    assert list(read(tmp_path, index).columns) == ["index", "amount", "country"]
    gaps = "kind,amount\n" + "".join(f"Total,{i}\n" for i in range(30))
    assert read(tmp_path, gaps).n_rows == 30  # a word that returns is one of the data
    kinds = "kind,town\nsize,oslo\ntotal,rome\n"
    assert read(tmp_path, kinds).n_rows == 2  # beside words it sums up nothing
    assert read(tmp_path, "a,b\n1,2\n,\n").n_rows == 2  # two gaps may be a record
    assert read(tmp_path, "a,b,c\n1,2,3\n,,\n").n_rows == 1


def test_a_column_without_a_name_gets_one(tmp_path):
    table = read(tmp_path, "a,,b\n" + "1.5,2.5,x\n3.5,1.5,y\n" * 9)
    assert list(table.columns) == ["a", "column 2", "b"]


def test_a_mistake_is_told_with_its_line_below_remarks(tmp_path):
    with pytest.raises(Exception, match=r"line 43 has 2 cells"):
        read(tmp_path, f"Payments\n{PLAIN}1,2\n")
