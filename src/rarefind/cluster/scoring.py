"""Scoring on a cluster: every partition is read, scored and written by one task."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from rarefind.cluster.connection import Cluster
from rarefind.cluster.journal import Result, task_key
from rarefind.cluster.partitions import Files, Source, find_files
from rarefind.cluster.tasks import Task, together
from rarefind.core.arrays import FloatArray, IntArray, best_rows
from rarefind.core.errors import DataError
from rarefind.records.formats.parquet_stream import ParquetSink, with_numbers

Score: TypeAlias = Callable[[Any, int], FloatArray]
"""Gives a number for every row of an Arrow batch; also gets the number of its first row."""

_NO_ROWS = np.empty(0, dtype=np.int64)
"""No row is left out, or none is scored yet. Never written to."""


def score_partitions(
    cluster: Cluster,
    path: Path | Files,
    out: Path | None,
    score: Score,
    *,
    mark: str = "",
    score_column: str = "score",
    top: int = 100,
    leave_out: IntArray = _NO_ROWS,
    columns: Sequence[str] | None = None,
) -> tuple[IntArray, FloatArray]:
    """Write every partition with its scores into a folder; return the best rows and scores.

    Parameters
    ----------
    cluster
        Who works.
    path
        A Parquet file or a folder of them, seen by all machines.
    out
        The folder to write, one file per partition. It is there only when it is whole. None to
        write nothing.
    score
        Gives a number for every row of an Arrow batch; also gets the number of its first row.
    mark
        Tells the function from others in the journal; usually found out from what it holds.
    score_column
        The name of the new column.
    top
        How many of the best rows to return, best first; of equals the earlier.
    leave_out
        Rows, in rising order, that are not returned among the best.
    columns
        The columns that the score needs, so that no others are read where nothing is written.
    """
    files = path if isinstance(path, Files) else find_files(path)
    if score_column in files.names:
        raise DataError(
            f"{files.name} already has a column {score_column!r}. Name another 'score_column'."
        )
    scored = Marked(score, mark or _fingerprint(score))
    draft = None if out is None else begin_folder(out, scored.mark, files)
    tasks = []
    for number, source in enumerate(files.sources):
        made = "" if draft is None else str(draft / f"part-{number:05}.parquet")
        low, high = np.searchsorted(leave_out, [source.start, source.start + source.rows])
        needed = None if made or columns is None else tuple(columns)
        arguments = (source, scored, score_column, top, leave_out[low:high], needed, made)
        tasks.append(Task(score_partition, arguments, source.what, made))
    # The best are put together by workers, a few partitions at a time.
    whole = together(best_of, tasks, (top,))
    (best,) = cluster.run("scoring", [whole])
    if draft is not None and out is not None:
        finish_folder(draft, Path(out), {Path(task.made).name for task in tasks})
    cluster.forget([whole])  # the ranking is there: its steps are of no more use
    return best["rows"], best["scores"]


def check_folder(out: Path) -> None:
    """Refuse a folder that is there already, or that cannot be made, before any work is done."""
    if out.exists():
        raise DataError(f"{out} is already there. Name another folder, or remove it.")
    above = out.absolute().parent
    if not above.is_dir():
        raise DataError(f"{out} cannot be written: there is no folder {above}.")
    if not os.access(above, os.W_OK):
        raise DataError(f"{out} cannot be written: {above} cannot be written to.")


def begin_folder(out: Path, mark: str, files: Files) -> Path:
    """Make the hidden folder that becomes ``out`` when it is whole."""
    out = Path(out).absolute()
    check_folder(out)
    draft = _draft(out, task_key(mark, [files.sources])[:12])
    try:
        draft.mkdir(exist_ok=True)
    except OSError as problem:
        raise DataError(f"{out} cannot be written: {problem.strerror or problem}.") from None
    return draft


def finish_folder(draft: Path, out: Path, wanted: set[str]) -> None:
    """Give the folder its name; drafts of other rankings with this name are removed."""
    out = out.absolute()
    try:
        for left_over in draft.iterdir():
            if left_over.name not in wanted:
                left_over.unlink()
        draft.rename(out)
    except OSError as problem:
        raise DataError(f"{out} cannot be written: {problem.strerror or problem}.") from None
    for other in out.parent.glob(_draft(out, "*").name):
        shutil.rmtree(other, ignore_errors=True)


def score_partition(
    source: Source,
    score: Marked,
    score_column: str,
    top: int,
    leave_out: IntArray,
    columns: tuple[str, ...] | None,
    made: str,
) -> Result:
    """Score one partition and write it; return its best rows."""
    rows, scores = _NO_ROWS, np.empty(0)
    row = source.start
    # Two workers may have the same task, if one of them was taken for dead.
    with ParquetSink(Path(made), alone=False) if made else nullcontext() as sink:
        for batch in source.batches(columns):
            found = np.asarray(score.function(batch, row), dtype=np.float64)
            if sink is not None:
                sink.write(with_numbers(batch, score_column, found))
            open_rows = np.arange(row, row + len(found))
            open_rows = open_rows[~np.isin(open_rows, leave_out)]
            kept = {"rows": open_rows, "scores": found[open_rows - row]}
            best = best_of([{"rows": rows, "scores": scores}, kept], top)
            rows, scores = best["rows"], best["scores"]
            row += len(found)
    return {"rows": rows, "scores": scores}


def best_of(results: list[Result], top: int) -> Result:
    """Take the best of several lists of rows and scores."""
    rows = np.concatenate([result["rows"] for result in results])
    scores = np.concatenate([result["scores"] for result in results])
    rows, scores = best_rows(rows, scores, top)
    return {"rows": rows, "scores": scores}


class Marked:
    """A function, known in the journal by its fingerprint."""

    def __init__(self, function: Score, mark: str) -> None:
        self.function, self.mark = function, mark

    def __repr__(self) -> str:
        return f"scores({self.mark})"


def _draft(out: Path, mark: str) -> Path:
    return out.with_name(f".{out.name}.{mark}.part")


def _fingerprint(function: Any) -> str:
    """Tell a function and all it holds from others."""
    from dask.base import tokenize

    return str(tokenize(function))
