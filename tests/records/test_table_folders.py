"""A folder of tables, and what else may lie in it."""

from __future__ import annotations

import pytest

from rarefind.core.errors import DataError
from rarefind.records import read_table
from rarefind.records.formats.by_ending import file_digest


@pytest.fixture
def months(tmp_path):
    for name in ("may", "june"):
        (tmp_path / f"{name}.csv").write_text(f"amount,shop\n1.5,{name}\n2,zoo\n")
    return tmp_path


def test_remarks_and_a_store_beside_tables_are_no_records(months):
    alone, digest = read_table(months), file_digest(months)
    for name in ("README.txt", "rarefind.db", "rarefind.db-wal", ".DS_Store"):
        (months / name).write_text("remarks")
    table = read_table(months)
    assert table.column("shop").tolist() == alone.column("shop").tolist()
    assert table.writing.whole == ("without README.txt",)
    assert file_digest(months) == digest
    (months / "may.csv").write_text("amount,shop\n1.5,may\n")
    assert file_digest(months) != digest


def test_a_folder_of_several_kinds_is_refused(months):
    (months / "july.parquet").write_text("x")
    with pytest.raises(DataError, match="texts, graphs or tables, one kind of them"):
        read_table(months)


def test_as_many_texts_as_tables_are_texts(months):
    for name in ("a.txt", "b.txt"):
        (months / name).write_text("some words")
    assert read_table(months).column("text").tolist() == ["some words"] * 2
