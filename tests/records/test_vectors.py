"""Lists of numbers in a column are vectors, in every file and table."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from rarefind.core.errors import DataError
from rarefind.features import TableFeatures
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.columns.vectors import vectors_of
from rarefind.records.formats.by_ending import read_table, write_table
from rarefind.records.frames import read_frame
from rarefind.records.preparing.recipe import prepare
from rarefind.records.table import Table, word_array

ROWS = [[1.5, -2.0, 3.0], None, [0.25, 1e-3, 7.0], [4.0, 5.0, 6.0]]


def written(tmp_path, ending):
    path = tmp_path / f"t{ending}"
    cells = {"size": [1.0, 2.0, 3.0, 9.0], "spot": ROWS}
    if ending == ".parquet":
        parquet.write_table(pa.table(cells), path)
    elif ending == ".jsonl":
        lines = [{"size": size, "spot": spot} for size, spot in zip(*cells.values(), strict=True)]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    else:
        pairs = zip(*cells.values(), strict=True)
        lines = [f'{size},"{"" if spot is None else spot}"' for size, spot in pairs]
        path.write_text("size,spot\n" + "\n".join(lines) + "\n")
    return path


def is_read(table):
    kinds = detect_kinds(table)
    assert [kind.kind for kind in kinds] == ["number", "vector"]
    expected = [[np.nan] * 3 if row is None else row for row in ROWS]
    np.testing.assert_array_equal(vectors_of(table, "spot"), expected)
    made = prepare(table, kinds)
    assert made.description == "compared by 1 number and 1 vector"
    assert made.names[1:] == ("spot[0]", "spot[1]", "spot[2]")
    return made.records


@pytest.mark.parametrize("ending", [".parquet", ".jsonl", ".csv"])
def test_files_hold_vectors_and_are_written_again(tmp_path, ending):
    table = read_table(written(tmp_path, ending))
    vectors = is_read(table)
    frame = pl.DataFrame({"size": [1.0, 2.0, 3.0, 9.0], "spot": ROWS})
    np.testing.assert_allclose(vectors, TableFeatures().fit_transform(frame))
    for other in (".jsonl", ".parquet", ".csv"):
        write_table(table, tmp_path / f"again{other}")
        is_read(read_table(tmp_path / f"again{other}"))


@pytest.mark.parametrize("frame", [pl.DataFrame, pa.table])
def test_tables_in_memory_hold_vectors(frame):
    is_read(read_frame(frame({"size": [1.0, 2.0, 3.0, 9.0], "spot": ROWS})))


def test_arrow_lists_of_a_fixed_size_are_vectors():
    spots = pa.array(ROWS, pa.list_(pa.float32(), 3))
    read = read_frame(pa.table({"size": [1.0, 2.0, 3.0, 9.0], "spot": spots}))
    assert detect_kinds(read)[1].kind == "vector"
    assert vectors_of(read, "spot")[0].tolist() == [1.5, -2.0, 3.0]


def test_words_said_to_be_vectors_are_read_and_others_refused_by_their_row():
    words = Table({"e": word_array(["0.1 0.2", "[3; 4]", None])}, "t.csv")
    assert detect_kinds(words, {"e": "vector"})[0].kind == "vector"
    np.testing.assert_array_equal(vectors_of(words, "e"), [[0.1, 0.2], [3, 4], [np.nan] * 2])
    pressure = Table({"e": word_array(["120/80", "95 / 60", "30 x 40"])}, "t.csv")
    np.testing.assert_array_equal(vectors_of(pressure, "e"), [[120, 80], [95, 60], [30, 40]])
    wrong = Table({"e": word_array(["1 2", "three"])}, "t.csv")
    with pytest.raises(DataError, match=r"t.csv: row 1 of column 'e' holds 'three', which is no"):
        detect_kinds(wrong, {"e": "vector"})
    uneven = Table({"e": word_array(["1 2", "1 2 3"])}, "t.csv")
    with pytest.raises(DataError, match="That of row 1 has 3 numbers, the first one 2"):
        detect_kinds(uneven, {"e": "vector"})


def test_lists_that_are_no_vectors_stay_words(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": [1, 2], "b": ["x"]}\n{"a": [1], "b": ["y", "z"]}\n')
    table = read_table(path)
    assert table.column("a").tolist() == ["[1, 2]", "[1]"]
    assert table.column("b").tolist() == ['["x"]', '["y", "z"]']
