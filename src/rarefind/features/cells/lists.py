"""Lists of numbers written in words, as a text file holds embeddings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray

_WRITTEN = re.compile(r"[\[{(]\s*[-+.\deE]+(?:[\s,;]+[-+.\deE]+)+\s*,?\s*[\])}]")
"""A list of at least two numbers in brackets: numpy's and JSON's, a database's, a tuple."""

_PLACE = re.compile(r"[-+]?\d+\.\d+(?:\s*[,;]\s*[-+]?\d+\.\d+)+", re.ASCII)
"""The same without brackets, as 55.605, 13.0038: each has decimals, or they would be one number."""

_BETWEEN = re.compile(r"[\s,;]+")
"""What stands between the numbers of a list."""

_BETWEEN_SAID = re.compile(r"(?<=\d)\s*[/:\u00d7x]\s*(?=\.?\d)|(?<=\d)-(?=\.?\d)|[\s,;]+")
"""What else may stand there: 120/80, 30 x 40, 16:9 or 18-24."""

_SIDE_BY_SIDE = re.compile(
    r"\d{1,4}(?:\.\d+)?(?:(\s?[/:\u00d7x]\s?)\d{1,4}(?:\.\d+)?(?:\1\d{1,4}(?:\.\d+)?){0,2}|"
    r"-\d{1,4}(?:\.\d+)?)", re.ASCII
)  # fmt: skip
"""Two to four numbers side by side, or two ends."""

_CODE = re.compile(r"(?<![\d.])0\d")
"""A zero in front, as codes and days of a month have it."""

_AROUND = " []{}()"
"""What stands around them."""


def are_written_lists(cells: Sequence[Any]) -> bool:
    """Whether all cells are words that write lists of numbers.

    >>> are_written_lists(["[1, 2]", "[0.5 -1e3]"]), are_written_lists(["[1]", "a"])
    (True, False)
    >>> are_written_lists(["{1,2}", "(3, 4)", "55.6, 13.0"]), are_written_lists(["1,234", "5, 6"])
    (True, False)
    """
    words = [cell.strip() for cell in cells if isinstance(cell, str)]
    if not words or len(words) < len(cells) or not all(map(_is_list, words)):
        return False
    # Other brackets and none at all are also used for what is no vector; those have one length.
    square = all(word[0] == "[" for word in words)
    return square or len({len(_BETWEEN.split(word.strip(_AROUND))) for word in words}) == 1


def are_side_by_side(cells: Sequence[str]) -> bool:
    """Whether all words are a few numbers side by side, as blood pressures, sizes and ranges are.

    All have as many, with the same between; what looks like two ends rises.

    >>> are_side_by_side(["120/80", "95/60"]), are_side_by_side(["3x4x5", "3x4"])
    (True, False)
    >>> are_side_by_side(["18-24", "25-34"]), are_side_by_side(["18-24", "34-25"])
    (True, False)
    """
    words = [cell.strip() for cell in cells]
    if not words or not all(_SIDE_BY_SIDE.fullmatch(word) for word in words):
        return False
    if any(map(_CODE.search, words)) or len({re.sub(r"[\d.\s]+", "", word) for word in words}) > 1:
        return False
    ends = ([float(part) for part in word.split("-")] for word in words)
    return "-" not in words[0] or all(first < last for first, last in ends)


def _is_list(word: str) -> bool:
    return _WRITTEN.fullmatch(word) is not None or _PLACE.fullmatch(word) is not None


def read_list(word: str) -> FloatArray | None:
    """Read a list of numbers, with brackets or without; None if there is none.

    >>> read_list("[1, 2.5]").tolist(), read_list("120/80").tolist(), read_list("[]")
    ([1.0, 2.5], [120.0, 80.0], None)
    """
    parts = [part for part in _BETWEEN_SAID.split(word.strip(_AROUND)) if part]
    return np.array(parts, dtype=np.float64) if parts else None
