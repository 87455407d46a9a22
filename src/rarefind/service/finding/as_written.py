"""Numbers of a query, read as the file writes those of the column: 5 days, $1.05, 3 kg."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rarefind.features.cells.readers import NumberReader
from rarefind.features.cells.units import UNITS
from rarefind.records.table import Table

_LOOKED_AT = 2000
"""Cells from which the way of writing is learnt: units that come later are of the same family."""

_LONGEST_EXAMPLE = 20
"""Characters of a cell that is given as an example: it stands inside a sentence."""


@dataclass(frozen=True)
class AsWritten:
    """How a column of numbers is written, and whether that differs from plain numbers."""

    reader: NumberReader
    dressed: bool
    example: str

    @classmethod
    def of(cls, table: Table, name: str) -> AsWritten:
        """Learn it from the first cells of a column of numbers."""
        dressed = name in table.writing.notes
        words = _words(table.original.get(name)) if dressed else []
        example = next((word for word in words if 0 < len(word) <= _LONGEST_EXAMPLE), "")
        decimal = table.writing.decimals.get(name, ".")
        return cls(NumberReader.learnt(words, decimal), dressed, example)

    def number(self, text: str) -> float | None:
        """Read a number of a query; None if it is none.

        Without a unit it has that of the column, if there is but one, as a cell without it would.
        """
        plain = plain_number(text)
        if plain is not None and not self.dressed:
            return plain
        read = float(self.reader([text])[0])
        return plain if np.isnan(read) else read

    def reads_together(self, text: str) -> bool:
        """Tell whether several words are one number: units of the column, not words beside it."""
        told = {"am", "pm"}.union(*(way.casefold().split() for way in self.reader.telling))
        units = [word for word in text.casefold().split() if not any(map(str.isdigit, word))]
        known = all(word in told or {word, word.removesuffix("s")} & UNITS for word in units)
        return self.dressed and known and not np.isnan(self.reader([text])[0])

    def such_as(self) -> str:
        """Name a number or two that can be written."""
        return self.example or "1000 or 0.5"


def plain_number(text: str) -> float | None:
    """Read a number as programs write it.

    >>> plain_number("1e3"), plain_number("$5"), plain_number("1_000")
    (1000.0, None, None)
    """
    try:
        number = float(text)
    except ValueError:
        return None
    return None if "_" in text or np.isnan(number) else number


def _words(cells: Any) -> list[str]:
    if cells is None:
        return []
    some = cells[:_LOOKED_AT]
    some = some.to_pylist() if hasattr(some, "to_pylist") else some
    return [str(cell).strip() for cell in some if cell is not None]
