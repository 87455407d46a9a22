"""A record laid out for a person: its fields, what is unusual, and what it looks like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import DataError
from rarefind.features.cells.dates import read_dates
from rarefind.features.cells.number_marks import forced_numbers
from rarefind.records.columns.kinds import ColumnKind
from rarefind.records.pictures.photographs import photograph
from rarefind.records.shown.collections import collection_payload, graph_payload
from rarefind.records.shown.column_facts import (
    NumberFacts,
    StringFacts,
    TermFacts,
    Unusual,
    WordFacts,
)
from rarefind.records.shown.in_one_line import record_summary, shown_cell
from rarefind.records.shown.molecules import molecule_payload
from rarefind.records.table import Table, as_word, is_graph
from rarefind.service.hunts.records import HuntData
from rarefind.service.showing.views import Difference

_MOST_LOOKED = 200
"""Columns looked at for a summary: of a table with more, a line can tell little anyway."""

_MOST_PICTURE_POINTS = 100_000
"""A larger picture would make the answer slow: about 316 by 316."""


_MOST_DIFFERENCES = 3
"""Differences told of a neighbour: what fits beside a question."""

_PLAIN = ("number", "date", "boolean", "category")
"""Kinds of columns whose cells are values to compare."""


@dataclass(frozen=True)
class FieldView:
    """One field of a record.

    Attributes
    ----------
    name, kind, value
        Which column, what it holds, and the cell in words.
    unusual
        From 0 (as everybody's) over 0.5 (one in a hundred) to 1 (one in ten thousand).
    marked
        Whether a person should be pointed to it.
    note
        How it compares with other records, in words.
    histogram
        Counts over the usual range of a number, and the bin this one is in.
    """

    name: str
    kind: str
    value: str
    unusual: float
    marked: bool
    note: str
    histogram: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class RecordView:
    """A record: its fields, and texts, sequences, pictures, graphs and molecules to be drawn."""

    row: int
    summary: str
    fields: tuple[FieldView, ...]
    payloads: tuple[Mapping[str, Any], ...]


class RecordViewer:
    """Lays out the records of a hunt; what is usual in a column is found out once."""

    def __init__(self, table: Table, kinds: Sequence[ColumnKind]) -> None:
        self.table, self.kinds = table, kinds
        self._facts: dict[str, Any] = {}

    @classmethod
    def of(cls, data: HuntData) -> RecordViewer:
        """Show the records of a hunt."""
        return cls(data.table, data.kinds)

    def record(self, row: int) -> RecordView:
        """Lay out one record."""
        fields: list[FieldView] = []
        payloads: list[Mapping[str, Any]] = []
        photographs = any(kind.kind == "picture" and kind.shape is None for kind in self.kinds)
        for kind in self.kinds:
            if kind.kind == "vector" and photographs:
                continue  # numbers that say to a machine what people see
            payload = self._payload(kind, row)
            if payload is not None:
                payloads.append(payload)
            if kind.kind != "picture" or kind.shape is None:
                fields.append(self._field(kind, row))
        return RecordView(row, self.summary(row), tuple(fields), tuple(payloads))

    def summary(self, row: int) -> str:
        """Tell a record in a line: its id, what sets it apart (marked by a star), other fields."""
        looked = [kind for kind in self.kinds[:_MOST_LOOKED] if kind.kind in _PLAIN]
        unusual = {kind.name: self._unusual(kind, row)[0] for kind in looked}
        return record_summary(self.table, self.kinds, row, unusual)

    def differences(self, row: int, other: int) -> tuple[Difference, ...]:
        """Tell in which fields another record differs most from this one, the largest first."""
        found = [
            Difference(kind.name, shown_cell(self.table, kind.name, other), size)
            for kind in self.kinds
            if kind.kind in _PLAIN and (size := self._apart(kind, row, other)) > 0.0
        ]
        return tuple(sorted(found, key=lambda each: -each.size)[:_MOST_DIFFERENCES])

    def _apart(self, kind: ColumnKind, row: int, other: int) -> float:
        facts = self._facts_of(kind)
        if isinstance(facts, NumberFacts):
            numbers = self.numbers(kind)
            return facts.apart(float(numbers[row]), float(numbers[other]))
        cells = self.table.columns[kind.name]
        return float(as_word(cells[row]) != as_word(cells[other]))

    def _unusual(self, kind: ColumnKind, row: int) -> tuple[Unusual, Mapping[str, Any] | None]:
        """Tell how unusual a cell is, and where it is among all numbers."""
        facts = self._facts_of(kind)
        if isinstance(facts, NumberFacts):
            number = float(self.numbers(kind)[row])
            return facts.unusual(number), facts.histogram(number)
        if isinstance(facts, WordFacts):
            return facts.unusual(as_word(self.table.columns[kind.name][row])), None
        return Unusual(1.0, ""), None

    def _field(self, kind: ColumnKind, row: int) -> FieldView:
        unusual, histogram = self._unusual(kind, row)
        return FieldView(
            kind.name,
            kind.kind,
            shown_cell(self.table, kind.name, row),
            round(unusual.level, 4),
            unusual.marked,
            unusual.words,
            histogram,
        )

    def _payload(self, kind: ColumnKind, row: int) -> Mapping[str, Any] | None:
        if kind.kind == "picture":
            own = kind.shape is None
            return self._photograph(kind, row) if own else self._picture(kind, row)
        if kind.kind not in ("text", "sequence", "molecule", "graph", "set", "tree"):
            return None
        cell = self.table.columns[kind.name][row]
        if cell is None:
            return None
        if kind.kind == "graph":
            return graph_payload(kind.name, cell) if is_graph(cell) else None
        if kind.kind in ("set", "tree"):
            return collection_payload(self.table, kind.name, kind.kind, row)
        if kind.kind == "molecule":
            return molecule_payload(kind.name, str(cell))
        text = as_word(cell) or ""
        marks = self._facts_of(kind).marks(text)
        return {"kind": kind.kind, "name": kind.name, "text": text, "marks": marks}

    def _picture(self, kind: ColumnKind, row: int) -> Mapping[str, Any] | None:
        if kind.shape is None or len(kind.columns) > _MOST_PICTURE_POINTS:
            return None
        columns = self.table.columns
        values = np.nan_to_num(np.array([columns[name][row] for name in kind.columns]))
        brightest = self._once(
            f"picture {kind.name}",
            lambda: max(float(np.nanmax(columns[name], initial=0.0)) for name in kind.columns),
        )
        bright = np.clip(values / max(brightest, 1e-12), 0.0, 1.0).round(4)
        return {
            "kind": "picture",
            "name": kind.name,
            "shape": list(kind.shape),
            "values": bright.tolist(),
        }

    def _photograph(self, kind: ColumnKind, row: int) -> Mapping[str, Any] | None:
        cell = self.table.columns[kind.name][row]
        try:
            shown = None if cell is None else photograph(cell)
        except DataError as problem:
            return {"kind": "broken", "name": kind.name, "text": str(problem)}
        return None if shown is None else {"kind": "picture", "name": kind.name, **shown}

    def _facts_of(self, kind: ColumnKind) -> Any:
        name, column = kind.name, self.table.columns[kind.name]
        facts: Mapping[str, Callable[[], Any]] = {
            "date": lambda: NumberFacts(self.numbers(kind), ("earlier", "later")),
            "number": lambda: NumberFacts(self.numbers(kind)),
            "boolean": lambda: WordFacts(_words(column)),
            "category": lambda: WordFacts(_words(column)),
            "sequence": lambda: StringFacts(column),
            "text": lambda: TermFacts(column),
        }
        return self._once(name, facts.get(kind.kind, lambda: None))

    def numbers(self, kind: ColumnKind) -> NDArray[np.float64]:
        """Return a column of numbers, or of dates in seconds; one of words is read once."""
        column = self.table.columns[kind.name]
        if column.dtype.kind == "f" and kind.kind == "number":
            return column

        def read() -> NDArray[np.float64]:
            words = [as_word(cell) for cell in column]
            if kind.kind == "date":
                found = read_dates(words)
            else:
                found = (forced_numbers(words) or (None,))[0]
            return np.full(len(column), np.nan) if found is None else found

        return self._once(f"numbers {kind.name}", read)

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._facts:
            self._facts.setdefault(name, make())
        return self._facts[name]


def _words(column: NDArray[Any]) -> NDArray[Any]:
    if column.dtype.kind != "f":
        return column
    return np.array([as_word(cell) for cell in column.tolist()], dtype=object)
