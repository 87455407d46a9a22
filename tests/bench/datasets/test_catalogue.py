from __future__ import annotations

import gzip
import json
from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rarefind.core.errors import DataError, UnknownNameError
from rarefind.records.formats.by_ending import write_table
from rarefind.records.table import Table
from rarefind_bench.datasets import location
from rarefind_bench.datasets.catalogue import group_of, is_kernel_set, open_set, set_names
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.datasets.location import data_folder


def words(*values):
    return np.array(values, dtype=object)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path))
    return tmp_path


def write_shuttle(folder):
    sizes = {"1": 200, "2": 3, "3": 5, "4": 59, "5": 30, "6": 2, "7": 4}
    labels = words(*(name for name, size in sizes.items() for _ in range(size)))
    columns = {"time": np.arange(len(labels)) * 1.0, "x": np.ones(len(labels)), "label": labels}
    write_table(Table(columns, "t"), folder / "shuttle_train.parquet")


def test_shuttle_is_a_tenth_of_three_classes_and_all_of_the_others(folder):
    write_shuttle(folder)
    source = open_set("shuttle")
    drawn = source.draw(0)
    assert Counter(drawn.labels) == {"1": 20, "2": 3, "3": 5, "4": 5, "5": 3, "6": 2, "7": 4}
    assert drawn.records.shape == (42, 2)
    assert source.draw(0).labels == drawn.labels
    assert set(drawn.records[:, 0]) != set(source.draw(1).records[:, 0])
    assert len(source.draw(0, rows=35).labels) <= 42


def test_mixed_tables_come_as_vectors_without_the_small_print(folder):
    n = 60
    columns = {
        "color": words(*["red", "white"] * (n // 2)),
        "acid": np.arange(n) * 7.0 % n,
        "split": words(*["train"] * n),
        "label": words(*["6"] * (n - 2), "9", "3"),
    }
    write_table(Table(columns, "t"), folder / "winequality.parquet")
    drawn = open_set("winequality").draw(0)
    assert drawn.records.shape == (n, 3)
    assert drawn.scale == "none"
    assert drawn.rare == ("9", "3") or drawn.rare == ("3", "9")


def test_ecoli_and_abalone_have_the_classes_of_the_papers(folder):
    n = 40
    labels = words(*["cp"] * (n - 3), "omL", "imL", "imS")
    write_table(Table({"a": np.arange(n) * 1.0, "label": labels}, "t"), folder / "ecoli.parquet")
    assert open_set("ecoli").draw(0).sizes == {"cp": 37, "omL/imL/imS": 3}
    rings = words(*["9"] * (n - 4), "1", "3", "22", "29")
    columns = {"sex": words(*["M", "F"] * (n // 2)), "a": np.arange(n) * 1.0, "label": rings}
    write_table(Table(columns, "t"), folder / "abalone.parquet")
    drawn = open_set("abalone").draw(0)
    assert drawn.sizes == {"9": 36, "3": 2, "22": 2}
    assert drawn.records.shape == (n, 1)


def test_strings_and_graphs_come_with_a_kernel(folder):
    names = words(*["ivanov", "smith", "smirnov", "jones"] * 10)
    labels = words(*["Russian"] * 39, "Greek")
    write_table(Table({"sequence": names, "label": labels}, "t"), folder / "surnames.parquet")
    drawn = open_set("surnames").draw(0)
    assert drawn.space("standard").engine.n == 4
    with gzip.open(folder / "MUTAG.jsonl.gz", "wt") as file:
        for label in [1] * 30 + [-1]:
            graph = {"nodes": ["C", "O" if label == 1 else "N"], "edges": [[0, 1]], "label": label}
            file.write(json.dumps(graph) + "\n")
    graphs = open_set("MUTAG").draw(0)
    assert graphs.rare == ("-1",)
    assert graphs.space("standard").n_rows == 31
    assert graphs.space("standard").engine.n == 2


def test_every_known_set_is_of_vectors_or_has_a_kernel():
    kinds = [is_kernel_set(name) for name in set_names()]
    assert sum(kinds) == 16
    assert len(kinds) == 46
    assert kinds == sorted(kinds)  # vectors first


def test_where_no_class_is_rare_all_but_the_largest_are_sought():
    assert LabelledSet("t", np.zeros((4, 1)), ("a", "a", "a", "b")).sought == ("b",)
    rare = LabelledSet("t", np.zeros((40, 1)), ("a",) * 30 + ("b",) * 9 + ("c",))
    assert rare.sought == rare.rare == ("c",)


def test_every_known_set_belongs_to_a_group():
    groups = Counter(map(group_of, set_names()))
    assert groups == {"tables": 27, "embeddings": 3, "strings": 9, "texts": 4, "graphs": 3}


@pytest.mark.parametrize("in_words", [True, False])
def test_embeddings_come_as_vectors(folder, in_words):
    lists = [[0.0, 1.5]] * 30 + [[3.0, 4.0]]
    labels = ["good"] * 30 + ["defect"]
    cells = [json.dumps(each) for each in lists] if in_words else lists
    table = pa.table({"embedding": cells, "label": labels})
    pq.write_table(table, folder / "mvtec_resnet18.parquet")
    drawn = open_set("mvtec_resnet18").draw(0)
    assert np.asarray(drawn.records).shape == (31, 2)
    assert np.asarray(drawn.records).max() == 4.0
    assert drawn.rare == ("defect",)


def test_a_missing_folder_says_what_to_put_where(monkeypatch, tmp_path):
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match=r"There is no folder .*nowhere.*RAREFIND_DATA"):
        data_folder()
    monkeypatch.delenv("RAREFIND_DATA")
    monkeypatch.setattr(location, "DEFAULT_FOLDER", tmp_path / "not-here")
    with pytest.raises(DataError, match="not-here"):
        open_set("glass")


def test_a_missing_file_is_named(folder):
    with pytest.raises(DataError, match=r"glass needs the file glass\.parquet, which is not in"):
        open_set("glass")
    with pytest.raises(UnknownNameError, match="Did you mean 'glass'"):
        open_set("glas")
