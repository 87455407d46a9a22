"""What each column of a table holds, how its words are read, and why one is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.core.identifiers import why_an_id
from rarefind.features.cells.dates import are_days_in_digits, is_date
from rarefind.features.cells.lists import are_side_by_side, are_written_lists
from rarefind.features.cells.number_marks import forced_numbers
from rarefind.features.cells.number_word_or_gap import read_word
from rarefind.features.cells.readers import (
    DateReader,
    FlagReader,
    NumberReader,
    Reader,
    find_readers,
)
from rarefind.features.cells.yes_or_no import say_yes_or_no
from rarefind.features.columns import (
    Column,
    are_lists,
    column_words,
    holds_words,
    kind_of_values,
    read_column,
)

_FEW = 20
"""Among fewer records, words that do not repeat may still be categories."""

_FEW_WORDS, _SHARE = 100, 10
"""So many different words are categories, or more of them if each stands in ten rows."""

_SPELLINGS = 40
"""Different words that may still be ways to spell yes and no, capitals and blanks counted."""

_SAMPLE = 100
"""Cells looked at to tell whether words write lists."""


@dataclass(frozen=True)
class Guess:
    """What a column holds.

    Attributes
    ----------
    kind
        One of :data:`rarefind.features.columns.KINDS`.
    reader
        What reads its words as numbers or dates, if they are some.
    note
        What is to be said about how its words are read.
    left_out
        Why it plays no part; empty if it does.
    """

    kind: str
    reader: Reader | None = None
    note: str = ""
    left_out: str = ""

    def read(self, name: str, column: Any) -> Column:
        """Read the column."""
        return read_column(name, column, self.kind, self.reader)


def guess_columns(table: Mapping[str, Any], said: Mapping[str, str]) -> dict[str, Guess]:
    """Tell what each column holds: what the user says, or else what it looks like."""
    guesses = {
        name: _told(name, column, said[name]) if name in said else Guess(_seen(column))
        for name, column in table.items()
    }
    free = [name for name in table if name not in said]
    words = {
        name: Counter(word for word in column_words(table[name]) if word is not None)
        for name in free
        if guesses[name].kind == "category"
    }
    _read_words(table, guesses, words, said)
    for name in free:
        why = _why_left_out(name, table[name], guesses[name], words.get(name), len(table))
        guesses[name] = replace(guesses[name], left_out=why)
        if name in words:
            guesses[name] = _said_otherwise(guesses[name], list(words[name]), table[name])
    return guesses


def _said_otherwise(guess: Guess, words: Sequence[str], column: Any) -> Guess:
    """See yes and no in several spellings, and numbers side by side in what would be left out."""
    if guess.kind != "category" or not holds_words(column):
        return guess
    if 2 < len(words) <= _SPELLINGS and say_yes_or_no(words):
        return Guess("boolean", FlagReader(), f"yes and no in {len(words)} spellings")
    return Guess("vector") if guess.left_out and are_side_by_side(words) else guess


def _seen(column: Any) -> str:
    """Tell what a column holds; words that write lists are lists."""
    kind = kind_of_values(column)
    if kind != "category" or not holds_words(column):
        return kind
    some = [word for word in column_words(column[:_SAMPLE]) if word is not None]
    return "vector" if are_written_lists(some) else kind


def _read_words(
    table: Mapping[str, Any],
    guesses: dict[str, Guess],
    words: Mapping[str, Counter[str]],
    said: Mapping[str, str],
) -> None:
    """Find out which columns of words hold numbers or dates, and which numbers write dates."""
    open_ = {name: list(counts) for name, counts in words.items() if holds_words(table[name])}
    counts = {name: np.array(list(words[name].values()), dtype=np.int64) for name in open_}
    found = find_readers(open_, counts)
    for name, reader in found.readers.items():
        kind = "date" if isinstance(reader, DateReader) else "number"
        guesses[name] = Guess(kind, reader, found.notes[name])
    for name, guess in guesses.items():
        open_to_doubt = guess.kind == "number" and name not in said
        if open_to_doubt and are_days_in_digits(guess.read(name, table[name]).values):
            guesses[name] = Guess("date", DateReader.learnt([]), "dates in digits")


def _told(name: str, column: Any, kind: str) -> Guess:
    if kind not in ("number", "date") or not holds_words(column):
        return Guess(kind)
    words = [None if word is None else read_word(word) for word in column_words(column)]
    if kind == "date":
        fits = [word is not None and is_date(word) for word in words]
        if 2 * sum(fits) <= sum(word is not None for word in words):
            raise _refusal(name, words, fits, "dates")
        return Guess(kind, DateReader.learnt([w for w, f in zip(words, fits, strict=True) if f]))
    forced = forced_numbers(words)
    if forced is None:
        fits = [word is not None and forced_numbers([word]) is not None for word in words]
        raise _refusal(name, words, fits, "numbers")
    return Guess(kind, NumberReader.learnt(words, forced[2]), forced[1])


def _refusal(name: str, words: Sequence[str | None], fits: Sequence[bool], what: str) -> DataError:
    row = next((row for row, word in enumerate(words) if word and not fits[row]), 0)
    return DataError(
        f"Column {name!r} is to be read as {what}, and most of its cells are none: row {row} holds "
        f"{words[row]!r:.60}. Say kind 'category', or leave it out by kind 'id'."
    )


def _why_left_out(
    name: str, column: Any, guess: Guess, words: Counter[str] | None, n_columns: int
) -> str:
    if guess.kind == "number" and n_columns > 1:
        return why_an_id(name, guess.read(name, column).values)
    if guess.kind != "category" or words is None or not words:
        return ""
    if are_lists(column):
        return "lists of words"
    n_rows = words.total()
    few = len(words) <= min(_FEW_WORDS, n_rows / 2) or len(words) <= n_rows / _SHARE
    if few or n_rows < _FEW:
        return ""
    blanks = sum(" " in word.strip() for word in words)
    what = "texts" if 2 * blanks > len(words) else "words"
    return f"{len(words):,} different {what} in {n_rows:,} rows"
