from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import DataError, UnknownNameError
from rarefind.records.formats.by_ending import read_table, write_table
from rarefind.records.table import Table


def written(tmp_path, text, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_numbers_words_and_missing_cells_are_told_apart(tmp_path):
    table = read_table(written(tmp_path, "\ufeffa,b,c\n1,x,\n,y z,?\n2.5e1,NA,3\n"))
    np.testing.assert_array_equal(table.column("a"), [1.0, np.nan, 25.0])
    assert table.column("b").tolist() == ["x", "y z", None]
    np.testing.assert_array_equal(table.column("c"), [np.nan, np.nan, 3.0])
    assert table.words("a") == ["1", None, "25"]
    assert table.n_rows == 3


def test_identifiers_are_words_and_semicolons_separate_too(tmp_path):
    table = read_table(written(tmp_path, "id;n\n0017;1\n0018;2.5\n"))
    assert table.column("id").tolist() == ["0017", "0018"]
    assert table.column("n").tolist() == [1.0, 2.5]
    table = read_table(written(tmp_path, "id,n\n12345678901234567,0\n12345678901234568,-1\n"))
    assert table.column("id").tolist() == ["12345678901234567", "12345678901234568"]
    assert table.column("n").tolist() == [0.0, -1.0]


def test_quoted_cells_may_hold_delimiters_and_line_breaks(tmp_path):
    table = read_table(written(tmp_path, 'a\tb\n1\t"x\ty\nz"\n', "t.tsv"))
    assert table.column("b").tolist() == ["x\ty\nz"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "t.csv: the file is empty. Expected a header line"),
        ("\n\n", "the file is empty"),
        (",\n1,2\n", "column 1 of the header has no name"),
        ("\n1\n", "the file is empty"),
        ("a,b\n", "a header but no rows"),
        ("a,b\n1,2\n1,2,3\n", r"t.csv: line 3 has 3 cells where the header has 2"),
        ("a,a\n1,2\n", "columns 1 and 2 of the header are both called 'a'"),
        (b"a,b\n1,\x81\n", "the file is not all windows-1252 text"),
        (b"PK\x03\x04 a sheet", "a spreadsheet or a zip archive under another name"),
        ('a,b\n1,"x\n', "line 2 cannot be read"),
    ],
)
def test_a_broken_file_is_refused_naming_the_place(tmp_path, text, words):
    with pytest.raises(DataError, match=words):
        read_table(written(tmp_path, text))


def test_files_that_are_not_there_or_not_known_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"There is no file .*missing\.csv"):
        read_table(tmp_path / "missing.csv")
    with pytest.raises(DataError, match=r"files ending in '.docx' are not known.*\.csv"):
        read_table(written(tmp_path, "x", "a.docx"))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="is a folder"):
        read_table(tmp_path / "folder.csv")
    with pytest.raises(DataError, match="not a readable Parquet file"):
        read_table(written(tmp_path, "not parquet", "a.parquet"))
    with pytest.raises(DataError, match="cannot be written"):
        write_table(Table({"a": np.array([1.0])}, "a"), tmp_path / "no folder" / "a.csv")


def test_an_unknown_column_lists_the_nearest(tmp_path):
    table = read_table(written(tmp_path, "amount,hour\n1,2\n"))
    with pytest.raises(UnknownNameError, match=r"t.csv: There is no column 'amuont'.*'amount'"):
        table.column("amuont")


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet"])
def test_what_is_written_is_read_again(tmp_path, ending):
    # Words that look like numbers or missing values are outside what CSV can tell apart.
    cells = st.one_of(st.none(), st.text("abc ,\t\"'é漢", min_size=1).map(lambda s: f"w{s}w"))

    @given(st.lists(st.tuples(st.floats(-1e9, 1e9) | st.just(np.nan), cells), min_size=1))
    def check(rows):
        numbers = np.array([number for number, _ in rows])
        words = np.array([word for _, word in rows], dtype=object)
        path = tmp_path / f"t{ending}"
        write_table(Table({"n": numbers, "w": words}, "t"), path)
        again = read_table(path)
        np.testing.assert_array_equal(again.column("n"), numbers)
        if any(word is not None for word in words):
            assert again.column("w").tolist() == words.tolist()

    check()
