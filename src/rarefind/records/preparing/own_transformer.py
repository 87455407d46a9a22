"""A scikit-learn transformer in place of our own preparation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse

from rarefind.core.arrays import Records, finite_matrix
from rarefind.core.errors import DataError, RarefindError
from rarefind.records.columns.kinds import ColumnKind
from rarefind.records.preparing.parts import SPECIAL, special_values
from rarefind.records.table import Table

_FRAMES: tuple[Literal["pandas", "polars", "pyarrow"], ...] = ("pandas", "polars", "pyarrow")
"""Whichever is installed, the one most transformers know first."""


@dataclass(frozen=True)
class Transformed:
    """A fitted transformer, and what it made of the first table.

    A table of one column of texts is given to it as a list of texts, any other as a DataFrame of
    pandas or polars, whichever is installed: numbers as numbers, anything else as words.
    """

    transformer: Any
    kinds: tuple[ColumnKind, ...]
    first: Records
    names: tuple[str, ...]

    @classmethod
    def learnt(cls, transformer: Any, table: Table, kinds: Sequence[ColumnKind]) -> Transformed:
        """Fit a copy of the transformer to the table."""
        from sklearn.base import clone

        owner = type(transformer).__name__
        if not hasattr(transformer, "fit") or not hasattr(transformer, "transform"):
            raise DataError(
                f"The transformer must have fit and transform, as those of scikit-learn. Got "
                f"{owner} instead."
            )
        fitted = clone(transformer)
        given = _given(table, kinds)
        try:
            made = fitted.fit_transform(given)
        except RarefindError:
            raise
        except (ValueError, TypeError, KeyError) as problem:
            raise DataError(f"{table.source}: {owner} cannot use the table: {problem}") from problem
        first = _checked(made, owner)
        names: tuple[str, ...] = ()
        if hasattr(fitted, "get_feature_names_out"):
            names = tuple(str(name) for name in fitted.get_feature_names_out())
        return cls(fitted, tuple(kinds), first, names)

    def __call__(self, table: Table) -> Records:
        """Transform another table."""
        owner = type(self.transformer).__name__
        try:
            made = self.transformer.transform(_given(table, self.kinds))
        except (ValueError, TypeError, KeyError) as problem:
            raise DataError(f"{table.source}: {owner} cannot use the table: {problem}") from problem
        return _checked(made, owner)


def _given(table: Table, kinds: Sequence[ColumnKind]) -> Any:
    if len(kinds) == 1 and kinds[0].kind in SPECIAL:
        return special_values(table, kinds[0])
    names = [name for kind in kinds for name in kind.columns]
    columns = {name: table.column(name) for name in names}
    for backend in _FRAMES:
        if find_spec(backend) is not None:
            data = {
                name: column if column.dtype.kind == "f" else column.tolist()
                for name, column in columns.items()
            }
            return nw.from_dict(data, backend=backend).to_native()
    return np.column_stack([column.astype(object) for column in columns.values()])


def _checked(made: Any, owner: str) -> Records:
    if sparse.issparse(made):
        return sparse.csr_array(made, dtype=np.float64)
    return finite_matrix(made, owner)
