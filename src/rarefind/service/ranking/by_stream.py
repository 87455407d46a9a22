"""Rank files larger than memory: read, scored and written a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import BoolArray, FloatArray, IntArray, best_rows
from rarefind.core.errors import DataError
from rarefind.core.precision import chance_precision
from rarefind.core.progress import announce
from rarefind.core.threads import in_threads
from rarefind.detection import Lago
from rarefind.detection.lago.votes import every_digit
from rarefind.hunting.fit_and_score import check_classes
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats.parquet_stream import Batch, ParquetSink, ParquetStream, with_numbers
from rarefind.records.preparing.recipe import prepare
from rarefind.records.table import Table, as_word, word_array

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
    top
        How many of the best rows without a label to return.
    seed
        Which rows are drawn to learn from.
    """
    stream = ParquetStream(source)
    _check_free(stream, score_column)
    wanted, known = _read_labels(stream, target, labels, label_column)
    score, description = _learn(stream, wanted, known, label_column, np.random.default_rng(seed))
    rows, scores = score_parquet(
        source, out, score, score_column=score_column, top=top, leave_out=known
    )
    chance = chance_precision(wanted[known])
    return StreamedRanking(
        target, stream.n_rows, int(wanted.sum()), chance, rows, scores, description
    )


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
    score_column, top
        As in :func:`rank_parquet`.
    keep
        The columns to write with the score, in the order of the rows; None for all.
    leave_out
        Which rows are not returned among the best.
    """
    stream = ParquetStream(source)
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


def _check_free(stream: ParquetStream, name: str) -> None:
    if name in stream.names:
        raise DataError(
            f"{stream.source} already has a column {name!r}. Name another 'score_column'."
        )


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
    if labels is not None and label_column is None:
        parts = _told(stream, labels)
    elif label_column is not None and labels is None:
        parts = _in_column(stream, label_column)
    else:
        raise DataError("A ranking needs either 'labels' or a 'label_column', and not both.")
    wanted, known = np.zeros(stream.n_rows, dtype=bool), np.zeros(stream.n_rows, dtype=bool)
    classes: set[str] = set()
    for rows, words in parts:
        wanted[rows], known[rows] = words == target, words != np.array(None)
        classes.update(words[known[rows]])
    check_classes(classes, target)
    return wanted, known


_Words = tuple[slice | IntArray, NDArray[Any]]
"""Some rows, and the label of each; None of those that have none."""


def _told(stream: ParquetStream, labels: Mapping[int, str]) -> Iterator[_Words]:
    for row in labels:
        if not 0 <= row < stream.n_rows:
            raise DataError(
                f"{stream.source} has no row {row}: there are rows 0 to {stream.n_rows - 1}."
            )
    yield np.array(list(labels), dtype=np.int64), word_array(map(str, labels.values()))


def _in_column(stream: ParquetStream, name: str) -> Iterator[_Words]:
    for batch in stream.batches([name]):
        cells = batch.table().column(name).tolist()
        words = {cell: as_word(cell) for cell in set(cells)}  # there are few different ones
        part = slice(batch.start, batch.start + len(cells))
        yield part, word_array(words[cell] for cell in cells)
        announce("reading labels", part.stop, stream.n_rows)


def _learn(
    stream: ParquetStream,
    wanted: BoolArray,
    known: BoolArray,
    label_column: str | None,
    random: np.random.Generator,
) -> tuple[Callable[[Table], FloatArray], str]:
    """Learn from some of the rows what scores tables; also say how their records are compared."""
    examples = _drawn(np.flatnonzero(wanted), EXAMPLES, random)
    others = _drawn(np.flatnonzero(known & ~wanted), LEARN, random)
    training = np.union1d(examples, others)
    anyone = _drawn(np.arange(stream.n_rows), LEARN, random)
    rows = np.union1d(training, anyone)
    aside = [] if label_column is None else [label_column]
    table = stream.chosen(rows).without(aside)
    announce("learning", 0, 1)
    prepared = prepare(table, detect_kinds(table))
    places = np.searchsorted(rows, training)
    records = prepared.more(table.chosen(places))
    model = Lago(target=True, kernel=prepared.kernel).fit(records, wanted[training])

    def score(some: Table) -> FloatArray:
        with every_digit():
            return model.decision_function(prepared.more(some.without(aside)))

    return score, prepared.description


def _drawn(rows: IntArray, most: int, random: np.random.Generator) -> IntArray:
    return rows if len(rows) <= most else np.sort(random.choice(rows, most, replace=False))
