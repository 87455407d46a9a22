"""Words for gaps, and cells that nobody can read, in columns of numbers or dates.

Among words such words stay words: people of unknown origin may be a class of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rarefind.core.arrays import IntArray

GAPS = frozenset({
    "-", "--", "---", "\u2013", "\u2014", ".", "..", "...", "…", "unknown", "not known", "missing",
    "n.a.", "n.a", "n/k", "nk", "#n/a", "#na", "#value!", "#div/0!", "#ref!", "#num!", "(null)",
    "<na>", "nil", "undefined", "not available", "not applicable", "no data", "tbd", "tba", "void",
    "empty", "blank", "(blank)", "k.a.", "k. a.", "unbekannt", "okänd", "okänt", "inconnu",
    "desconocido", "inf", "-inf", "+inf", "infinity", "-infinity", "nat", "not measured",
    "no value", "error", "0000-00-00", "0000-00-00 00:00:00", "00.00.0000", "00/00/0000",
})  # fmt: skip
"""Words that stand for a gap beside numbers or dates, in small letters."""

_MANY = 10
"""So many different numbers must be there before words beside them are taken for gaps."""

_MANY_FOR_SLIPS, _SLIPS = 20, 0.05
"""The same for cells that cannot be read, which may be a twentieth of all at most."""

_NAMED, _LONGEST = 3, 40
"""So many words are shown, and so much of each: a line for a person."""


def is_gap(cell: Any) -> bool:
    """Whether a cell of a table is empty, in any library's way to say so."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, float) and cell != cell


def notes_on_gaps(
    words: Sequence[str | None],
    fits: Sequence[bool],
    counts: IntArray | None = None,
    *,
    force: bool = False,
) -> tuple[str, ...] | None:
    """Say which words that do not fit a column are taken for gaps; None if they are too many.

    ``counts`` says in how many rows each word is; ``force`` that they are never too many.

    >>> numbers = [str(number) for number in range(30)]
    >>> notes_on_gaps([*numbers, "unknown", None], [True] * 30 + [False] * 2)
    ("1 cell taken for missing: 'unknown'",)
    >>> notes_on_gaps(["1", "2", "fraud"], [True, True, False]) is None
    True
    """
    known: dict[str, int] = {}
    unread: dict[str, int] = {}
    read, different = 0, set()
    rows = np.ones(len(words), dtype=np.int64) if counts is None else counts
    for word, fit, count in zip(words, fits, rows.tolist(), strict=True):
        if fit:
            read += count
            different.add(word)
        elif word is not None:
            which = known if word.lower() in GAPS else unread
            which[word] = which.get(word, 0) + count
    few = (
        len(different) >= _MANY_FOR_SLIPS
        and sum(unread.values()) <= _SLIPS * read
        and len(unread) * _MANY <= len(different)
    )
    if not force and ((known and len(different) < _MANY) or (unread and not few)):
        return None
    said = (_said(known, "cell"), _said(unread, "unreadable cell"))
    return tuple(note for note in said if note)


def _said(words: dict[str, int], what: str) -> str:
    if not words:
        return ""
    count = sum(words.values())
    named = ", ".join(f"{word!r:.{_LONGEST}}" for word in list(words)[:_NAMED])
    more = f" and {len(words) - _NAMED} others" if len(words) > _NAMED else ""
    return f"{count:,} {what}{'s' if count > 1 else ''} taken for missing: {named}{more}"
