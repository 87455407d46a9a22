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
    """Name the first column if it alone has no name: so pandas writes the numbers of its rows.

    >>> without_blank_name(["", "size"])
    ['index', 'size']
    """
    first, *rest = names
    if first.strip() or not rest or not all(name.strip() for name in rest):
        return list(names)
    return ["index" if "index" not in rest else "index of rows", *rest]
