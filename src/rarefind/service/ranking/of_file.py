"""Ranking the records of a file: in memory, by stream or on a cluster, decided here alone."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import DataError, ParameterError
from rarefind.records.several_names import is_there
from rarefind.service.exchange.exporting import check_export, ranking_table
from rarefind.service.hunts.catalogue import default_name
from rarefind.service.hunts.large_files import too_large
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.showing.record import RecordViewer
from rarefind.service.showing.views import RankedView, best_in_words
from rarefind.store.opening import open_store

if TYPE_CHECKING:
    from rarefind.hunting.ranking import Ranking
    from rarefind.hunting.reasons import Reason
    from rarefind.service.hunts.records import HuntData
    from rarefind.store.contract import Store


@dataclass(frozen=True)
class FileToRank:
    """A file to rank for a class, from the labels of a hunt or of a column.

    Attributes
    ----------
    file
        The file; a folder of Parquet files on a cluster.
    target, model
        The class, and the name of the model.
    hunt
        The name of the hunt whose labels count; None for the one named after the file.
    settings
        How the file is read. A ``label_column`` holds the labels in place of a hunt.
    top
        How many of the best rows are told in words.
    out
        Where the ranking is written; None for nowhere.
    explain
        Whether to say what speaks for and against each of the best rows.
    """

    file: Path
    target: str
    model: str = "auto"
    hunt: str | None = None
    settings: HuntSettings = field(default_factory=HuntSettings)
    top: int = 10
    out: Path | None = None
    explain: bool = False

    @property
    def from_hunt(self) -> bool:
        """Whether the labels are those of a hunt."""
        return self.settings.label_column is None

    @property
    def hunt_name(self) -> str:
        """The name of the hunt."""
        return self.hunt or default_name(self.file)

    @property
    def by_stream(self) -> bool:
        """Whether the file is better ranked by stream, since memory should not hold it."""
        used = self.settings
        plain = self.model in ("auto", "lago") and not (used.kernel or used.kinds or used.leave_out)
        return plain and too_large(self.file)

    def check(self) -> None:
        """Refuse, before any work, what cannot be read or written."""
        self.settings.check()
        if not is_there(self.file):
            raise DataError(f"There is no file {self.file}. Check the name and the folder.")


@dataclass(frozen=True)
class RankedFile:
    """What ranking a file gave; ``rows`` and ``scores`` are the best if there are very many.

    ``chance`` is the average precision of a random order of the labelled records, and ``id`` that
    of the ranking in the store, None if it is not kept. ``reasons`` says what speaks for and
    against each row shown, if that was wanted, and ``kernel_weights`` what each term of a sum of
    kernels counts, where the model has learnt that.
    """

    target: str
    model: str
    why: str
    average_precision: float | None
    chance: float
    seconds: float
    known_examples: int
    n_ranked: int
    rows: IntArray
    scores: FloatArray
    shown: tuple[RankedView, ...]
    id: str | None = None
    reasons: tuple[Reason, ...] = ()
    kernel_weights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        ranking: Ranking,
        n_ranked: int,
        shown: tuple[RankedView, ...],
        id: str | None,
        reasons: tuple[Reason, ...] = (),
    ) -> RankedFile:
        """Sum a ranking up."""
        quality = ranking.quality
        return cls(
            str(ranking.target), ranking.model, ranking.chosen, quality.average_precision,
            quality.chance, round(ranking.seconds, 3), quality.examples, n_ranked, ranking.rows,
            ranking.scores, shown, id, reasons, ranking.kernel_weights,
        )  # fmt: skip


def rank_file(
    wanted: FileToRank,
    store: str,
    cluster: str | None = None,
    cluster_folder: Path | None = None,
) -> RankedFile:
    """Rank a file where its labels are and where its rows fit.

    Parameters
    ----------
    wanted
        The file and the class.
    store
        Where hunts are kept; not looked at if a column holds the labels.
    cluster, cluster_folder
        The address of a cluster that ranks the rows, and where it keeps its work; None for here.
    """
    wanted.check()
    if wanted.explain and (cluster is not None or wanted.by_stream):
        raise ParameterError(
            "To explain scores the records must be in memory, and a cluster or a stream scores "
            "them in parts. Leave the explanation out."
        )
    if cluster is not None:
        return _rank_on_cluster(wanted, store, cluster, cluster_folder)
    from rarefind.service.facade import Service

    check_place(wanted)
    with Service(_store_of_labels(wanted, store)) as service:
        return service.rank_file(wanted)


def _rank_on_cluster(
    wanted: FileToRank, store: str, address: str, folder: Path | None
) -> RankedFile:
    from rarefind.service.on_cluster.hunts import ClusterService, check_ranking, join_cluster
    from rarefind.service.on_cluster.tables import ClusterTables

    check_ranking(wanted.model, wanted.out)
    with (
        _store_of_labels(wanted, store) as kept,
        join_cluster(address, wanted.file, folder) as workers,
        ClusterService(kept, workers, ClusterTables()) as service,
    ):
        return service.rank_file(wanted)


def _store_of_labels(wanted: FileToRank, store: str) -> Store:
    return open_store(store, create=False) if wanted.from_hunt else open_store("memory:")


def check_place(wanted: FileToRank) -> None:
    """Refuse a place where the ranking of a file cannot be written, before any work."""
    out, file = wanted.out, wanted.file
    if out is not None:
        check_export(out, "ranking")
        if out.exists() and file.exists() and out.samefile(file):
            raise ParameterError(
                f"The ranking would replace {file.name}, which holds the records. Write it under "
                "another name."
            )
    if wanted.by_stream and (out is None or out.suffix.lower() != ".parquet"):
        raise ParameterError(
            f"{file.name} is larger than memory should hold. Write the ranking to a Parquet file, "
            "such as ranked.parquet: then it is ranked by stream."
        )


def rank_in_memory(
    wanted: FileToRank, data: HuntData, kernel: Any, labels: Mapping[int, str]
) -> tuple[Ranking, tuple[RankedView, ...], tuple[Reason, ...]]:
    """Rank records at hand, write them if that is wanted; tell the best, and perhaps why."""
    from rarefind.hunting.fit_and_score import explainer_for, rank_records, trained_rows
    from rarefind.hunting.reasons import reason_for
    from rarefind.records.formats.by_ending import write_table

    told = (data.records, kernel, labels, wanted.target)
    ranking = rank_records(*told, wanted.model)
    if wanted.out is not None:
        table = ranking_table(data.table, ranking.rows, ranking.scores, labels)
        write_table(table, wanted.out)
    summary = RecordViewer.of(data).summary
    best = ranking.rows[: wanted.top].tolist()
    shown = best_in_words(ranking.rows, ranking.scores, map(summary, best))
    if not wanted.explain:
        return ranking, shown, ()
    explainer = explainer_for(ranking.fitted, *told, data.nameless)
    trained, names = trained_rows(labels), data.prepared.names
    reasons = (reason_for(explainer, data.records, row, trained, names) for row in best)
    return ranking, shown, tuple(reasons)


def rank_by_stream(wanted: FileToRank, labels: Mapping[int, str] | None) -> RankedFile:
    """Rank a file larger than memory; all its rows are written with their scores."""
    from rarefind.service.ranking.by_stream import rank_parquet

    began = time.perf_counter()
    assert wanted.out is not None
    made = rank_parquet(
        wanted.file, wanted.out, wanted.target, labels=labels,
        label_column=wanted.settings.label_column, top=wanted.top,
    )  # fmt: skip
    why = (
        "lago, by stream: the file is larger than memory should hold. Records are "
        f"{made.description}."
    )
    shown = best_in_words(made.rows, made.scores, repeat(""))
    return RankedFile(
        wanted.target, "lago", why, None, made.chance, round(time.perf_counter() - began, 3),
        made.known, made.n_rows, made.rows, made.scores, shown,
    )  # fmt: skip


def check_streamed(wanted: FileToRank, settings: HuntSettings, *, whole: bool) -> None:
    """Refuse a hunt that cannot be ranked by stream: one read in its own way, or of many files."""
    limit = "Allow more memory with RAREFIND_MEMORY_LIMIT"
    if settings.reading() != HuntSettings().reading():
        raise ParameterError(
            f"{wanted.file.name} is larger than memory should hold, and by stream all its columns "
            f"are read as they are, unlike in this hunt. {limit}, or use a cluster."
        )
    if not whole:
        raise ParameterError(
            f"{wanted.file.name} is larger than memory should hold, and by stream one file is "
            f"ranked, while records of others were added to this hunt. {limit}."
        )


def labelled_rows(words: tuple[str | None, ...] | list[str | None]) -> dict[int, str]:
    """Return what a label column says, by row; empty cells say nothing.

    >>> labelled_rows(["odd", None, "plain"])
    {0: 'odd', 2: 'plain'}
    """
    return {row: word for row, word in enumerate(words) if word is not None}
