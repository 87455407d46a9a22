"""What a case came to, and a chart of all cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rarefind.evaluation.plots import ACCENT, FAINT, INK
from rarefind_bench.robustness.cases import Case


@dataclass(frozen=True)
class Outcome:
    """Labels until every rare class was seen, for every draw (infinite if one was not)."""

    case: Case
    labels: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median over the draws."""
        ordered = np.sort(self.labels)
        half = len(ordered) // 2
        return float(ordered[half] if len(ordered) % 2 else ordered[half - 1 : half + 1].mean())


def draw_outcomes(outcomes: Sequence[Outcome], budget: int, axes: Any) -> None:
    """Draw the median of every case as a dot and its best to worst draw as a line.

    A dot at the right edge stands for a median beyond the budget.
    """
    for place, outcome in enumerate(outcomes):
        ours = outcome.case.strategy == "auto"
        colour, shape = (ACCENT, "o") if ours else (INK, "s")
        ends = np.minimum([min(outcome.labels), max(outcome.labels)], budget)
        axes.plot(ends, [place, place], color=colour, linewidth=1.5, alpha=0.5)
        inside = np.isfinite(outcome.median)
        axes.plot(
            min(outcome.median, budget),
            place,
            shape,
            color=colour,
            markerfacecolor=colour if inside else "white",
            markersize=7,
            clip_on=False,
        )
    axes.axvline(budget, color=FAINT, linewidth=1, linestyle=":")
    axes.set_yticks(range(len(outcomes)), [outcome.case.name for outcome in outcomes], fontsize=9)
    axes.invert_yaxis()
    axes.set(xlabel="labels until every rare class is seen", xscale="log")
    axes.set_xlim(3, budget)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.grid(axis="x", color=FAINT, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
