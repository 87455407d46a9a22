"""A ranking on the page of a hunt: why the model, how good it is, and the records it puts first."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from rarefind.core.arrays import BoolArray, FloatArray
from rarefind.core.precision import average_precision
from rarefind.evaluation.hit_curves import hit_curve, partial_area, precision_at
from rarefind.evaluation.page import Page
from rarefind.evaluation.plots import draw_hits, draw_looked_at
from rarefind.service.showing.views import RankingView
from rarefind.store.contract import RankingEntry

_FIRST = 10
"""Records listed: the page's first look."""

_DEPTHS = (10, 20, 50, 100)
"""How many records one might look at."""


def ranking_section(
    page: Page,
    view: RankingView,
    entry: RankingEntry,
    truth: Sequence[str | None] | None,
    summary: Callable[[int], str],
) -> None:
    """Tell about one ranking; where the truth is known, measure it."""
    made = time.strftime("%Y-%m-%d %H:%M", time.localtime(view.created_at))
    examples = "example" if view.known == 1 else "examples"
    page.section(
        f"Ranked for {view.target}",
        f"The model {view.model} ranked {view.n_ranked:,} records on {made}, from {view.known} "
        f"known {examples}. {view.why}",
    )
    wanted = _wanted(view, entry, truth)
    if wanted is not None:
        _measured(page, wanted, np.asarray(entry.scores, dtype=np.float64))
    if view.hits:
        _looked_at(page, view)
    if len(entry.rows):
        rows = [int(row) for row in entry.rows[:_FIRST]]
        page.table(
            ["rank", "record", "score", "what it is"],
            [
                (place, f"row {row}", float(f"{score:.4g}"), summary(row))
                for place, (row, score) in enumerate(zip(rows, entry.scores, strict=False), start=1)
            ],
        )


def _wanted(
    view: RankingView, entry: RankingEntry, truth: Sequence[str | None] | None
) -> BoolArray | None:
    """Tell which ranked rows are of the class by the label column, if it knows all of them."""
    if truth is None or not len(entry.rows) or int(entry.rows.max()) >= len(truth):
        return None
    labels = [truth[int(row)] for row in entry.rows]
    if any(label is None for label in labels):
        return None
    wanted = np.array([label == view.target for label in labels])
    return wanted if wanted.any() else None


def _measured(page: Page, wanted: BoolArray, scores: FloatArray) -> None:
    total = int(wanted.sum())
    page.text(
        f"By the label column {total:,} of these records belong to the class. Average precision "
        f"{average_precision(wanted, scores):.3f}; a random order has {total / len(wanted):.3f}."
    )
    curve = hit_curve(wanted, scores)
    depths = sorted({depth for depth in (*_DEPTHS, total) if depth <= len(wanted)})
    page.table(
        ["looked at", "records of the class", "precision", "share of the best possible area"],
        [
            (
                depth,
                float(curve[depth]),
                round(precision_at(depth, wanted, scores), 3),
                round(partial_area(depth, wanted, scores), 3),
            )
            for depth in depths
        ],
    )
    caption = "h(t): records of the class among the t ranked first."
    page.chart(caption, lambda axes: draw_hits(axes, curve, total))


def _looked_at(page: Page, view: RankingView) -> None:
    last = view.hits[-1]
    page.text(
        f"People have looked at {last['looked_at']:,} of them since, down to rank "
        f"{last['rank']:,}, and called {last['found']:,} {view.target}: precision "
        f"{last['found'] / last['looked_at']:.3f}."
    )
    caption = "h(t) so far: records confirmed among those looked at, best first."
    found = [hit["found"] for hit in view.hits]
    page.chart(caption, lambda axes: draw_looked_at(axes, found))
