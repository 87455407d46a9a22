"""From whatever the user has to the space a hunt takes place in."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import Records, count
from rarefind.core.errors import DataError, RarefindWarning
from rarefind.core.identifiers import why_an_id
from rarefind.features.table import table_vectors
from rarefind.geometry import Precomputed, Space, distance_space, kernel_space, vector_space
from rarefind.kernels import GivenGram, make_kernel
from rarefind.kernels.contract import Kernel


def make_space(X: Records, kernel: str | Kernel | None, scale: str) -> Space:
    """Make the space of vectors, of a table, of given distances or similarities, or of a kernel."""
    if isinstance(X, Space):
        return X
    if isinstance(X, Precomputed):
        return distance_space(X)
    if isinstance(kernel, str) and kernel == "precomputed":
        return kernel_space(np.arange(count(X))[:, None], GivenGram(X))
    if kernel is not None:
        return kernel_space(X, make_kernel(kernel))
    table = nw.from_native(X, pass_through=True, eager_only=True)
    if not isinstance(table, nw.DataFrame):
        return vector_space(X, scale=scale)
    _warn_of_identifiers(table)
    columns = {name: _column(table[name]) for name in table.columns}
    _refuse_infinite(columns)
    numbers = all(kind.is_numeric() for kind in table.schema.values())
    if numbers and not any(np.isnan(column).any() for column in columns.values()):
        return vector_space(table.to_numpy(), scale=scale, names=table.columns)
    vectors = table_vectors(columns)
    return vector_space(vectors.X, scale="none", names=vectors.names)


def _warn_of_identifiers(table: nw.DataFrame[Any]) -> None:
    """Say it where numbers that only tell records apart are compared like any other."""
    for name, kind in table.schema.items():
        why = kind.is_numeric() and why_an_id(name, _column(table[name]))
        if why and len(table.columns) > 1:
            warnings.warn(
                f"The column {name!r} seems to tell records apart ({why}) and is compared like any "
                "other; leave it out of the table given to Hunt unless it should be.",
                RarefindWarning,
                stacklevel=5,
            )


def _refuse_infinite(columns: Mapping[str, NDArray[Any]]) -> None:
    """Name the first infinite number by its column, which a matrix no longer could."""
    for name, column in columns.items():
        infinite = np.flatnonzero(np.isinf(column)) if column.dtype.kind == "f" else column[:0]
        if infinite.size:
            raise DataError(
                f"A hunt needs finite numbers. Row {infinite[0]} of column {name!r} is infinite; "
                "leave it empty or leave the row out."
            )


def _column(series: nw.Series[Any]) -> NDArray[Any]:
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        return series.cast(nw.Float64).to_numpy()
    if series.dtype == nw.Datetime or series.dtype == nw.Date:
        return series.dt.timestamp("ms").cast(nw.Float64).to_numpy()
    words = [None if cell is None else str(cell) for cell in series.to_list()]
    return np.array(words, dtype=object)
