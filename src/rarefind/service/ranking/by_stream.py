"""Rank files larger than memory: read, scored and written a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, best_rows
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.core.precision import chance_precision
from rarefind.core.progress import announce
from rarefind.core.threads import in_threads
from rarefind.detection import Lago
from rarefind.detection.lago.votes import every_digit
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats.parquet_stream import Batch, ParquetSink, ParquetStream, with_numbers
from rarefind.records.preparing.recipe import Prepared, prepare
from rarefind.records.table import Table, as_word

LEARN = 100_000
"""Rows, drawn at random, that tell how features are prepared; and the most that are not of the
class that a model learns from."""

EXAMPLES = 10_000
"""The most examples of the class that a model learns from."""


@dataclass(frozen=True)
class StreamedRanking:
    """What ranking a file by stream gave.

    Attributes
    ----------
    target
        The class ranked for.
    n_rows
        How many rows were scored and written.
    known
        How many labelled examples of the class there were.
    chance
        The average precision of a random order of the labelled rows.
    rows, scores
        The best rows without a label, best first, and their scores.
    description
        How records are compared, in one sentence.
    """

    target: str
    n_rows: int
    known: int
    chance: float
    rows: IntArray
    scores: FloatArray
    description: str


def rank_parquet(
    source: Path,
    out: Path,
    target: str,
    *,
    labels: Mapping[int, str] | None = None,
    label_column: str | None = None,
    score_column: str = "score",
    keep: Sequence[str] | None = None,
    top: int = 100,
    seed: int = 0,
) -> StreamedRanking:
    """Score every row of a Parquet file for a class, and write it with its score.

    The file is read twice: once for labels and a sample of rows, from which the preparation of
    features and the model are learnt, and once to score. Memory holds a few batches only.

    Parameters
    ----------
    source, out
        The file to read, and the file to write. The latter appears only when it is whole.
    target
        The class to rank for.
    labels
        What is known, by row.
    label_column
        The column that says so instead; empty cells are unknown.
    score_column
        The name of the new column; higher is more like the class.
    keep
        The columns to write with the score, in the order of the rows; None for all.
    top
        How many of the best rows without a label to return.
    seed
        Which rows are drawn to learn from.
    """
    stream = ParquetStream(source)
    _check_free(stream, score_column)
    wanted, known = _read_labels(stream, target, labels, label_column)
    learnt = _learn(stream, wanted, known, label_column, np.random.default_rng(seed))
    rows, scores = _scored(
        stream,
        out,
        learnt.scores,
        score_column=score_column,
        keep=keep,
        top=top,
        leave_out=known,
    )
    said = learnt.prepared.description
    chance = chance_precision(wanted[known])
    return StreamedRanking(target, stream.n_rows, int(wanted.sum()), chance, rows, scores, said)


def score_parquet(
    source: Path,
    out: Path,
    score: Callable[[Table], FloatArray],
    *,
    score_column: str = "score",
    keep: Sequence[str] | None = None,
    top: int = 100,
    leave_out: BoolArray | None = None,
) -> tuple[IntArray, FloatArray]:
    """Write every row of a Parquet file with its score; return the best rows and their scores.

    Parameters
    ----------
    source, out
        The file to read, and the file to write. The latter appears only when it is whole.
    score
        Gives a number for every row of a table. Several threads call it at the same time.
    score_column, keep, top
        As in :func:`rank_parquet`.
    leave_out
        Which rows are not returned among the best.
    """
    return _scored(ParquetStream(source), out, score, score_column, keep, top, leave_out)


def _scored(
    stream: ParquetStream,
    out: Path,
    score: Callable[[Table], FloatArray],
    score_column: str,
    keep: Sequence[str] | None,
    top: int,
    leave_out: BoolArray | None,
) -> tuple[IntArray, FloatArray]:
    _check_free(stream, score_column)
    for name in keep or ():
        stream.check_column(name)
    best = _Best(top)

    def scored(batch: Batch) -> tuple[Batch, FloatArray]:
        return batch, score(batch.table())

    with ParquetSink(out) as sink:
        for batch, scores in in_threads(scored, stream.batches()):
            part = slice(batch.start, batch.start + len(scores))
            rows = batch.arrow if keep is None else batch.arrow.select(list(keep))
            sink.write(with_numbers(rows, score_column, scores))
            open_rows = np.arange(part.start, part.stop)
            if leave_out is not None:
                open_rows = open_rows[~leave_out[part]]
            best.add(open_rows, scores[open_rows - part.start])
            announce("scoring", part.stop, stream.n_rows)
    return best.rows, best.scores


def scores_of(model: Any) -> Callable[[Table], FloatArray]:
    """Score tables by a fitted model that takes the numbers of all columns, in their order.

    >>> from rarefind.records.table import Table
    >>> model = Lago(target=True).fit([[0.0, 0.0], [0.1, 0.0], [9.0, 9.0]], [False, False, True])
    >>> table = Table({"x": np.array([0.0, 8.0]), "y": np.array([0.0, 8.0])}, "two rows")
    >>> (scores_of(model)(table) > 0).tolist()
    [False, True]
    """

    def score(table: Table) -> FloatArray:
        # Columns stay columns in memory: that is how they come, and how votes are added up.
        with every_digit():
            return np.asarray(model.decision_function(np.array(list(table.columns.values())).T))

    return score


def _check_free(stream: ParquetStream, name: str) -> None:
    if name in stream.names:
        raise DataError(
            f"{stream.source} already has a column {name!r}. Name another 'score_column'."
        )


@dataclass(frozen=True)
class _Learnt:
    """A model, and how rows are prepared for it."""

    prepared: Prepared
    model: Lago
    label_column: str | None

    def scores(self, table: Table) -> FloatArray:
        if self.label_column is not None:
            table = table.without([self.label_column])
        with every_digit():
            return self.model.decision_function(self.prepared.more(table))


class _Best:
    """The highest scores met so far; of equals the earlier row."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.rows = np.empty(0, dtype=np.int64)
        self.scores = np.empty(0)

    def add(self, rows: IntArray, scores: FloatArray) -> None:
        if 0 < len(self.rows) == self._size:
            better = scores > self.scores[-1]
            rows, scores = rows[better], scores[better]
        rows = np.concatenate([self.rows, rows])
        scores = np.concatenate([self.scores, scores])
        self.rows, self.scores = best_rows(rows, scores, self._size)


