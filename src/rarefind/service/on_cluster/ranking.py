"""Rankings on a cluster: LAGO learns here from few examples, and the workers score the rest."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rarefind._version import __version__
from rarefind.cluster.connection import Cluster
from rarefind.cluster.journal import Result, task_key
from rarefind.cluster.partitions import Files, Source
from rarefind.cluster.reading.columns import Encoded
from rarefind.cluster.reading.lazy_table import ClusterTable
from rarefind.cluster.scoring import score_partitions
from rarefind.cluster.tasks import Task
from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import ParameterError, Remedy
from rarefind.detection.lago.votes import every_digit
from rarefind.hunting.fit_and_score import rank_records
from rarefind.hunting.ranking import Ranking
from rarefind.records.columns.kinds import ColumnKind
from rarefind.records.formats.parquet_stream import table_of
from rarefind.records.shown.in_one_line import record_summary
from rarefind.service.exchange.exporting import free_name
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.on_cluster.preparing import prepared_on_cluster, used_columns
from rarefind.service.ranking.of_file import FileToRank
from rarefind.service.showing.views import RankedView, best_in_words

KEPT = 100_000
"""The most rows of a ranking that the store keeps, best first."""

_MODELS = ("lago", "sphere-lago")
"""Those that learn from few examples and score each record by itself."""

LEARN, _EXAMPLES = 100_000, 10_000
"""The most records of other classes, and of the class, that a model learns from."""


@dataclass(frozen=True)
class Scores:
    """Scores the rows of an Arrow batch by a model."""

    encoded: Encoded
    columns: tuple[str, ...]
    model: Any

    def __call__(self, batch: Any, row: int) -> FloatArray:
        """Score the rows, to the last digit as one machine does."""
        vectors = self.encoded(batch.select(self.columns))
        with every_digit():
            scores: FloatArray = self.model.decision_function(vectors)
        return scores


@dataclass(frozen=True)
class GivenScores:
    """Scores of rows that are known already."""

    scores: FloatArray

    def __call__(self, batch: Any, row: int) -> FloatArray:
        """Look the scores up."""
        return self.scores[row : row + batch.num_rows]


def check_model(model: str) -> str:
    """Return the model that ranks on a cluster; refuse those that cannot."""
    if model == "auto":
        return _MODELS[0]
    if model not in _MODELS:
        raise ParameterError(
            f"A cluster ranks by {' or '.join(_MODELS)}, not by {model!r}."
        ).advising(Remedy("Leave out {model}, or {cluster}."))
    return model


def rank_partitions(
    cluster: Cluster,
    table: ClusterTable,
    wanted: FileToRank,
    settings: HuntSettings,
    labels: Mapping[int, str],
) -> tuple[Ranking, int, tuple[RankedView, ...]]:
    """Rank the rows of Parquet files for a class, and write them with their scores.

    Parameters
    ----------
    cluster
        Who works.
    table
        The records.
    wanted
        The class and the model, and the folder to write, one file per partition; it is there only
        when it is whole.
    settings
        How the records are read.
    labels
        What is known, by row.

    Returns
    -------
    The best rows and scores, the model and why; ``rows`` are at most :data:`KEPT`. Then how many
    rows were ranked, and the first few in words.
    """
    target, top, out = wanted.target, wanted.top, wanted.out
    began = time.perf_counter()
    name, files = check_model(wanted.model), table.partitions
    _, encoded, columns = prepared_on_cluster(cluster, table, settings)
    used = used_columns(table, encoded)
    told = _drawn(labels, target)
    vectors = _vectors(cluster, files, used, encoded, np.array(list(told), dtype=np.int64))
    everything = len(labels) == files.n_rows
    given = everything and len(told) == len(labels)
    if not given:  # one more record without a label: what is wanted is the model
        vectors = np.vstack([vectors, vectors[:1]])
    learnt = rank_records(vectors, None, dict(enumerate(told.values())), target, name)
    score: Any = Scores(encoded, tuple(used), learnt.fitted)
    if given:
        scores = np.empty(files.n_rows)
        scores[np.array(list(told))[learnt.rows]] = learnt.scores
        score = GivenScores(scores)
    known = np.array([] if everything else sorted(labels), dtype=np.int64)
    words = [f"{row}={label}" for row, label in told.items()]
    mark = task_key("ranking", [__version__, encoded, used, target, name, words])
    rows, scores = score_partitions(
        cluster,
        files,
        out,
        score,
        mark=mark,
        score_column=free_name(table, "score"),
        top=max(top, KEPT),
        leave_out=known,
        columns=used,
    )
    why = learnt.chosen
    if len(told) < len(labels):
        why += f" It learnt from {len(told):,} of the {len(labels):,} labels, drawn at random."
    known_examples = sum(label == target for label in labels.values())
    quality = replace(learnt.quality, examples=known_examples)
    seconds = time.perf_counter() - began
    ranking = Ranking(target, name, rows, scores, quality, why, learnt.fitted, seconds)
    kinds = tuple(each.kind for each in columns)
    shown = _shown(files, kinds, rows[:top], scores[:top])
    return ranking, files.n_rows - len(known), shown


def chosen_vectors(
    source: Source, columns: tuple[str, ...], encoded: Encoded, rows: IntArray
) -> Result:
    """Encode some rows of a partition, given in rising order."""
    found = [encoded(batch) for _, batch in source.chosen(rows, columns)]
    return {"vectors": np.concatenate(found)}


def _vectors(
    cluster: Cluster, files: Files, used: list[str], encoded: Encoded, rows: IntArray
) -> FloatArray:
    """Return the vectors of some rows, in the order given."""
    order = np.argsort(rows, kind="stable")
    rising = rows[order]
    tasks, places = [], []
    for source in files.sources:
        low, high = np.searchsorted(rising, [source.start, source.start + source.rows])
        if low < high:
            mine = rising[low:high] - source.start
            tasks.append(Task(chosen_vectors, (source, tuple(used), encoded, mine), source.what))
            places.append(order[low:high])
    found = cluster.run("reading examples", tasks)
    vectors = np.empty((len(rows), found[0]["vectors"].shape[1]))
    for place, result in zip(places, found, strict=True):
        vectors[place] = result["vectors"]
    return vectors


def _drawn(labels: Mapping[int, str], target: str) -> dict[int, str]:
    """Return the labels to learn from: all of them, or so many drawn at random."""
    random = np.random.default_rng(0)
    kept: set[int] = set()
    for is_target, most in ((True, _EXAMPLES), (False, LEARN)):
        rows = [row for row, label in labels.items() if (label == target) == is_target]
        kept.update(rows if len(rows) <= most else random.choice(rows, most, replace=False))
    return {row: label for row, label in labels.items() if row in kept}


def _shown(
    files: Files, kinds: tuple[ColumnKind, ...], rows: IntArray, scores: FloatArray
) -> tuple[RankedView, ...]:
    """Tell the best rows in words; only they are read."""
    if not len(rows):
        return ()
    order = np.argsort(rows)
    table = table_of(files.rows(rows[order]), files.name)
    place_of = np.argsort(order)
    # What is usual among all records, a few of them cannot tell.
    words = (record_summary(table, kinds, int(place)) for place in place_of)
    return best_in_words(rows, scores, words)
