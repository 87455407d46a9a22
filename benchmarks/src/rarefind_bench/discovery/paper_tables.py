"""The papers' contests: labels until the 1st, 2nd, ... rare class, ours beside the printed rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from rarefind.evaluation.plots import ACCENT, CLASSES, FAINT, draw_map
from rarefind_bench.datasets.catalogue import open_set
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.datasets.synthetic import OTHER_READINGS, SYNTHETIC, draw_synthetic
from rarefind_bench.datasets.textures import textures
from rarefind_bench.discovery import printed_in_papers as printed_rows
from rarefind_bench.discovery.labels_needed import READINGS, Contest, finite, number, run_contest
from rarefind_bench.discovery.peers import installed_peers
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Chart, Findings, Grid

STRATEGIES = ("alice", "malice", "interleave", "farthest-first", "auto", *READINGS)
"""The papers' own, a simple rule that is hard to beat, the default, and other ways to read them."""

_SHUTTLE_BUDGET, _SYNTHETIC_BUDGET = 400, 300
"""Labels after which a hunt counts as lost; the published rows of MALICE end well before."""


def shuttle(plan: Plan) -> Findings:
    """Find six rare classes among 4515 records of the space shuttle."""
    budget, seeds = plan.budget or _SHUTTLE_BUDGET, plan.seeds or 10
    peers, notes = installed_peers() if plan.peers and not plan.strategies else ({}, [])
    contest = run_contest(
        open_set("shuttle").draw,
        plan.strategies or STRATEGIES,
        range(seeds),
        budget,
        peers=peers,
        journal=plan.journal,
    )
    return Findings(
        "Shuttle-4515",
        f"Labels until the 1st, 2nd, ... rare class is seen, median of {seeds} draws. ALICE and "
        "MALICE are told the true sizes of the classes.",
        [_grid(f"Median of {seeds} draws", contest, printed_rows.SHUTTLE, budget)],
        [_curves(contest)],
        {"shuttle": as_dict(contest, printed_rows.SHUTTLE)},
        notes,
    )


def images(plan: Plan) -> Findings:
    """Find five rare classes among 5000 textures, a stand-in for the paper's pictures."""
    budget, seeds = plan.budget or _SHUTTLE_BUDGET, plan.seeds or 5
    played = plan.strategies or ("alice", "malice", "interleave", "farthest-first", "auto")
    contest = run_contest(textures, played, range(seeds), budget, journal=plan.journal)
    return Findings(
        "Pictures (stand-in)",
        "The paper's 5000 pictures were not published, nor are the sizes of their classes printed. "
        "These are textures drawn by a recipe, as many, in as many classes, with as many features; "
        "the sizes are such that random sampling needs about what is printed. Rows of "
        "the two can be looked at side by side, and not be subtracted.",
        [_grid(f"Median of {seeds} draws of textures", contest, printed_rows.IMAGE, budget)],
        [_curves(contest)],
        {"images": as_dict(contest, printed_rows.IMAGE)},
    )


def synthetic(plan: Plan) -> Findings:
    """Find classes hidden inside a Gaussian crowd, as in the papers."""
    budget = plan.budget or _SYNTHETIC_BUDGET
    found = Findings(
        "Classes hidden inside the crowd",
        "Labels until the 1st, 2nd, ... rare class is seen. ALICE and MALICE are told the true "
        "sizes of the classes.",
    )
    for name in plan.sets or (*SYNTHETIC, *OTHER_READINGS):
        draws = plan.seeds or (10 if name == "six balls" else 20)
        draw = partial(draw_synthetic, name)
        contest = run_contest(
            draw, plan.strategies or STRATEGIES, range(draws), budget, journal=plan.journal
        )
        # The papers print only the labels until the last class was seen.
        printed = {who: (labels,) for who, labels in _printed(name).items()}
        found.data[name] = as_dict(contest, printed)
        found.grids.append(_grid(f"{name}: median of {draws} draws", contest, printed, budget))
        shown = "auto" if "auto" in contest.entries else next(iter(contest.entries))
        rows = contest.entries[shown][0].rows
        found.charts.append(
            Chart(
                f"{name}: the {len(rows)} records {shown} asked about on the first draw",
                partial(_draw_asked, draw, rows),
            )
        )
    return found


def _printed(name: str) -> Mapping[str, int]:
    """Find what the papers print of a set, whichever way it is read."""
    return printed_rows.SYNTHETIC.get(name.partition(" of ")[0], {})


def as_dict(contest: Contest, printed: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Return the medians, spread and seconds of every player, for machines."""
    return {
        "strategies": {
            strategy: {
                "median": [finite(labels) for labels in contest.median(strategy)],
                "mean": finite(contest.mean(strategy)),
                "best": finite(contest.best_and_worst(strategy)[0]),
                "worst": finite(contest.best_and_worst(strategy)[1]),
                "seconds": round(sum(entry.seconds for entry in entries), 2),
            }
            for strategy, entries in contest.entries.items()
        },
        "random": list(contest.random),
        "printed": {who: list(labels) for who, labels in printed.items()},
    }


def _grid(title: str, contest: Contest, printed: Mapping[str, Sequence[int]], budget: int) -> Grid:
    classes = len(contest.random)
    rows: list[list[object]] = []
    for player in contest.entries:
        low, high = contest.best_and_worst(player)
        spread = f"{number(low, budget)} - {number(high, budget)}"
        mean = number(round(contest.mean(player), 1), budget)
        rows.append([player, *(number(x, budget) for x in contest.median(player)), mean, spread])
    rows.append(["random, exact mean", *(f"{labels:.0f}" for labels in contest.random), "", ""])
    for who, labels in printed.items():
        gap = [""] * (classes - len(labels))
        rows.append([f"{who}, as printed", *gap, *map(str, labels), "", ""])
    columns = ["strategy", *map(str, range(1, classes + 1)), "mean, last", "best - worst"]
    return Grid(title, columns, rows)


def _curves(contest: Contest) -> Chart:
    def draw(axes: Any) -> None:
        classes = np.arange(1, len(contest.random) + 1)
        axes.plot(contest.random, classes, color=FAINT, linewidth=2, label="random, exact mean")
        dashes = ("-", "--", "-.", ":")
        for place, player in enumerate(contest.entries):
            colour = ACCENT if player == "auto" else CLASSES[place % len(CLASSES)]
            line = "-" if player == "auto" else dashes[place % len(dashes)]
            median = contest.median(player)
            axes.plot(median, classes, color=colour, linestyle=line, marker="o", label=player)
        axes.set(xlabel="labels given (median)", ylabel="rare classes seen", xscale="log")
        axes.legend(frameon=False, fontsize=8, loc="upper left")

    return Chart(f"{contest.name}: labels until so many rare classes are seen", draw)


def _draw_asked(draw: Callable[[int], LabelledSet], rows: Sequence[int], axes: Any) -> None:
    drawn = draw(0)
    places = np.asarray(drawn.records)[:, :2]
    labels = {int(row): drawn.labels[row] for row in rows}
    draw_map(axes, places, labels, frozenset([drawn.background]))
