"""Records and labels out of the files of data sets."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rarefind.core.arrays import Records
from rarefind.features.table import TableFeatures
from rarefind.records.formats.by_ending import read_table


class LabelledRecords(NamedTuple):
    """A file's records and labels; ``scaled`` if the vectors are ready to be compared."""

    records: Records
    labels: tuple[str, ...]
    scaled: bool = False


def read_vectors(path: Path, drop: tuple[str, ...] = ()) -> LabelledRecords:
    """Read features, as they are if all are numbers, else as comparable vectors."""
    table = read_table(path)
    features = [name for name in without_small_print(table.columns) if name not in drop]
    columns = {name: table.columns[name] for name in features}
    labels = tuple(str(word) for word in table.words("label"))
    if all(column.dtype.kind == "f" for column in columns.values()):
        return LabelledRecords(np.column_stack(list(columns.values())), labels)
    return LabelledRecords(TableFeatures().fit_transform(columns), labels, scaled=True)


def read_ecoli(path: Path) -> LabelledRecords:
    """Merge the three classes of two to five records into one, as the papers did."""
    read = read_vectors(path)
    merged = {"omL": "omL/imL/imS", "imL": "omL/imL/imS", "imS": "omL/imL/imS"}
    return LabelledRecords(read.records, tuple(merged.get(label, label) for label in read.labels))


def read_abalone(path: Path) -> LabelledRecords:
    """Leave out the sex and clip the rings to 3 ... 22, which gives the 20 published classes."""
    read = read_vectors(path, drop=("sex",))
    rings = tuple(str(min(max(int(age), 3), 22)) for age in read.labels)
    return LabelledRecords(read.records, rings)


def read_words(path: Path, column: str) -> LabelledRecords:
    """Read one column of words, strings or texts."""
    table = read_table(path)
    labels = tuple(str(word) for word in table.words("label"))
    return LabelledRecords([str(record) for record in table.column(column)], labels)


def read_embeddings(path: Path) -> LabelledRecords:
    """Read one column of lists of numbers, all of the same length, or of such lists in words."""
    table = read_table(path)
    labels = tuple(str(word) for word in table.words("label"))
    cells = table.column("embedding")
    vectors = [json.loads(cell) if isinstance(cell, str) else cell for cell in cells]
    return LabelledRecords(np.array(vectors, dtype=np.float64), labels)


def read_graphs(path: Path) -> LabelledRecords:
    """Read graphs, one a line of JSON."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        graphs = [json.loads(line) for line in lines]
    labels = tuple(str(graph["label"]) for graph in graphs)
    return LabelledRecords([{"nodes": g["nodes"], "edges": g["edges"]} for g in graphs], labels)


def without_small_print(columns: Mapping[str, object]) -> list[str]:
    """Name the columns that are features: not labels, published parts or row numbers.

    >>> without_small_print({"x": 0, "label": 0, "label_2": 0, "split": 0, "row": 0})
    ['x']
    """
    aside = {"label", "split", "row", "university"}
    return [name for name in columns if name not in aside and not name.startswith("label_")]
