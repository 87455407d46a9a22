"""From Parquet files to points that a hunt can take place among: two passes, no shuffle.

The first pass learns how each column becomes numbers, exactly as one machine would: a task reads
one column of all partitions. The second, here, encodes every partition, writes its vectors beside
the journal, and gives each row a fingerprint of 128 bits, by which identical rows of all partitions
are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from rarefind.cluster.connection import Cluster
from rarefind.cluster.engine import ClusterEngine
from rarefind.cluster.journal import Result, task_key, write_rows
from rarefind.cluster.partitions import Files, Source
from rarefind.cluster.points import COPIED_ROWS, whole, write_points
from rarefind.cluster.tasks import Task
from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import DataError
from rarefind.geometry import Space
from rarefind.geometry.folding import fold, mixed_words

Encode: TypeAlias = Callable[[Any], FloatArray]
"""Makes vectors of an Arrow batch. Its ``repr`` tells it from others in the journal."""

_LARGEST = 1e150
"""Squares of larger numbers are infinite."""


def encoded_space(
    cluster: Cluster,
    files: Files,
    columns: Sequence[str],
    encode: Encode,
    names: Sequence[str] = (),
) -> Space:
    """Make the space of the vectors that ``encode`` makes of some columns of every partition.

    Parameters
    ----------
    cluster
        Who works.
    files
        The partitions.
    columns
        The columns that are read.
    encode
        Makes vectors of an Arrow batch.
    names
        What the columns of the vectors are called, where a hunt is to tell.
    """
    key = task_key("points", [files.sources, tuple(columns), encode])
    points = cluster.folder / f"points-{key}.npy"
    drafts = [cluster.folder / f"vectors-{task_key(key, [source])}.npy" for source in files.sources]
    tasks = [
        Task(
            prepare_partition,
            (source, tuple(columns), encode, str(draft)),
            source.what,
            "" if whole(points) else str(draft),
        )
        for source, draft in zip(files.sources, drafts, strict=True)
    ]
    marks = np.empty((files.n_rows, 2), dtype=np.uint64)
    for place, result in cluster.each("preparing partitions", tasks):
        source = files.sources[place]
        marks[source.start : source.start + source.rows] = result["marks"]
    folded = fold(marks)
    if len(folded.first_row) < 2:
        raise DataError(
            f"A hunt needs at least two different records. Got {len(marks)} row(s) that are all "
            "the same."
        )
    if not whole(points):
        rows = _first_rows(files.sources, drafts, folded.first_row)
        write_points(points, folded.weights, rows)
    for draft in drafts:
        draft.unlink(missing_ok=True)
    engine = ClusterEngine(cluster, points)
    return Space(replace(folded, records=engine.vectors), engine, engine.vectors, names)


def prepare_partition(
    source: Source, columns: tuple[str, ...], encode: Encode, made: str
) -> Result:
    """Encode a partition, write its vectors, and return the fingerprints of its rows."""
    marks: list[Any] = []

    def encoded() -> Iterator[FloatArray]:
        for batch in source.batches(columns):
            # Adding zero turns -0.0 into 0.0, which are equal but have different bytes.
            vectors = np.ascontiguousarray(encode(batch)) + 0.0
            if not np.abs(vectors).max(initial=0.0) <= _LARGEST:
                raise DataError(
                    f"A hunt needs numbers below {_LARGEST:g} so that distances can be computed, "
                    f"and {source.what} holds larger ones. Scale the features first."
                )
            words = vectors.view(np.uint64)
            marks.append(np.column_stack([mixed_words(words, seed) for seed in (1, 2)]))
            yield vectors

    write_rows(Path(made), source.rows, encoded())
    return {"marks": np.concatenate(marks)}


def _first_rows(
    sources: Sequence[Source], drafts: Sequence[Path], first_row: IntArray
) -> Iterator[FloatArray]:
    """Yield the vectors of the first row of every group of equal ones, partition by partition."""
    for source, draft in zip(sources, drafts, strict=True):
        low, high = np.searchsorted(first_row, [source.start, source.start + source.rows])
        try:
            vectors = np.load(draft, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as problem:
            raise DataError(
                f"The vectors of {source.what} cannot be read: {problem}. All machines must see "
                f"{draft.parent}."
            ) from None
        for start in range(low, high, COPIED_ROWS):
            chosen = first_row[start : min(start + COPIED_ROWS, high)] - source.start
            yield vectors[chosen]
