"""What a column holds, guessed from its cells and its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.identifiers import names_an_id, why_an_id
from rarefind.features.cells.dates import are_dates, are_days_in_digits, order_in_doubt
from rarefind.features.cells.lists import are_side_by_side, read_list
from rarefind.features.cells.number_marks import COMMAS, POINTS
from rarefind.features.cells.number_word_or_gap import read_number
from rarefind.features.cells.yes_or_no import YES_OR_NO, say_yes_or_no
from rarefind.records.columns.named_kind import SAMPLE, ColumnKind, facts, holds_graphs
from rarefind.records.columns.sets_and_trees import collection_kind
from rarefind.records.columns.string_kinds import (
    are_molecules,
    are_texts,
    letters_of_life,
    mostly_digits,
    mostly_letters,
    words_per_cell,
)
from rarefind.records.columns.vectors import holds_lists, list_length
from rarefind.records.pictures.finding import FOLDER, holds_pictures
from rarefind.records.table import Column, Table, as_word

_SPELLINGS = 40
"""Different words that may still be ways to spell yes and no, capitals and blanks counted."""

_PARTS = {"train", "training", "test", "testing", "valid", "validation", "val", "dev", "holdout"}
"""What people call the parts of a data set: such a column says nothing about a record."""

_SEQUENCE_NAME = re.compile(r"(.*[_\- .])?(seq|sequence|dna|rna|protein|peptide|kmer)s?", re.I)
"""Names of columns that hold sequences, by their last word."""

_MOLECULE_NAME = re.compile(r"(.*[_\- .])?(smiles|smi|molecule|mol)s?", re.I)
"""Names of columns that hold molecules, by their last word."""

_FEW = 20
"""Among fewer records, words that do not repeat may still be categories."""

_MANY_NUMBERS = 5
"""Of so many different words all but one are numbers: then that is said."""

_ONE_WORD = 1.1
"""Words in a cell, in the mean, that still count as one: a stray blank now and then."""

_FEW_WORDS = 100
"""A column of up to so many different words is one of categories. A choice."""


_NINES = re.compile(r"-?99+(\.9+)?")
"""Numbers that people write where they have none."""

_RANGE = "numbers from "
"""Said of numbers; the ends of those with units are told as the file writes them."""

_FEWEST_GAPS = 3
"""Cells of such a number before it is mentioned: one or two may be measured."""


def guess_kind(name: str, column: Column, table: Table) -> ColumnKind:
    """Find out what a column holds from its cells and its name."""
    missing, examples = facts(column)
    if missing == len(column):
        found = ColumnKind(name, "id", "every cell is missing")
    elif column.dtype.kind == "f":
        found = _number_kind(name, column, _is_boolean(table, name))
    elif holds_graphs(column):
        found = ColumnKind(name, "graph", "graphs of nodes and edges")
    elif (gathered := collection_kind(column)) is not None:
        found = ColumnKind(name, gathered, f"{gathered}s, written in brackets")
    elif holds_pictures(column):
        found = ColumnKind(name, "picture", "pictures")
    elif name == FOLDER and table.form == "pictures":
        found = ColumnKind(name, "id", "the folders of the pictures")
    elif holds_lists(column):
        found = ColumnKind(name, "vector", f"lists of {list_length(column)} numbers")
    else:
        found = _word_kind(name, [str(cell) for cell in column if cell is not None], len(column))
    note = table.writing.notes.get(name) or _nearly_numbers(column)
    if name in table.writing.notes and name in table.original and column.dtype.kind == "f":
        examples = _as_written(table, name)
        if note.startswith("in ") and found.why.startswith(_RANGE):
            ends = (int(np.nanargmin(column)), int(np.nanargmax(column)))
            low, high = (str(table.original[name][row]).strip() for row in ends)
            found, note = replace(found, why=f"{_RANGE}{low} to {high}"), f"compared {note}"
    why = f"{found.why}, {note}" if note else found.why
    return replace(found, why=why, missing=missing, examples=examples, columns=(name,))


def _as_written(table: Table, name: str) -> tuple[str, ...]:
    """Return the first numbers of a column as the file writes them."""
    rows = np.flatnonzero(~np.isnan(table.columns[name]))[:3]
    return tuple(str(table.original[name][int(row)]).strip() for row in rows)


def _nearly_numbers(column: Column) -> str:
    """Say it if words are read only because of a few cells among numbers."""
    if column.dtype != object:
        return ""
    words = list(dict.fromkeys(cell for cell in column[:SAMPLE] if isinstance(cell, str)))
    marked = [word for word in words if read_number(word) is None]
    rest = [word for word in marked if COMMAS.read(word) is None and POINTS.read(word) is None]
    if len(words) < _MANY_NUMBERS or len(rest) * _MANY_NUMBERS > len(words):
        return ""
    if rest:
        return f"nearly all numbers, but not {rest[0]!r:.40}"
    return "numbers, some with decimal commas and some with points" if marked else ""


def _is_boolean(table: Table, name: str) -> bool:
    cells = table.original.get(name)
    if table.form == "arrow":
        return str(getattr(cells, "type", "")) == "bool"
    if table.form == "json" and cells is not None:
        numbers = [cell for cell in cells if isinstance(cell, int | float)]
        return bool(numbers) and all(isinstance(cell, bool) for cell in numbers)
    return False


def _number_kind(name: str, column: Column, is_boolean: bool) -> ColumnKind:
    known = column[~np.isnan(column)]
    low, high = known.min(), known.max()
    if is_boolean or (low == 0 and high == 1 and bool(((known == 0) | (known == 1)).all())):
        return ColumnKind(name, "boolean", "only 0 and 1" if not is_boolean else "yes or no")
    if are_days_in_digits(known):
        return ColumnKind(name, "date", "dates in digits")
    identifier = why_an_id(name, column)
    if identifier:
        return ColumnKind(name, "id", identifier)
    if low == high:
        return ColumnKind(name, "number", f"always {as_word(float(low))}")
    return ColumnKind(name, "number", f"{_RANGE}{_end(low)} to {_end(high)}{_like_a_gap(known)}")


def _end(number: float) -> str:
    """Write an end of a range for people.

    >>> _end(4994120.0), _end(0.123456789), _end(1234567.25), _end(2.5e18)
    ('4994120', '0.123457', '1234567', '2.5e+18')
    """
    number += 0.0  # no sign before a zero
    return f"{number:.0f}" if 1e5 <= abs(number) < 1e15 else f"{number:.6g}"


def _like_a_gap(known: FloatArray) -> str:
    """Say it if a number of nines far from all others stands where others leave a gap.

    >>> _like_a_gap(np.array([-999.0] * 3 + [1.0, 2.0, 7.0])), _like_a_gap(np.array([97, 98, 99.0]))
    (', 3 of them -999, which may stand for gaps', '')
    """
    for end in (known.min(), known.max()):
        times = int((known == end).sum())
        if times < _FEWEST_GAPS or not _NINES.fullmatch(as_word(float(end)) or ""):
            continue
        rest = known[known != end]
        if np.abs(rest - end).min() > rest.max() - rest.min():
            return f", {times:,} of them {as_word(float(end))}, which may stand for gaps"
    return ""


def _word_kind(name: str, cells: Sequence[str], n_rows: int) -> ColumnKind:
    different = dict.fromkeys(cells)
    sample = _spread(list(different))
    small = {word.strip().lower() for word in list(different)[:10]}
    if len(different) <= _SPELLINGS and say_yes_or_no(different):
        several = f", in {len(different)} spellings" if len(different) > 2 else ""
        return ColumnKind(name, "boolean", f"only {' and '.join(_yes_and_no(different))}{several}")
    if are_dates(sample[:50]) and are_dates(different):
        why = "dates" if ":" not in sample[0] else "dates and times"
        doubt = order_in_doubt(sample) and order_in_doubt(different)
        return ColumnKind(name, "date", f"{why}, {doubt}" if doubt else why)
    if small <= _PARTS and len(different) >= 2:
        return ColumnKind(name, "id", "names parts of a data set")
    said = f"{len(different):,} different words in {n_rows:,} rows"
    if len(different) == 1:
        said = "always the same word"
    if names_an_id(name) and len(different) > n_rows / 2 and words_per_cell(sample) <= _ONE_WORD:
        return ColumnKind(name, "id", f"{said}, and its name")
    special = _special(name, sample)
    repeats = len(different) <= min(_FEW_WORDS, n_rows / 2)
    named = special is not None and are_molecules(sample) and _MOLECULE_NAME.fullmatch(name)
    if repeats and not named and (special is None or len(different) <= _FEW):
        return ColumnKind(name, "category", said)
    if special is not None:
        return special
    digits = mostly_digits(sample)
    if n_rows >= _FEW and are_side_by_side(list(different)):
        return ColumnKind(name, "vector", f"{_count_of_numbers(sample[0])} numbers side by side")
    if are_texts(sample) and not digits:
        return ColumnKind(name, "text", f"{words_per_cell(sample):.0f} words in a cell")
    if n_rows < _FEW and not names_an_id(name):
        return ColumnKind(name, "category", said)
    if names_an_id(name):
        return ColumnKind(name, "id", f"{said}, and its name")
    if len(different) <= n_rows / 10:
        return ColumnKind(name, "category", said)
    if words_per_cell(sample) > 1.5 and not digits:
        return ColumnKind(name, "text", f"{words_per_cell(sample):.2g} words in a cell")
    if mostly_letters(sample):
        return ColumnKind(name, "sequence", f"{said}, of letters")
    return ColumnKind(name, "id", f"{said}, of {'digits' if digits else 'letters and digits'}")


def _count_of_numbers(word: str) -> int:
    numbers = read_list(word)
    return 0 if numbers is None else len(numbers)


def _yes_and_no(words: Iterable[str]) -> list[str]:
    """Return the first word of a column for each of yes and no, in their order."""
    first: dict[float, str] = {}
    for word in words:
        first.setdefault(YES_OR_NO[word.strip().lower()], word)
    return list(first.values())


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
    step = max(1, len(words) // SAMPLE)
    return words[::step][:SAMPLE]
