"""Which records a query means."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.identifiers import COUNTING
from rarefind.features.cells.dates import read_dates
from rarefind.records.columns.kinds import ColumnKind
from rarefind.records.table import Table, as_word
from rarefind.service.finding.as_written import AsWritten, plain_number
from rarefind.service.finding.grammar import All, Compared, InState, Not, Query, Some, Word
from rarefind.service.finding.tokens import QueryError, QueryToken

Mask = NDArray[np.bool_]

_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""What each sign of a query means."""

_MOST_REMEMBERED = 100_000
"""Different cells whose verdict is remembered: categories repeat, texts do not."""

_DAY = 86_400.0
"""Seconds: a date without a time means the whole day."""


@dataclass(frozen=True)
class Spoken:
    """What was said of records: the class of each, who spoke of it, what was left undecided."""

    labels: Mapping[int, str]
    speakers: Mapping[int, frozenset[str] | set[str]]
    skipped: frozenset[int]
    disputed: frozenset[int]


class Matcher:
    """Tells which records of a table, and of what was said about them, a query means."""

    def __init__(self, table: Table, kinds: Sequence[ColumnKind], answers: Spoken) -> None:
        self._table, self._answers = table, answers
        self._kinds = {kind.name: kind.kind for kind in kinds}
        self._n = table.n_rows
        self._as_written: dict[str, AsWritten] = {}

    def is_value(self, name: str, text: str) -> bool:
        """Tell whether a text of several words is a number or a date as a column writes them."""
        columns = [each for each in self._table.columns if each.casefold() == name.casefold()]
        if len(columns) != 1:
            return False
        if self._kinds.get(columns[0]) == "date":
            return read_dates([text]) is not None
        written = self._written(columns[0])
        return written is not None and written.reads_together(text)

    def mask(self, query: Query) -> Mask:
        """Return True for every record that is meant."""
        match query:
            case All(parts):
                return reduce(np.logical_and, map(self.mask, parts), np.ones(self._n, dtype=bool))
            case Some(parts):
                return reduce(np.logical_or, map(self.mask, parts))
            case Not(part):
                return ~self.mask(part)
            case InState("unlabelled"):
                return ~self._these(self._answers.labels)
            case InState(state):
                said = self._answers
                rows = {"labelled": said.labels, "skipped": said.skipped, "disputed": said.disputed}
                return self._these(rows[state])
            case Word(text):
                return self._word(text)
        return self._compared(query)

    def _these(self, rows: Any) -> Mask:
        found = np.zeros(self._n, dtype=bool)
        known = np.fromiter(rows, dtype=np.int64, count=len(rows))
        found[known[known < self._n]] = True
        return found

    def _word(self, text: str) -> Mask:
        wanted, number = text.casefold(), plain_number(text)
        found = np.zeros(self._n, dtype=bool)
        for column in self._table.columns.values():
            if column.dtype.kind != "f":
                found |= _cells(column, lambda word: wanted in word.casefold())
            elif number is not None:
                found |= column == number
        return found

    def _compared(self, query: Compared) -> Mask:
        if query.name.plain == "class":
            return self._of_class(query)
        if query.name.plain == "by":
            return self._by(query)
        if query.name.plain == "row":
            rows = np.arange(self._n, dtype=np.float64)
            return self._numbers(rows, query, "'row' is a number")
        name = self._column(query.name)
        column = self._table.columns[name]
        if query.value.plain == "missing" and query.sign in ("=", "!="):
            gap = np.isnan(column) if column.dtype.kind == "f" else _gaps(column)
            return gap if query.sign == "=" else ~gap
        if query.sign != "~":
            if self._kinds.get(name) == "date":
                return self._dates(column, query, name)
            if column.dtype.kind == "f":
                what = f"the column {name!r} holds numbers"
                return self._numbers(column, query, what, self._written(name))
        return self._words(column, query, name)

    def _of_class(self, query: Compared) -> Mask:
        labels = self._answers.labels
        wanted = _same(query, sorted(set(labels.values())), "class")
        return self._equal({row for row, label in labels.items() if label in wanted}, query)

    def _by(self, query: Compared) -> Mask:
        speakers = self._answers.speakers
        wanted = _same(query, sorted({name for names in speakers.values() for name in names}), "by")
        return self._equal({row for row, names in speakers.items() if wanted & names}, query)

    def _equal(self, rows: set[int], query: Compared) -> Mask:
        found = self._these(rows)
        return ~found if query.sign == "!=" else found

    def _column(self, name: QueryToken) -> str:
        columns = list(self._table.columns)
        if name.text in self._table.columns:
            return name.text
        alike = [each for each in columns if each.casefold() == name.text.casefold()]
        if len(alike) == 1:
            return alike[0]
        raise QueryError(
            f"There is no column {name.text!r}, named at character {name.at} of the query."
            + _hint(name.text, [*columns, "class", "by", "row"])
        )

    def _written(self, name: str) -> AsWritten | None:
        if self._table.columns[name].dtype.kind != "f":
            return None
        if name not in self._as_written:
            self._as_written[name] = AsWritten.of(self._table, name)
        return self._as_written[name]

    def _numbers(
        self, column: NDArray[Any], query: Compared, what: str, written: AsWritten | None = None
    ) -> Mask:
        text = query.value.text
        number = plain_number(text) if written is None else written.number(text)
        if number is None or query.sign == "~":
            such = "1000 or 0.5" if written is None else written.such_as()
            raise QueryError(
                f"The query compares with {query.value.text!r} at character {query.value.at}, but "
                f"{what}: write one such as {such}."
            )
        found: Mask = _COMPARE[query.sign](column, number)
        return found & ~np.isnan(column)

    def _dates(self, column: NDArray[Any], query: Compared, name: str) -> Mask:
        # Together with the column: which of 5/6/24 is the month is decided from all cells.
        both = read_dates([*(as_word(cell) for cell in column), query.value.text])
        if both is None or np.isnan(both[-1]):
            raise QueryError(
                f"The query compares with {query.value.text!r} at character {query.value.at}, but "
                f"the column {name!r} holds dates: write one such as 2024-01-31."
            )
        read, begins = both[:-1], both[-1]
        ends = begins if ":" in query.value.text else np.nextafter(begins + _DAY, begins)
        inside = (read >= begins) & (read <= ends)
        compared = {
            "=": inside, "!=": ~inside & ~np.isnan(read), "<": read < begins, "<=": read <= ends,
            ">": read > ends, ">=": read >= begins,
        }  # fmt: skip
        return compared[query.sign]

    def _words(self, column: NDArray[Any], query: Compared, name: str) -> Mask:
        wanted = query.value.text.casefold()
        if query.sign == "~":
            return _cells(column, lambda word: wanted in word.casefold())
        if query.sign not in ("=", "!="):
            raise QueryError(
                f"The query has {query.sign} after {query.name.text!r} at character "
                f"{query.name.at}, but that column holds words: compare them by =, != or ~ (holds)."
            )
        same = _cells(column, lambda word: word.strip().casefold() == wanted)
        return same if query.sign == "=" else ~same & ~_gaps(column)


