"""What kind of thing each column holds, found out from its cells and open to correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.features.cells.dates import are_dates, read_dates
from rarefind.features.cells.number_marks import forced_numbers
from rarefind.features.cells.yes_or_no import YES_OR_NO
from rarefind.records.columns.guessing import guess_kind
from rarefind.records.columns.named_kind import KINDS, ColumnKind, facts, holds_graphs
from rarefind.records.columns.picture_grids import Grid, find_grids, possible_grids
from rarefind.records.columns.sets_and_trees import sets_of, trees_of
from rarefind.records.columns.vectors import vectors_of
from rarefind.records.pictures.finding import holds_pictures
from rarefind.records.table import Column, Table, as_word

__all__ = ["KINDS", "ColumnKind", "detect_kinds"]


def detect_kinds(
    table: Table, overrides: Mapping[str, str] | None = None
) -> tuple[ColumnKind, ...]:
    """Find out what each column holds; ``overrides`` say it for some, by name.

    A group of columns that forms a picture is one kind; it is named by itself or by what its
    columns begin with.

    >>> cells = {"size": np.array([1.0, 2.5]), "ok": np.array(["yes", "no"], object)}
    >>> [kind.kind for kind in detect_kinds(Table(cells, "t"), {"size": "category"})]
    ['category', 'boolean']
    """
    wanted = dict(overrides or {})
    for name, kind in wanted.items():
        if kind not in KINDS:
            raise unknown_name(f"kind (for column {name!r})", kind, KINDS)
    grids = find_grids(table.columns, _grid_choices(wanted))
    in_grid = {name: grid for grid in grids for name in grid.names}
    groups = {part for grid in possible_grids(table.columns) for part in (grid.prefix, grid.title)}
    names = [*table.columns, *sorted(groups - {""})]
    for name in wanted:
        if name not in names:
            raise unknown_name(f"column in {table.source} called", name, names)
    kinds = []
    for name, column in table.columns.items():
        grid = in_grid.get(name)
        if grid is None:
            kinds.append(
                _told(name, column, wanted[name], table)
                if name in wanted
                else guess_kind(name, column, table)
            )
        elif name == grid.names[0]:
            kinds.append(_picture(grid, table, wanted))
    return tuple(_with_what_is_said(kinds, table.writing.whole))


def _with_what_is_said(kinds: list[ColumnKind], whole: tuple[str, ...]) -> list[ColumnKind]:
    """Say what holds of the whole file beside the first column that is compared.

    Beside one that is left out it would read as the reason for that.
    """
    if not whole or not kinds:
        return kinds
    place = next((place for place, kind in enumerate(kinds) if kind.kind != "id"), 0)
    said = replace(kinds[place], why=", ".join([kinds[place].why, *whole]))
    return [*kinds[:place], said, *kinds[place + 1 :]]


def _grid_choices(wanted: Mapping[str, str]) -> tuple[set[str], set[str]]:
    pictures = {name for name, kind in wanted.items() if kind == "picture"}
    return pictures, set(wanted) - pictures


def _picture(grid: Grid, table: Table, wanted: Mapping[str, str]) -> ColumnKind:
    cells = [table.columns[name] for name in grid.names]
    missing = int(sum(np.isnan(column).sum() for column in cells))
    examples = tuple(as_word(cells[0][row]) or "" for row in range(min(3, table.n_rows)))
    height, width = grid.shape
    why = f"{len(grid.names)} columns of numbers that form a grid of {height} by {width}"
    if grid.title in wanted or grid.prefix in wanted:
        why = f"as you said: a grid of {height} by {width}"
    return ColumnKind(grid.title, "picture", why, missing, examples, grid.names, grid.shape)


def _told(name: str, column: Column, kind: str, table: Table) -> ColumnKind:
    source, note = table.source, table.writing.notes.get(name)
    why = f"as you said, {note}" if note else "as you said"
    found = ColumnKind(name, kind, why, *facts(column), (name,))
    words = [as_word(cell) for cell in column]
    if kind == "picture" and not holds_pictures(column):
        raise DataError(
            f"{source}: column {name!r} alone is no picture. Name what the columns of its grid "
            "begin with, as in p for p0 to p63; files that it names must lie beside the table."
        )
    if kind == "number" and column.dtype.kind != "f":
        read = forced_numbers(words)
        if read is None:
            _refuse_words(name, column, source, "number", [_is_number(w) for w in words if w])
        else:
            why = f"as you said, {read[1]}" if read[1] else "as you said"
            found = replace(found, why=why, missing=int(np.isnan(read[0]).sum()))
    if kind == "date" and read_dates(words) is None:
        _refuse_words(name, column, source, "date", [are_dates([w]) for w in words if w])
    if kind == "boolean":
        fits = [word.lower() in YES_OR_NO for word in words if word is not None]
        if not all(fits):
            _refuse_words(name, column, source, "yes or no", fits)
    if kind == "vector":
        vectors_of(Table({name: column}, source), name)  # refuses what is no list, and names it
    if kind == "set":
        sets_of(Table({name: column}, source), name)  # refuses what is none, and names it
    if kind == "tree":
        trees_of(Table({name: column}, source), name)
    if kind == "graph" and not holds_graphs(column):
        raise DataError(f"{source}: column {name!r} holds no graphs. Choose another kind for it.")
    return found


def _is_number(word: str) -> bool:
    return forced_numbers([word]) is not None


def _refuse_words(name: str, column: Column, source: str, kind: str, fits: Sequence[bool]) -> None:
    """Refuse a kind that a cell does not have, naming the first such cell."""
    if all(fits) and fits:
        return
    rows = [row for row, cell in enumerate(column) if as_word(cell) is not None]
    row = rows[list(fits).index(False)] if False in fits else 0
    cell = as_word(column[row]) or ""
    advice = "Choose another kind for the column, or correct the cell."
    raise DataError(
        f"{source}: row {row} of column {name!r} holds {cell!r:.60}, which is no {kind}. {advice}"
    )
