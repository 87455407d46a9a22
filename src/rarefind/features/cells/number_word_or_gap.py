"""Single cells of text files: numbers, words and gaps told apart, and safe to open as a sheet.

Spreadsheets run a cell that begins with ``=``, ``+``, ``-``, ``@`` (also in full width), a tab, a
line end or NUL as a formula. Such a cell is written with an apostrophe in front, which is taken off
when it is read again. Cells that reading would change (blanks at an end, words that
stand for a gap) are written that way too, so that what is written is what is read. Plain numbers
stay as they are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.features.cells.writing import word_array

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "?"})
"""Cells that stand for a missing value, whatever their case."""

_FORMULA = "=+\\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20"
"""What makes a spreadsheet run a cell (OWASP's list for CSV injection, with the full-width signs,
and NUL), written for a regular expression."""

_DANGERS = frozenset(_FORMULA.replace("\\", ""))
"""The same as characters."""

_STARTS = re.compile(rf"'*[{_FORMULA}]")
"""Apostrophes in front do not hide it: a reader may take one away."""

_KEPT_FROM_SHEETS = re.compile('="([^"=+@-][^"]*)"')
"""How exports keep spreadsheets from changing a word: ="0017"."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
"""A number in plain notation, Western digits only: float() would take others and underscores."""

_MARKED_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)*", re.ASCII)
"""Digits with points and commas between: numbers as some write them, and no formula."""

_LONGEST_NUMBER = 400
"""A double never needs so many characters; longer digits only cost time."""


def read_word(cell: str, missing: Collection[str] = ()) -> str | None:
    """Read a cell as a word: no blanks at its ends, no protecting apostrophe, None for a gap.

    ``missing`` are further words for a gap, in small letters.

    >>> read_word(" x "), read_word("NA"), read_word("'=1+1"), read_word("'NA"), read_word('="07"')
    ('x', None, '=1+1', 'NA', '07')
    """
    if cell[:1] == "'" and _is_protected(cell[1:]):
        return cell[1:]
    word = cell.strip()
    if word[:2] == '="' and (kept := _KEPT_FROM_SHEETS.fullmatch(word)) is not None:
        word = kept[1]
    small = word.lower()
    return None if small in MISSING or small in missing else word


def safe_word(word: str) -> str:
    """Write a word so that no spreadsheet runs it and ``read_word`` gives it back.

    >>> safe_word("=1+1"), safe_word("-3.5"), safe_word("plain"), safe_word("NA")
    ("'=1+1", '-3.5', 'plain', "'NA")
    """
    return f"'{word}" if _is_protected(word) else word


def _is_protected(word: str) -> bool:
    """Whether a word gets an apostrophe in front; one that has several gets one more."""
    bare = word.lstrip("'")
    if _STARTS.match(word) is not None:
        return not (bare == word and _is_harmless(word))
    return bare != bare.strip() or bare.lower() in MISSING


def kept_text(text: str) -> str:
    r"""Return the text of a cell as it was read, unless a spreadsheet would run it.

    >>> kept_text(" x "), kept_text("\t=1+1"), kept_text("-5"), kept_text("'=1")
    (' x ', "'=1+1", '-5', "'=1")
    """
    if text[:1] not in _DANGERS or _is_harmless(text):
        return text
    word = read_word(text)
    return "" if word is None else safe_word(word)


def _is_harmless(word: str) -> bool:
    """Whether a word that begins with a sign is a number, however it is written."""
    marked = len(word) <= _LONGEST_NUMBER and _MARKED_NUMBER.fullmatch(word) is not None
    return marked or _is_number(word)


def _is_number(word: str) -> bool:
    return len(word) <= _LONGEST_NUMBER and _NUMBER.fullmatch(word) is not None


def read_column(cells: Sequence[str], missing: Collection[str] = ()) -> NDArray[Any]:
    """Read cells as numbers if all of them are, else as words."""
    words = [read_word(cell, missing) for cell in cells]
    numbers = np.full(len(words), np.nan)
    for position, word in enumerate(words):
        if word is None:
            continue
        number = read_number(word)
        if number is None:
            return word_array(words)
        numbers[position] = number
    return numbers


def read_number(word: str) -> float | None:
    """Read a number; an identifier such as 0017 or one of 17 digits is none.

    >>> read_number("2.5e1"), read_number("0017"), read_number("1_000"), read_number("inf")
    (25.0, None, None, None)
    """
    digits = word.lstrip("+-")
    long = digits.isdigit() and (len(digits) > 15 or (digits[0] == "0" and len(digits) > 1))
    if long or not _is_number(word):
        return None
    number = float(word)
    return number if math.isfinite(number) else None
