"""Cost against size: series of points, their exponents, and how they are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rarefind.evaluation.plots import ACCENT, CLASSES, FAINT
from rarefind_bench.tables_and_charts import Chart, Grid

_SEEN = 1e-3
"""Seconds below which a time says little about growth."""


@dataclass
class Series:
    """The seconds of one tool against size.

    Attributes
    ----------
    name
        The tool.
    seconds
        Seconds of processors by size.
    words
        Why there is no time at a size.
    """

    name: str
    seconds: dict[int, float] = field(default_factory=dict)
    words: dict[int, str] = field(default_factory=dict)

    def exponent(self) -> float | None:
        """Return the power of the size that the time grows with, at the larger sizes.

        Small sizes are left out as soon as three larger ones are there: they show what every call
        costs, not how cost grows.

        >>> Series("squares", {10: 1.0, 100: 100.0, 1000: 10000.0}).exponent()
        2.0
        """
        told = [(size, time) for size, time in sorted(self.seconds.items()) if time >= _SEEN]
        told = told[-3:]
        return power(told) if len(told) > 1 else None


def power(points: Sequence[tuple[float, float]]) -> float:
    """Fit the exponent to sizes and seconds.

    >>> power([(1.0, 3.0), (2.0, 12.0)])
    2.0
    """
    sizes, times = np.log(np.array(points, dtype=float)).T
    return round(float(np.polyfit(sizes, times, 1)[0]), 6)


def growth_grid(title: str, axis: str, series: Sequence[Series]) -> Grid:
    """Lay out seconds by tool and size, with the exponent at the end of each line."""
    sizes = sorted({size for one in series for size in (*one.seconds, *one.words)})
    rows = [
        (one.name, *(_cell(one, size) for size in sizes), _grows(one.exponent())) for one in series
    ]
    header = (axis, *(f"{size:,}" for size in sizes), "grows like")
    return Grid(title, header, rows)


def growth_chart(title: str, axis: str, series: Sequence[Series]) -> Chart:
    """Draw seconds against size, both in powers of ten."""
    return Chart(title, _drawing(axis, [one for one in series if one.seconds]))


def as_data(series: Sequence[Series]) -> dict[str, Any]:
    """Return the series for machines."""
    return {
        one.name: {
            "seconds": {str(size): time for size, time in one.seconds.items()},
            "left out": {str(size): words for size, words in one.words.items()},
            "exponent": one.exponent(),
        }
        for one in series
    }


def _cell(series: Series, size: int) -> str:
    if size in series.seconds:
        return _seconds(series.seconds[size])
    return series.words.get(size, "")


def _seconds(time: float) -> str:
    """Write seconds with two digits that count.

    >>> _seconds(0.001234), _seconds(12.3)
    ('0.0012', '12')
    """
    places = max(0, 1 - math.floor(math.log10(max(time, 1e-9))))
    return f"{time:,.{places}f}"


def _grows(exponent: float | None) -> str:
    return "" if exponent is None else f"n^{round(exponent, 2) + 0.0:.2f}"  # never -0.00


def _drawing(axis: str, series: Sequence[Series]) -> Callable[[Any], None]:
    def draw(axes: Any) -> None:
        dashes, marks = ("--", "-.", ":"), "svD^<>P"
        rivals = 0
        for one in series:
            sizes = sorted(one.seconds)
            label = f"{one.name}  {_grows(one.exponent())}"
            ours = one.name.startswith("rarefind")
            colour = ACCENT if ours and "auto" in one.name else CLASSES[rivals % len(CLASSES)]
            style: Mapping[str, Any] = (
                {"linestyle": "-", "marker": "o", "linewidth": 2.4}
                if ours
                else {
                    "linestyle": dashes[rivals % len(dashes)],
                    "marker": marks[rivals % len(marks)],
                }
            )
            rivals += colour != ACCENT
            times = [one.seconds[size] for size in sizes]
            axes.plot(sizes, times, color=colour, markersize=4, label=label, **style)
        axes.set(xlabel=axis, ylabel="seconds of processors", xscale="log", yscale="log")
        low, high = axes.get_ylim()
        if high < 100 * low:  # what hardly changes should look like it
            axes.set_ylim(low / 10, high * 10)
        axes.grid(color=FAINT, linewidth=0.4, which="major")
        sizes = sorted({size for one in series for size in one.seconds})
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.set_xticks([], minor=True)
        axes.legend(
            frameon=False, fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.16)
        )

    return draw
