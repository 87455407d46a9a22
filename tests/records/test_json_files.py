"""Files of JSON, an array or a line each."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rarefind.core.errors import DataError
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats.by_ending import read_table


@pytest.mark.parametrize(
    "value",
    [
        [{"amount": "$1,200.50", "city": "Malmö"}, {"amount": "$3", "city": "Lund"}],
        {"amount": ["$1,200.50", "$3"], "city": ["Malmö", "Lund"]},
        {"rows": [{"amount": "$1,200.50", "city": "Malmö"}, {"amount": "$3", "city": "Lund"}]},
        {"amount": {"0": "$1,200.50", "1": "$3"}, "city": {"0": "Malmö", "1": "Lund"}},
        {
            "count": 2,
            "next": None,
            "data": [{"amount": "$1,200.50", "city": "Malmö"}, {"amount": "$3", "city": "Lund"}],
        },
        {
            "columns": ["amount", "city"],
            "index": [0, 1],
            "data": [["$1,200.50", "Malmö"], ["$3", "Lund"]],
        },
    ],
)
def test_json_arrays_and_columns_are_tables(tmp_path, value):
    path = tmp_path / "t.json"
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    table = read_table(path)
    assert table.column("amount").tolist() == [1200.5, 3.0]
    assert table.column("city").tolist() == ["Malmö", "Lund"]


def test_lines_of_json_are_read_whatever_the_ending(tmp_path):
    path = tmp_path / "t.json"
    path.write_text('{"amount": "$1,200.50"}\n\n{"amount": "$3", "city": "Lund"}\n')
    assert read_table(path).column("amount").tolist() == [1200.5, 3.0]
    path.write_text('{"amount": 3}\n[4]\n')
    with pytest.raises(DataError, match=r"t.json: line 2 is list where an object is expected"):
        read_table(path)


def test_json_rows_without_names_and_json_that_is_no_table(tmp_path):
    path = tmp_path / "t.json"
    path.write_text("[[1, 2.5], [3, 4]]")
    assert read_table(path).column("column 2").tolist() == [2.5, 4.0]
    for text, words in {
        "3": "must be an array of records",
        "[1, 2]": "must be an array of records",
        '{"a": [1], "b": [1, 2]}': "must be an array of records",
        '{"columns": ["a"], "data": [[1, 2]]}': "must be an array of records",
        "[[1], [1, 2]]": "record 1 has 2 cells where the first has 1",
        "[{": "not valid JSON",
        "[" * 100: "nested more than 64 levels",
    }.items():
        path.write_text(text)
        with pytest.raises(DataError, match=words):
            read_table(path)
    path.write_bytes(b'["\xe5"]')
    with pytest.raises(DataError, match="byte 2 is not UTF-8"):
        read_table(path)


def test_money_in_json_lines_is_a_number(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f'{{"a": "${number}.50"}}\n' for number in range(5, 30)))
    (kind,) = detect_kinds(read_table(path))
    assert (kind.kind, kind.examples[0]) == ("number", "$5.50")


def test_fields_of_objects_within_objects_are_columns(tmp_path):
    rows = [
        {"id": row, "who": {"age": row % 7, "at": {"zip": f"0{row}"}}, "tags": ["a"]}
        for row in range(30)
    ]
    rows[3]["who"] = None
    path = tmp_path / "t.json"
    path.write_text(json.dumps(rows))
    table = read_table(path)
    assert list(table.columns) == ["id", "who.age", "who.at.zip", "tags"]
    assert np.isnan(table.column("who.age")[3])
    assert table.column("who.at.zip")[4] == "04"


def test_rows_by_number_are_rows(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(
        json.dumps({str(row): {"a": row * 1.5, "b": "xy"[row % 2]} for row in range(9)})
    )
    table = read_table(path)
    assert list(table.columns) == ["a", "b"]
    assert table.n_rows == 9
