"""The parts of a record: what each column is learnt as, and a row of them for kernels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.features.encoders import Dates, Encoder, Numbers, Pictures, Words
from rarefind.features.table import MAX_WORDS
from rarefind.records.columns.kinds import ColumnKind
from rarefind.records.columns.sets_and_trees import sets_of, trees_of
from rarefind.records.columns.values import (
    booleans_of,
    dates_of,
    graphs_of,
    numbers_of,
    texts_of,
    words_of,
)
from rarefind.records.columns.vectors import vectors_of
from rarefind.records.embedding.making import made_vectors
from rarefind.records.table import Table

PIXELS = "pixels"
"""The model that compares pictures which nobody has given embeddings for."""

SPECIAL = ("text", "sequence", "molecule", "graph", "set", "tree")
"""Kinds that only a kernel can compare."""

_MOST_SPECIAL = 100
"""Columns of these kinds: all their kernels are computed for every distance. A choice."""


@dataclass(frozen=True)
class VectorPart:
    """A column, or a picture, that becomes numbers."""

    kind: ColumnKind
    encoder: Encoder

    def __call__(self, table: Table) -> FloatArray:
        """Encode the column of a table."""
        return self.encoder(_values(table, self.kind))


def compared_kinds(kinds: Sequence[ColumnKind]) -> list[ColumnKind]:
    """Leave pictures to be looked at where embeddings say what is on them."""
    embedded = any(kind.kind == "vector" for kind in kinds)
    return [
        replace(kind, kind="id")
        if embedded and kind.kind == "picture" and kind.shape is None
        else kind
        for kind in kinds
    ]


def refuse_too_many(special: Sequence[ColumnKind], source: str) -> None:
    """Raise DataError if so many columns need a kernel of their own that none would ever end."""
    if len(special) > _MOST_SPECIAL:
        raise DataError(
            f"{source}: {len(special):,} columns hold texts, sequences, molecules or graphs, and "
            f"each is compared by a kernel of its own, which at most {_MOST_SPECIAL} may have. "
            "Leave columns out by calling them identifiers, or make one text of several."
        )


def learn_part(table: Table, kind: ColumnKind) -> VectorPart | None:
    """Learn how a column becomes numbers; None if it holds nothing."""
    values = _values(table, kind)
    encoder: Encoder | None
    if kind.kind == "picture":
        names = kind.columns if kind.shape else _numbered(kind, values)
        encoder = Pictures.learnt(names, values)
    elif kind.kind == "vector":
        names = _numbered(kind, values)
        encoder = Pictures.learnt(names, values) if names else None
    elif kind.kind == "category":
        encoder = Words.learnt(kind.name, values, MAX_WORDS)
    elif kind.kind == "date":
        encoder = Dates.learnt(kind.name, values)
    else:
        encoder = Numbers.learnt(kind.name, values)
    return None if encoder is None else VectorPart(kind, encoder)


def stacked(parts: Sequence[VectorPart], table: Table) -> FloatArray:
    """Put the numbers of all parts side by side."""
    widths = [len(part.encoder.names) for part in parts]
    matrix = np.empty((table.n_rows, sum(widths)))
    begin = 0
    for part, width in zip(parts, widths, strict=True):
        matrix[:, begin : begin + width] = part(table)
        begin += width
    return matrix


def special_values(table: Table, kind: ColumnKind) -> list[Any]:
    """Return the cells of a column that a kernel compares."""
    read: Mapping[str, Callable[[Table, str], Any]] = {
        "graph": graphs_of,
        "set": sets_of,
        "tree": trees_of,
    }
    values: list[Any] = read.get(kind.kind, texts_of)(table, kind.name)
    return values


def part_values(table: Table, kind: ColumnKind, part: VectorPart | None) -> list[Any]:
    """Return what a kernel on one column is given: scaled numbers, words, texts or graphs."""
    if kind.kind in SPECIAL:
        return special_values(table, kind)
    if kind.kind in ("category", "id") or part is None:
        return texts_of(table, kind.name)
    numbers = part(table)
    if kind.kind in ("picture", "vector"):
        return [tuple(row) for row in numbers.tolist()]
    return numbers[:, 0].tolist()


class Row:
    """One record by the names of its parts. Equal records are equal, so they can be folded."""

    __slots__ = ("_places", "_values")

    def __init__(self, places: Mapping[str, int], values: tuple[Any, ...]) -> None:
        self._places, self._values = places, values

    def __getitem__(self, name: str) -> Any:
        return self._values[self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)

    def __repr__(self) -> str:
        return f"Row({', '.join(self._places)})"


def rows_of(parts: Mapping[str, list[Any]]) -> list[Row]:
    """Make one row per record of lists of parts."""
    places = {name: place for place, name in enumerate(parts)}
    return [Row(places, values) for values in zip(*parts.values(), strict=True)]


_READ: dict[str, Callable[[Table, str], Any]] = {
    "number": numbers_of,
    "boolean": booleans_of,
    "date": dates_of,
    "category": words_of,
    "vector": vectors_of,
}
"""How a column of each kind is read."""


def _numbered(kind: ColumnKind, values: FloatArray) -> tuple[str, ...]:
    return tuple(f"{kind.name}[{place}]" for place in range(values.shape[1]))


def are_numbered(names: Sequence[str]) -> bool:
    """Tell whether all features are numbers of embeddings or pictures, by their names."""
    return bool(names) and all(re.search(r"\[\d+\]$", name) for name in names)


def _values(table: Table, kind: ColumnKind) -> Any:
    if kind.kind == "picture" and kind.shape is None:
        return made_vectors(table.column(kind.name).tolist(), PIXELS)[0]
    if kind.kind == "picture":
        return np.column_stack([numbers_of(table, name) for name in kind.columns])
    return _READ[kind.kind](table, kind.name)
