"""Lists of numbers written in words, as a text file holds embeddings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray

_WRITTEN = re.compile(r"\[\s*[-+.\deE]+(?:[\s,;]+[-+.\deE]+)+\s*,?\s*\]")
"""A list of at least two numbers in square brackets."""

_BETWEEN = re.compile(r"[\s,;]+")
"""What stands between the numbers of a list."""


def are_written_lists(cells: Sequence[Any]) -> bool:
    """Whether all cells are words that write lists of numbers.

    >>> are_written_lists(["[1, 2]", "[0.5 -1e3]"]), are_written_lists(["[1]", "a"])
    (True, False)
    """
    return bool(cells) and all(
        isinstance(cell, str) and _WRITTEN.fullmatch(cell.strip()) is not None for cell in cells
    )


def read_list(word: str) -> FloatArray | None:
    """Read a list of numbers, with brackets or without; None if there is none.

    >>> read_list("[1, 2.5]").tolist(), read_list("[]")
    ([1.0, 2.5], None)
    """
    parts = [part for part in _BETWEEN.split(word.strip(" []()")) if part]
    return np.array(parts, dtype=np.float64) if parts else None
