"""Names of columns: as the header of a file gives them, or made up where there is none."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from rarefind.core.errors import DataError

NO_HEADER = "in a file without a header line: names are made up"
"""Said of the first column."""


def check_names(names: Sequence[str], source: str) -> list[str]:
    """Check the names of columns: each has one of its own, and one that can be seen."""
    titles = [" ".join(name.split()) for name in names]
    seen: dict[str, int] = {}
    for position, title in enumerate(titles, start=1):
        if not title:
            raise DataError(f"{source}: column {position} of the header has no name. Give it one.")
        if title in seen:
            raise DataError(
                f"{source}: columns {seen[title]} and {position} of the header are both "
                f"called {title!r:.60}. Rename one of them."
            )
        hidden = [letter for letter in title if unicodedata.category(letter) in ("Cc", "Cf", "Cs")]
        if hidden:
            raise DataError(
                f"{source}: the name of column {position} holds the invisible character "
                f"U+{ord(hidden[0]):04X}. Rename it."
            )
        seen[title] = position
    return titles


def made_up_names(count: int) -> list[str]:
    """Name the columns of a file without a header line."""
    return [f"column {number}" for number in range(1, count + 1)]


def without_blank_name(names: Sequence[str]) -> list[str]:
    """Name the columns without a name, if others have one: the first as pandas means it.

    pandas writes the numbers of its rows there.

    >>> without_blank_name(["", "size"]), without_blank_name(["size", "", "weight"])
    (['index', 'size'], ['size', 'column 2', 'weight'])
    """
    blank = [place for place, name in enumerate(names) if not name.strip()]
    if not blank or len(blank) == len(names):
        return list(names)
    named = list(names)
    for place in blank:
        named[place] = f"column {place + 1}"
    if blank == [0]:
        named[0] = "index" if "index" not in names else "index of rows"
    return named


def nameless(names: Sequence[str]) -> list[int]:
    """Return the places of columns without a name, but for the first, whose numbers pandas writes.

    >>> nameless(["", "size", ""])
    [2]
    """
    return [place for place, name in enumerate(names) if place and not name.strip()]
