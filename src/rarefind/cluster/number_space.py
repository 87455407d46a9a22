"""Parquet files of nothing but numbers, as a space for a hunt in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.cluster.connection import Cluster
from rarefind.cluster.journal import Result
from rarefind.cluster.partitions import Files, Source, find_files
from rarefind.cluster.preparing import encoded_space
from rarefind.cluster.tasks import Task
from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError, ParameterError
from rarefind.features.scaling import Squash, Standard
from rarefind.geometry import Space

_NUMBERS = ("int", "uint", "float", "double", "halffloat")
"""How Arrow's names of number types begin."""


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
    files = find_files(path)
    names = _number_columns(files, columns)
    tasks = [Task(learn_scale, (files.sources, name, scale), f"column {name!r}") for name in names]
    found = cluster.run("learning scales", tasks)
    learnt = tuple(tuple(result["scale"].tolist()) for result in found)
    return encoded_space(cluster, files, names, _Scaled(tuple(names), scale, learnt), names)


def learn_scale(sources: tuple[Source, ...], name: str, scale: str) -> Result:
    """Learn the scale of one column from all partitions, as six numbers."""
    column = np.concatenate([_checked(source, name) for source in sources])[:, None]
    numbers = [0.0] * 6
    if scale == "standard":
        numbers[3:] = _of_standard(Standard.learnt(column))
    if scale == "squash":
        squash = Squash.learnt(column)
        numbers[:3] = float(squash.exponent[0]), float(squash.middle[0]), float(squash.scale[0])
        numbers[3:] = _of_standard(squash.standard)
    return {"scale": np.array(numbers)}


@dataclass(frozen=True)
class _Scaled:
    """Brings columns of numbers to scales learnt before."""

    names: tuple[str, ...]
    scale: str
    learnt: tuple[tuple[float, ...], ...]

    def __call__(self, batch: Any) -> FloatArray:
        matrix = np.column_stack([_numbers(batch, name) for name in self.names])
        if self.scale == "none":
            return matrix
        exponent, middle, scale, *rest = np.array(self.learnt).T
        standard = Standard(rest[0].astype(np.int64), rest[1], rest[2])
        if self.scale == "standard":
            return standard(matrix)
        return Squash(exponent.astype(np.int64), middle, scale, standard)(matrix)


def _of_standard(standard: Standard) -> list[float]:
    return [float(standard.exponent[0]), float(standard.mean[0]), float(standard.deviation[0])]


def _checked(source: Source, name: str) -> FloatArray:
    values = np.concatenate([_numbers(batch, name) for batch in source.batches([name])])
    gaps = np.flatnonzero(~np.isfinite(values))
    if gaps.size:
        raise DataError(
            f"A hunt needs finite numbers. Row {source.start + gaps[0]} of column {name!r} is "
            "missing or infinite; fill it in or leave the row out."
        )
    return values


def _numbers(batch: Any, name: str) -> FloatArray:
    column = batch.column(batch.schema.get_field_index(name))
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _number_columns(files: Files, columns: Sequence[str] | None) -> list[str]:
    """Return the columns of numbers to compare by; refuse others by name."""
    types = dict(zip(files.names, files.types, strict=True))
    names = list(columns) if columns is not None else list(files.names)
    for name in names:
        if name not in types:
            raise DataError(f"{files.name} has no column {name!r}.")
        if not types[name].startswith(_NUMBERS):
            raise DataError(
                f"Column {name!r} holds {types[name]}, not numbers. Name the columns of numbers to "
                "compare by, or begin a hunt in the file, which prepares the others."
            )
    return names
