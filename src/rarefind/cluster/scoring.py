"""Scoring on a cluster: every partition is read, scored and written by one task."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.cluster.connection import Cluster, Task
from rarefind.cluster.journal import Result
from rarefind.cluster.partitions import Source, find_sources
from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import DataError


def score_partitions(
    cluster: Cluster,
    path: Path,
    out: Path,
    score: Callable[[Any], FloatArray],
    *,
    score_column: str = "score",
    top: int = 100,
) -> tuple[IntArray, FloatArray]:
    """Write every partition with its scores into a folder; return the best rows and scores.

    Parameters
    ----------
    cluster
        Who works.
    path
        A Parquet file or a folder of them, seen by all machines.
    out
        The folder to write, one file per partition. It is there only when it is whole.
    score
        Gives a number for every row of an Arrow table.
    score_column
        The name of the new column.
    top
        How many of the best rows to return, best first; of equals the earlier.
    """
    out = Path(out).absolute()
    if out.exists():
        raise DataError(f"{out} is already there. Name another folder, or remove it.")
    sources = find_sources(path)
    draft = out.with_name(f".{out.name}.part")
    draft.mkdir(parents=True, exist_ok=True)
    mark = _fingerprint(score)
    tasks = []
    for number, source in enumerate(sources):
        made = str(draft / f"part-{number:05}.parquet")
        arguments = (source, _Score(score, mark), score_column, top, made)
        tasks.append(Task(score_partition, arguments, source.what, made))
    results = cluster.run("scoring", tasks)
    rows = np.concatenate([result["rows"] for result in results])
    scores = np.concatenate([result["scores"] for result in results])
    wanted = {Path(task.made) for task in tasks}
    for left_over in set(draft.iterdir()) - wanted:
        left_over.unlink()
    draft.replace(out)
    order = np.lexsort((rows, -scores))[:top]
    return rows[order], scores[order]


def discard_draft(out: Path) -> None:
    """Remove what an unfinished run of :func:`score_partitions` has written."""
    out = Path(out).absolute()
    shutil.rmtree(out.with_name(f".{out.name}.part"), ignore_errors=True)


class _Score:
    """A function, known in the journal by its fingerprint."""

    def __init__(self, function: Callable[[Any], FloatArray], mark: str) -> None:
        self.function, self.mark = function, mark

    def __repr__(self) -> str:
        return f"_Score({self.mark})"


def score_partition(
    source: Source, score: _Score, score_column: str, top: int, made: str
) -> Result:
    """Score one partition and write it; return its best rows."""
    import pyarrow as pa
    from pyarrow import parquet

    read = source.read()
    if score_column in read.column_names:
        raise DataError(
            f"{source.what} already has a column {score_column!r}. Name another 'score_column'."
        )
    scores = np.asarray(score.function(read), dtype=np.float64)
    draft = Path(made).with_suffix(f".{os.getpid()}.tmp")
    repeating = [kind.name for kind in read.schema if not pa.types.is_floating(kind.type)]
    parquet.write_table(
        read.append_column(score_column, pa.array(scores)),
        draft,
        use_dictionary=repeating,
        compression="lz4",
    )
    draft.replace(made)
    order = np.lexsort((np.arange(len(scores)), -scores))[:top]
    return {"rows": source.start + order, "scores": scores[order]}


def _fingerprint(function: Any) -> str:
    """Tell a function and all it holds from others."""
    from dask.base import tokenize

    return str(tokenize(function))
