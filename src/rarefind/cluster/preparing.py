"""From Parquet files to points that a hunt can take place among: two passes, no shuffle.

The first pass fetches one column at a time, to learn its scale exactly as one machine would. The
second brings every partition to these scales, writes its vectors beside the journal, and gives
each row a fingerprint of 128 bits, by which identical rows of all partitions are found.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rarefind.cluster.connection import Cluster, Task
from rarefind.cluster.engine import ClusterEngine
from rarefind.cluster.journal import Result, task_key
from rarefind.cluster.partitions import Part, Source, find_sources, number_columns, write_array
from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.progress import report
from rarefind.geometry import Space
from rarefind.geometry.folding import Folded, fold, mixed_words
from rarefind.geometry.scaling import Squash, Standard


def cluster_space(
    cluster: Cluster, path: Path, *, columns: Sequence[str] | None = None, scale: str = "squash"
) -> Space:
    """Make the space of the rows of Parquet files, to be given to a Hunt in place of records.

    Parameters
    ----------
    cluster
        Who works.
    path
        A Parquet file or a folder of them, seen by all machines. Each group of rows is a
        partition.
    columns
        The columns of numbers to compare by; None for all.
    scale
        ``"squash"``, ``"standard"`` or ``"none"``, as in :class:`rarefind.Hunt`.
    """
    if scale not in ("squash", "standard", "none"):
        raise ParameterError(
            f"The 'scale' of cluster_space must be 'squash', 'standard' or 'none'. Got {scale!r}."
        )
    sources = find_sources(path)
    names = number_columns(sources[0], columns)
    scales = np.column_stack([_learnt(cluster, sources, name, scale) for name in names])
    tasks = []
    for source in sources:
        key = task_key("vectors", [source, names, scale, scales])
        made = str(cluster.folder / f"vectors-{key}.npy")
        arguments = (source, tuple(names), scale, scales, made)
        tasks.append(Task(prepare_partition, arguments, source.what, made))
    results = cluster.run("preparing partitions", tasks)
    marks = np.concatenate([result["marks"] for result in results])
    folded = fold(marks)
    if len(folded.first_row) < 2:
        raise DataError(
            f"A hunt needs at least two different records. Got {len(marks)} row(s) that are all "
            "the same."
        )
    parts = _parts(cluster, sources, tasks, results, folded)
    return Space(folded, ClusterEngine(cluster, parts, folded.weights), None, names)


def read_column(source: Source, name: str) -> Result:
    """Read one column of a partition as numbers."""
    return {"values": _numbers(source, [name])[:, 0]}


def prepare_partition(
    source: Source, names: tuple[str, ...], scale: str, scales: FloatArray, made: str
) -> Result:
    """Bring a partition to scale and write its vectors; return its box and fingerprints."""
    matrix = _numbers(source, names)
    vectors = np.ascontiguousarray(_scaled(matrix, scale, scales)) + 0.0
    write_array(Path(made), vectors)
    words = vectors.view(np.uint64)
    marks = np.column_stack([mixed_words(words, seed) for seed in (1, 2)])
    return {"low": vectors.min(axis=0), "high": vectors.max(axis=0), "marks": marks}


def _numbers(source: Source, names: Sequence[str]) -> FloatArray:
    read = source.read(list(names))
    columns = []
    for name in names:
        values = read.column(name).to_numpy().astype(np.float64)
        gaps = np.flatnonzero(~np.isfinite(values))
        if gaps.size:
            raise DataError(
                f"A hunt needs finite numbers. Row {source.start + gaps[0]} of column {name!r} is "
                "missing or infinite; fill it in or leave the row out."
            )
        columns.append(values)
    return np.column_stack(columns)


def _learnt(cluster: Cluster, sources: list[Source], name: str, scale: str) -> FloatArray:
    """Learn the scale of one column, as six numbers; from the journal if it was learnt before."""
    if scale == "none":
        return np.zeros(6)
    key = task_key("scale", [sources, name, scale])
    known = cluster.journal.read(key)
    if known is not None:
        return known["scale"]
    tasks = [Task(read_column, (source, name), source.what) for source in sources]
    found = cluster.run(f"reading {name}", tasks, keep=False)
    column = np.concatenate([result["values"] for result in found])[:, None]
    if scale == "standard":
        numbers = [0.0, 0.0, 0.0, *_standard_numbers(Standard.learnt(column))]
    else:
        squash = Squash.learnt(column)
        own = [float(squash.exponent[0]), float(squash.middle[0]), float(squash.scale[0])]
        numbers = [*own, *_standard_numbers(squash.standard)]
    cluster.journal.write(key, {"scale": np.array(numbers)})
    report("learning scales", 1, 1)
    return np.array(numbers)


def _standard_numbers(standard: Standard) -> list[float]:
    return [float(standard.exponent[0]), float(standard.mean[0]), float(standard.deviation[0])]


def _scaled(matrix: FloatArray, scale: str, scales: FloatArray) -> FloatArray:
    if scale == "none":
        return matrix
    standard = Standard(scales[3].astype(np.int64), scales[4], scales[5])
    if scale == "standard":
        return standard(matrix)
    return Squash(scales[0].astype(np.int64), scales[1], scales[2], standard)(matrix)


def _parts(
    cluster: Cluster,
    sources: list[Source],
    tasks: list[Task],
    results: list[Result],
    folded: Folded,
) -> list[Part]:
    """Say which rows of each partition are points: the first of every group of equal rows."""
    parts: list[Part] = []
    first = 0
    for source, task, result in zip(sources, tasks, results, strict=True):
        low, high = np.searchsorted(folded.first_row, [source.start, source.start + source.rows])
        if low == high:
            continue
        rows = folded.first_row[low:high] - source.start
        weights = folded.weights[low:high]
        kept = ""
        if len(rows) < source.rows or (weights > 1).any():
            key = task_key(task.made, [rows, weights])
            kept = str(cluster.folder / f"kept-{key}.npz")
            write_array(Path(kept), {"rows": rows, "weights": weights})
        box = tuple(result["low"].tolist()), tuple(result["high"].tolist())
        parts.append(Part(task.made, kept, first, len(rows), *box))
        first += len(rows)
    return parts
