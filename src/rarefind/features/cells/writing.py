"""How a column writes its cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Writing:
    """How a text file writes its cells, so that what is written again looks the same.

    Attributes
    ----------
    delimiter
        What stands between cells of a .csv file.
    decimal
        What stands before decimals.
    notes
        What is to be said about how the numbers of a column are written.
    decimals
        What stands before the decimals of a column of numbers, where it was read by its words.
    whole
        What is to be said about how the whole file was read.
    """

    delimiter: str = ","
    decimal: str = "."
    notes: Mapping[str, str] = field(default_factory=dict)
    decimals: Mapping[str, str] = field(default_factory=dict)
    whole: tuple[str, ...] = ()


def word_array(words: Iterable[Any]) -> NDArray[Any]:
    """Make a column of words, graphs or missing cells."""
    values = list(words)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
