"""What was found, written to a file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import ParameterError
from rarefind.core.params import OneOf, check_param
from rarefind.records.formats.by_ending import check_writable, write_table
from rarefind.records.table import Table, word_array
from rarefind.service.asking.log import HuntLog
from rarefind.service.exchange.label_studio import write_tasks
from rarefind.store.contract import RankingEntry

What = Literal["records", "labels", "ranking"]


def check_export(path: Path, what: str) -> None:
    """Refuse what cannot be written, before work is spent on it."""
    check_param("export", "what", what, OneOf("records", "labels", "ranking"))
    if path.suffix.lower() != ".json":
        check_writable(path, *([".json (Label Studio)"] if what == "labels" else []))
    elif what != "labels":
        raise ParameterError(
            "A .json file is Label Studio's and holds labels. Export the labels, or write "
            "records and rankings as .csv, .parquet or .jsonl."
        )
    elif not path.absolute().parent.is_dir():
        raise ParameterError(f"{path} cannot be written: there is no such folder.")


def export_hunt(
    path: Path,
    what: What,
    table: Table,
    log: HuntLog,
    ranking: RankingEntry | None,
    *,
    raw: bool = False,
) -> int:
    """Write records with their labels, the labels alone, or a ranking; returns how many rows.

    The ending says how: .csv, .tsv, .parquet, .jsonl, or .json for Label Studio. In CSV files,
    cells that a spreadsheet would run as formulas are made safe unless ``raw``.
    """
    check_export(path, what)
    if path.suffix.lower() == ".json":
        return write_tasks(path, table, log.statements())
    if what == "labels":
        written = labels_table(log, table.source)
    elif what == "ranking":
        assert ranking is not None
        written = ranking_table(table, ranking.rows, ranking.scores, log.labels())
    else:
        written = with_labels(table, log.labels())
    write_table(written, path, raw=raw)
    return written.n_rows


def with_labels(table: Table, labels: dict[int, str]) -> Table:
    """Return the table with a column of labels, empty where nothing was told."""
    words = np.full(table.n_rows, None, dtype=object)
    for row, label in labels.items():
        words[row] = label
    return table.with_columns({free_name(table, "label"): words})


def labels_table(log: HuntLog, source: str) -> Table:
    """Make a table of what everybody said that stands."""
    words = [word for word in log.statements() if word.label is not None]
    return Table(
        {
            "row": np.array([word.row for word in words], dtype=np.float64),
            "label": word_array(word.label for word in words),
            "annotator": word_array(word.annotator for word in words),
            "at": word_array(_when(word.at) for word in words),
            "asked": word_array("no" if word.asked_by is None else "yes" for word in words),
            "asked_by": word_array(word.asked_by and word.asked_by.written() for word in words),
            "id": word_array(word.event_id for word in words),
        },
        source,
    )


def _when(at: float) -> str:
    """Write a time for people and programs alike.

    >>> _when(0.25)
    '1970-01-01T00:00:00.250Z'
    """
    return f"{dt.datetime.fromtimestamp(at, dt.UTC):%Y-%m-%dT%H:%M:%S}.{int(at % 1 * 1000):03d}Z"


def ranking_table(
    table: Table, rows: IntArray, scores: FloatArray, labels: Mapping[int, str]
) -> Table:
    """Return the ranked records, best first: rank, row, score, label (if known), their columns."""
    places = {
        free_name(table, "rank"): np.arange(1.0, len(rows) + 1),
        free_name(table, "row"): rows.astype(np.float64),
        free_name(table, "score"): scores,
        free_name(table, "label"): word_array(labels.get(int(row)) for row in rows),
    }
    return table.chosen(rows).with_columns(places, first=True)


def free_name(table: Table, name: str) -> str:
    """Return the name, with an underscore if the table has a column called so.

    >>> free_name(Table({"rank": np.zeros(1)}, "t"), "rank")
    'rank_'
    """
    while name in table.columns:
        name += "_"
    return name