def rows_of_id(table: Table, kinds: Sequence[ColumnKind], word: str) -> list[int]:
    """Return the rows that a column of ids has a word in, those that only count aside."""
    found = np.zeros(table.n_rows, dtype=bool)
    for kind in kinds:
        if kind.kind == "id" and kind.why not in COUNTING:
            found |= _cells(table.columns[kind.name], lambda cell: cell.strip() == word)
    return [int(row) for row in np.flatnonzero(found)]


def _cells(column: NDArray[Any], test: Callable[[str], bool]) -> Mask:
    """Tell which cells are words that pass a test; each different word is tested once."""
    known: dict[str, bool] = {}
    found = np.zeros(len(column), dtype=bool)
    for row, cell in enumerate(column.tolist()):
        word = cell if isinstance(cell, str) else as_word(cell)
        if word is None:
            continue
        verdict = known.get(word)
        if verdict is None:
            verdict = test(word)
            if len(known) < _MOST_REMEMBERED:
                known[word] = verdict
        found[row] = verdict
    return found


def _gaps(column: NDArray[Any]) -> Mask:
    if column.dtype.kind == "f":
        return np.isnan(column)
    return np.fromiter((cell is None for cell in column), dtype=bool, count=len(column))


def _same(query: Compared, known: Sequence[str], name: str) -> set[str]:
    """Name those that are meant, capitals aside; nobody of that name is an error."""
    if query.sign not in ("=", "!=", "~"):
        raise QueryError(
            f"The query has {name} {query.sign} at character {query.name.at}: names are compared "
            "by =, != or ~ (holds)."
        )
    text = query.value.text.casefold()
    if query.sign == "~":
        return {each for each in known if text in each.casefold()}
    wanted = {each for each in known if each.casefold() == text}
    if not wanted:
        what = "No class is called" if name == "class" else "Nobody who answered is called"
        raise QueryError(
            f"{what} {query.value.text!r}, named at character {query.value.at} of the query."
            + _hint(query.value.text, known)
        )
    return wanted


def _hint(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    quoted = [each if each.isidentifier() else f'"{each}"' for each in near]
    return f" Did you mean {quoted[0]}?" if quoted else ""
