"""A number for every record that a map is coloured by, from one of its columns."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import ParameterError
from rarefind.records.columns.kinds import ColumnKind
from rarefind.records.table import Table, as_word
from rarefind.service.showing.record import RecordViewer

COLOURED = ("number", "date", "category", "boolean")
"""Kinds of columns that have colours; texts and graphs have none."""

_MOST_NAMES = 10
"""Categories with a colour of their own: more are not told apart, so the rest share one."""

_EDGES = (0.01, 0.99)
"""Quantiles between which the colours run: a few giants would leave one colour for the rest."""

_DAY = 86_400.0
"""Seconds. Days fit into 32-bit numbers, seconds since 1970 do not."""


@dataclass(frozen=True)
class ColourColumn:
    """A column that a map can be coloured by."""

    name: str
    kind: str


@dataclass(frozen=True)
class LegendView:
    """What the colours of a column mean.

    ``names`` are categories, the most frequent first, with how many ``others`` the last of them
    stands for; ``low`` and ``high`` are the numbers, in words too, between which colours run.
    """

    column: str
    kind: Literal["number", "category"]
    names: tuple[str, ...]
    counts: tuple[int, ...]
    others: int
    low: float
    high: float
    low_words: str
    high_words: str
    missing: int


def coloured_columns(viewer: RecordViewer) -> list[ColourColumn]:
    """List the columns that a map can be coloured by."""
    plain = [kind for kind in viewer.kinds if kind.kind in COLOURED]
    return [ColourColumn(kind.name, kind.kind) for kind in plain]


def column_colours(viewer: RecordViewer, name: str) -> tuple[NDArray[np.float32], LegendView]:
    """Return a number for each record, NaN where it has a gap, and what they mean."""
    kind = next((each for each in viewer.kinds if each.name == name), None)
    if kind is None or kind.kind not in COLOURED:
        told = "There is no column" if kind is None else f"The {kind.kind} of the column"
        raise ParameterError(
            f"{told} {name!r} to colour by: choose a column of numbers, dates or categories."
        )
    if kind.kind == "date" and np.isfinite(viewer.numbers(kind)).any():
        return _by_numbers(name, kind, viewer.numbers(kind) / _DAY)
    if kind.kind == "number" and viewer.table.columns[name].dtype.kind == "f":
        return _by_numbers(name, kind, viewer.numbers(kind))
    return _by_words(viewer.table, name)


def _by_numbers(
    name: str, kind: ColumnKind, numbers: NDArray[Any]
) -> tuple[NDArray[np.float32], LegendView]:
    known = numbers[np.isfinite(numbers)]
    low = high = 0.0
    if len(known):
        low, high = (float(edge) for edge in np.quantile(known, _EDGES, method="nearest"))
    if not high > low and len(known):
        low, high = float(known.min()), float(known.max())
    in_words = _day if kind.kind == "date" else "{:.6g}".format
    gaps = len(numbers) - len(known)
    words = in_words(low), in_words(high)
    # Colours end where all but a hundredth of the values lie: it is said that some lie beyond.
    if len(known):
        words = (
            f"≤ {words[0]}" if known.min() < low else words[0],
            f"≥ {words[1]}" if known.max() > high else words[1],
        )
    legend = LegendView(name, "number", (), (), 0, low, high, *words, gaps)
    return numbers.astype(np.float32), legend


def _by_words(table: Table, name: str) -> tuple[NDArray[np.float32], LegendView]:
    words = [as_word(cell) for cell in table.columns[name].tolist()]
    counts = Counter(word for word in words if word is not None)
    listed = [word for word, _ in counts.most_common(_MOST_NAMES)]
    rest = len(counts) - len(listed)
    numbers: dict[str | None, float] = {word: place for place, word in enumerate(listed)}
    numbers[None] = np.nan
    told = [counts[word] for word in listed]
    if rest:
        told.append(counts.total() - sum(told))
    values = np.fromiter(
        (numbers.get(word, float(len(listed))) for word in words), np.float32, len(words)
    )
    missing = len(words) - counts.total()
    names = (*listed, f"{rest:,} others") if rest else tuple(listed)
    return values, LegendView(
        name, "category", names, tuple(told), rest, 0.0, float(len(names)), "", "", missing
    )


def _day(days: float) -> str:
    return (dt.datetime(1970, 1, 1) + dt.timedelta(days=days)).date().isoformat()
