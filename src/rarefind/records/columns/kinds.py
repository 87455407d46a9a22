"""What kind of thing each column holds, found out from its cells and open to correction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rarefind.core.errors import DataError
from rarefind.core.identifiers import names_an_id, why_an_id
from rarefind.core.names import unknown_name
from rarefind.records.columns.cells import read_number
from rarefind.records.columns.dates import are_dates, read_dates
from rarefind.records.columns.number_marks import COMMAS, POINTS
from rarefind.records.columns.picture_grids import Grid, find_grids, possible_grids
from rarefind.records.columns.string_kinds import (
    are_molecules,
    are_texts,
    letters_of_life,
    mostly_letters,
    words_per_cell,
)
from rarefind.records.table import Column, Table, as_word, is_graph

KINDS = (
    "number",
    "category",
    "date",
    "boolean",
    "text",
    "sequence",
    "molecule",
    "graph",
    "picture",
    "id",
)
"""Kinds of columns. Those of kind "id" are left out when records are compared."""

YES_OR_NO = {
    "true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "t": 1.0, "f": 0.0, "y": 1.0, "n": 0.0,
    "on": 1.0, "off": 0.0, "1": 1.0, "0": 0.0,
}  # fmt: skip
"""Words for yes and no, in small letters."""

_PAIRS = [{"true", "false"}, {"yes", "no"}, {"t", "f"}, {"y", "n"}, {"on", "off"}]
_PARTS = {"train", "training", "test", "testing", "valid", "validation", "val", "dev", "holdout"}
_SEQUENCE_NAME = re.compile(r"(.*[_\- .])?(seq|sequence|dna|rna|protein|peptide|kmer)s?", re.I)
_MOLECULE_NAME = re.compile(r"(.*[_\- .])?(smiles|smi|molecule|mol)s?", re.I)
_SAMPLE = 1000
_FEW = 20
"""Among fewer records, words that do not repeat may still be categories."""

_MANY_NUMBERS = 5
"""Of so many different words all but one are numbers: then that is said."""

_ONE_WORD = 1.1
_FEW_WORDS = 100
_LONGEST_EXAMPLE = 60


@dataclass(frozen=True)
class ColumnKind:
    """The kind of a column, or of a group of columns that form a picture.

    Attributes
    ----------
    name
        Name of the column, or "first-last" of a group.
    kind
        One of :data:`KINDS`.
    why
        What in the cells says so.
    missing
        How many cells are missing.
    examples
        Up to three cells, as words.
    columns
        The columns it is about: itself, or all of a group.
    shape
        Rows and columns of a picture.
    """

    name: str
    kind: str
    why: str
    missing: int = 0
    examples: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    shape: tuple[int, int] | None = None


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
                _told(name, column, wanted[name], table.source)
                if name in wanted
                else _detected(name, column, table)
            )
        elif name == grid.names[0]:
            kinds.append(_picture(grid, table, wanted))
    return tuple(kinds)


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


def _told(name: str, column: Column, kind: str, source: str) -> ColumnKind:
    found = ColumnKind(name, kind, "as you said", *_facts(column), (name,))
    words = [as_word(cell) for cell in column]
    if kind == "picture":
        raise DataError(
            f"{source}: column {name!r} alone is no picture. Name what the columns of its grid "
            "begin with, as in p for p0 to p63."
        )
    if kind == "number" and column.dtype.kind != "f":
        _refuse_words(name, column, source, "number", _numbers_in(words))
    if kind == "date" and (column.dtype.kind == "f" or read_dates(words) is None):
        _refuse_words(name, column, source, "date", [are_dates([w]) for w in words if w])
    if kind == "boolean":
        fits = [word.lower() in YES_OR_NO for word in words if word is not None]
        if not all(fits):
            _refuse_words(name, column, source, "yes or no", fits)
    if kind == "graph" and not _holds_graphs(column):
        raise DataError(f"{source}: column {name!r} holds no graphs. Choose another kind for it.")
    return found


def _numbers_in(words: Sequence[str | None]) -> list[bool]:
    def is_number(word: str) -> bool:
        try:
            return bool(np.isfinite(float(word)))
        except ValueError:
            return False

    return [is_number(word) for word in words if word is not None]


def _refuse_words(name: str, column: Column, source: str, kind: str, fits: Sequence[bool]) -> None:
    """Refuse a kind that a cell does not have, naming the first such cell."""
    if all(fits) and fits:
        return
    rows = [row for row, cell in enumerate(column) if as_word(cell) is not None]
    row = rows[list(fits).index(False)] if False in fits else 0
    cell = as_word(column[row]) or ""
    advice = "Choose another kind for the column, or correct the cell."
    if kind == "number" and "," in cell:
        advice = "Write numbers with a point before decimals and nothing between thousands."
    raise DataError(
        f"{source}: row {row} of column {name!r} holds {cell!r:.60}, which is no {kind}. {advice}"
    )


def _detected(name: str, column: Column, table: Table) -> ColumnKind:
    missing, examples = _facts(column)
    if missing == len(column):
        found = ColumnKind(name, "id", "every cell is missing")
    elif column.dtype.kind == "f":
        found = _number_kind(name, column, _is_boolean(table, name))
    elif _holds_graphs(column):
        found = ColumnKind(name, "graph", "graphs of nodes and edges")
    else:
        found = _word_kind(name, [str(cell) for cell in column if cell is not None], len(column))
    note = table.writing.notes.get(name) or _nearly_numbers(column)
    why = f"{found.why}, {note}" if note else found.why
    return replace(found, why=why, missing=missing, examples=examples, columns=(name,))


def _nearly_numbers(column: Column) -> str:
    """Say it if words are read only because of a few cells among numbers."""
    if column.dtype != object:
        return ""
    words = list(dict.fromkeys(cell for cell in column[:_SAMPLE] if isinstance(cell, str)))
    marked = [word for word in words if read_number(word) is None]
    rest = [word for word in marked if COMMAS.read(word) is None and POINTS.read(word) is None]
    if len(words) < _MANY_NUMBERS or len(rest) * _MANY_NUMBERS > len(words):
        return ""
    if rest:
        return f"nearly all numbers, but not {rest[0]!r:.40}"
    return "numbers, some with decimal commas and some with points" if marked else ""


def _facts(column: Column) -> tuple[int, tuple[str, ...]]:
    if column.dtype.kind == "f":
        gaps = np.isnan(column)
    else:
        gaps = np.fromiter((cell is None for cell in column), dtype=bool, count=len(column))
    shown: dict[str, None] = {}
    for cell in column[np.flatnonzero(~gaps)[:50]].tolist():
        shown.setdefault(_short(as_word(cell) or ""))
        if len(shown) == 3:
            break
    return int(gaps.sum()), tuple(shown)


def _short(word: str) -> str:
    word = " ".join(word.split())
    return word if len(word) <= _LONGEST_EXAMPLE else f"{word[: _LONGEST_EXAMPLE - 1]}…"


def _is_boolean(table: Table, name: str) -> bool:
    cells = table.original.get(name)
    if table.form == "arrow":
        return str(getattr(cells, "type", "")) == "bool"
    if table.form == "json" and cells is not None:
        return all(isinstance(cell, bool) for cell in cells if isinstance(cell, int | float))
    return False


def _number_kind(name: str, column: Column, is_boolean: bool) -> ColumnKind:
    known = column[~np.isnan(column)]
    low, high = known.min(), known.max()
    if is_boolean or (low == 0 and high == 1 and bool(((known == 0) | (known == 1)).all())):
        return ColumnKind(name, "boolean", "only 0 and 1" if not is_boolean else "yes or no")
    identifier = why_an_id(name, column)
    if identifier:
        return ColumnKind(name, "id", identifier)
    if low == high:
        return ColumnKind(name, "number", f"always {as_word(float(low))}")
    return ColumnKind(name, "number", f"numbers from {low:.6g} to {high:.6g}")


def _holds_graphs(column: Column) -> bool:
    return column.dtype == object and any(is_graph(cell) for cell in column[:_SAMPLE])


def _word_kind(name: str, cells: Sequence[str], n_rows: int) -> ColumnKind:
    different = dict.fromkeys(cells)
    sample = _spread(list(different))
    small = {word.strip().lower() for word in list(different)[:10]}
    if len(different) <= 6 and small in _PAIRS:
        return ColumnKind(name, "boolean", f"only {' and '.join(list(different)[:2])}")
    if are_dates(sample[:50]) and are_dates(different):
        return ColumnKind(name, "date", "dates" if ":" not in sample[0] else "dates and times")
    if small <= _PARTS and len(different) >= 2:
        return ColumnKind(name, "id", "names parts of a data set")
    said = f"{len(different):,} different words in {n_rows:,} rows"
    if names_an_id(name) and len(different) > n_rows / 2 and words_per_cell(sample) <= _ONE_WORD:
        return ColumnKind(name, "id", f"{said}, and its name")
    special = _special(name, sample)
    repeats = len(different) <= min(_FEW_WORDS, n_rows / 2)
    if repeats and (special is None or len(different) <= _FEW):
        return ColumnKind(name, "category", said)
    if special is not None:
        return special
    if are_texts(sample):
        return ColumnKind(name, "text", f"{words_per_cell(sample):.0f} words in a cell")
    if n_rows < _FEW and not names_an_id(name):
        return ColumnKind(name, "category", said)
    if names_an_id(name):
        return ColumnKind(name, "id", f"{said}, and its name")
    if len(different) <= n_rows / 10:
        return ColumnKind(name, "category", said)
    if words_per_cell(sample) > 1.5:
        return ColumnKind(name, "text", f"{words_per_cell(sample):.1f} words in a cell")
    if mostly_letters(sample):
        return ColumnKind(name, "sequence", f"{said}, of letters")
    return ColumnKind(name, "id", f"{said}, of letters and digits")


def _special(name: str, sample: Sequence[str]) -> ColumnKind | None:
    """Molecules and sequences, which their letters or their name give away."""
    single = words_per_cell(sample) <= _ONE_WORD
    if single and (are_molecules(sample) or _MOLECULE_NAME.fullmatch(name)):
        return ColumnKind(name, "molecule", "molecules in SMILES notation")
    letters = letters_of_life(sample) if single else None
    if letters is not None:
        return ColumnKind(name, "sequence", f"letters of {letters}")
    if _SEQUENCE_NAME.fullmatch(name) and single:
        return ColumnKind(name, "sequence", "its name, and one word in a cell")
    return None


def _spread(words: list[str]) -> list[str]:
    """Take a thousand words from all over a list."""
    step = max(1, len(words) // _SAMPLE)
    return words[::step][:_SAMPLE]
