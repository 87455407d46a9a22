"""Open a file of records, ready to hunt in and to rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rarefind.core.errors import DataError
from rarefind.geometry.tables import Vectors, table_vectors
from rarefind.records.files import read_table
from rarefind.records.tables import Table


@dataclass(frozen=True)
class Opened:
    """A file's records as shown to a person, as vectors, and their labels where it has some."""

    table: Table
    vectors: Vectors
    labels: tuple[str | None, ...] | None

    def oracle(self) -> Callable[[int], str]:
        """Return the function that answers from the label column."""
        labels = self.labels or ()
        for row, label in enumerate(labels):
            if label is None:
                raise DataError(
                    f"{self.table.source}: the label of row {row} is missing. To play the person "
                    "who answers, the label column must be filled in every row."
                )
        return lambda row: str(labels[row])


def open_records(path: Path, label_column: str, *, required: bool = True) -> Opened:
    """Read a file and prepare it; the label column is kept apart from the features.

    A label column that is not ``required`` may be missing: then there are no labels.
    """
    table = read_table(path)
    if not required and label_column not in table.columns:
        return Opened(table, table_vectors(table.columns, table.source), None)
    labels = tuple(table.words(label_column))
    shown = table.without([label_column])
    return Opened(shown, table_vectors(shown.columns, shown.source), labels)


def with_labels(table: Table, labels: dict[int, object], column: str) -> Table:
    """Return the table with a column of labels, empty where nothing was told."""
    words = np.full(table.n_rows, None, dtype=object)
    for row, label in labels.items():
        words[row] = str(label)
    return table.with_columns({column: words})