def _read_labels(
    stream: ParquetStream,
    target: str,
    labels: Mapping[int, str] | None,
    label_column: str | None,
) -> tuple[BoolArray, BoolArray]:
    """Tell which rows are of the class, and which have any label."""
    if (labels is None) == (label_column is None):
        raise DataError("A ranking needs either 'labels' or a 'label_column', and not both.")
    wanted, known = np.zeros(stream.n_rows, dtype=bool), np.zeros(stream.n_rows, dtype=bool)
    classes: set[str] = set()
    if labels is not None:
        for row, label in labels.items():
            if not 0 <= row < stream.n_rows:
                raise DataError(
                    f"{stream.source} has no row {row}: there are rows 0 to {stream.n_rows - 1}."
                )
            wanted[row], known[row] = str(label) == target, True
            classes.add(str(label))
    else:
        assert label_column is not None
        for batch in stream.batches([label_column]):
            column = batch.table().column(label_column)
            names = {cell: as_word(cell) for cell in set(column.tolist())}
            classes |= {name for name in names.values() if name is not None}
            part = slice(batch.start, batch.start + len(column))
            words = np.array([names.get(cell) for cell in column.tolist()], dtype=object)
            wanted[part], known[part] = words == target, words != np.array(None)
            announce("reading labels", part.stop, stream.n_rows)
    if target not in classes:
        raise unknown_name("class", target, sorted(classes))
    if len(classes) < 2:
        raise DataError(
            f"All labels are {target!r}. A ranking also needs some records that are something else."
        )
    return wanted, known


def _learn(
    stream: ParquetStream,
    wanted: BoolArray,
    known: BoolArray,
    label_column: str | None,
    random: np.random.Generator,
) -> _Learnt:
    """Learn how features are prepared, and the model, from some of the rows."""
    examples = _drawn(np.flatnonzero(wanted), EXAMPLES, random)
    others = _drawn(np.flatnonzero(known & ~wanted), LEARN, random)
    training = np.union1d(examples, others)
    anyone = _drawn(np.arange(stream.n_rows), LEARN, random)
    rows = np.union1d(training, anyone)
    table = stream.chosen(rows)
    announce("learning", 0, 1)
    if label_column is not None:
        table = table.without([label_column])
    prepared = prepare(table, detect_kinds(table))
    places = np.searchsorted(rows, training)
    records = prepared.more(table.chosen(places))
    model = Lago(target=True, kernel=prepared.kernel).fit(records, wanted[training])
    return _Learnt(prepared, model, label_column)


def _drawn(rows: IntArray, most: int, random: np.random.Generator) -> IntArray:
    return rows if len(rows) <= most else np.sort(random.choice(rows, most, replace=False))
