"""``rarefind bench``: the papers' experiments, ours beside the printed numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click
from rich.table import Table

from rarefind.bench import published
from rarefind.bench.contest import Contest, run_contest
from rarefind.bench.data import open_set
from rarefind.bench.labelled import LabelledSet
from rarefind.bench.pictures import write_picture
from rarefind.bench.synthetic import SYNTHETIC, draw_synthetic
from rarefind.cli.output import console, print_json, progress_bar

_STRATEGIES = ("alice", "malice", "interleave", "farthest-first", "auto")
_SHUTTLE_BUDGET, _SYNTHETIC_BUDGET = 400, 300

_seeds = click.option("--seeds", type=click.IntRange(1), help="How many draws of each set.")
_strategies = click.option(
    "--strategy", "strategies", multiple=True, help="Play only these; may be given several times."
)
_json = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def bench() -> None:
    """Repeat the papers' experiments and print what each strategy needed."""


@bench.command()
@_seeds
@_strategies
@click.option("--budget", default=_SHUTTLE_BUDGET, show_default=True, type=click.IntRange(1))
@_json
def shuttle(seeds: int | None, strategies: tuple[str, ...], budget: int, as_json: bool) -> None:
    """Find six rare classes among 4515 records of the space shuttle (needs RAREFIND_DATA)."""
    with progress_bar():
        source = open_set("shuttle")
        contest = run_contest(source.draw, strategies or _STRATEGIES, range(seeds or 10), budget)
    if as_json:
        print_json({"shuttle": _as_dict(contest, published.SHUTTLE)})
        return
    console.print(
        f"Shuttle-4515: labels until the 1st, 2nd, ... rare class is seen, median of "
        f"{seeds or 10} draws. ALICE and MALICE are told the true sizes of the classes."
    )
    console.print(_table(contest, published.SHUTTLE, budget))


@bench.command()
@_seeds
@_strategies
@click.option("--set", "names", multiple=True, help="Play only these sets.")
@click.option("--budget", default=_SYNTHETIC_BUDGET, show_default=True, type=click.IntRange(1))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for pictures (PNG) of what auto asked on the first draw of each set.",
)
@_json
def synthetic(
    seeds: int | None,
    strategies: tuple[str, ...],
    names: tuple[str, ...],
    budget: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Find classes hidden inside a Gaussian crowd, as in the papers."""
    answer = {}
    for name in names or SYNTHETIC:
        draws = seeds or (10 if name == "six balls" else 20)
        draw = _drawing(name)
        with progress_bar():
            contest = run_contest(draw, strategies or _STRATEGIES, range(draws), budget)
        # The papers print only the labels until the last class was seen.
        printed = {who: (labels,) for who, labels in published.SYNTHETIC.get(name, {}).items()}
        answer[name] = _as_dict(contest, printed)
        if not as_json:
            console.print(f"\n[bold]{name}[/]: median labels over {draws} draws")
            console.print(_table(contest, printed, budget))
        if out is not None:
            shown = "auto" if "auto" in contest.entries else next(iter(contest.entries))
            path = write_picture(out, draw(0), contest.entries[shown][0].rows, shown)
            answer[name]["picture"] = str(path)
            if not as_json:
                console.print(f"What {shown} asked on the first draw: {path}")
    if as_json:
        print_json(answer)


def _drawing(name: str) -> Callable[[int], LabelledSet]:
    return lambda seed: draw_synthetic(name, seed)


def _table(contest: Contest, printed: Mapping[str, Sequence[int]], budget: int) -> Table:
    classes = len(contest.random)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("strategy", no_wrap=True)
    for place in range(1, classes + 1):
        table.add_column(str(place), justify="right")
    table.add_column("best-worst", justify="right")
    for strategy in contest.entries:
        low, high = contest.spread(strategy)
        table.add_row(
            strategy,
            *(_number(labels, budget) for labels in contest.median(strategy)),
            f"{_number(low, budget)} - {_number(high, budget)}",
            style="bold" if strategy == "auto" else None,
        )
    table.add_row("random, exact mean", *(f"{labels:.0f}" for labels in contest.random))
    for who, row in printed.items():
        gap = [""] * (classes - len(row))
        table.add_row(f"{who}, as printed", *gap, *map(str, row), style="dim")
    return table


def _number(labels: float, budget: int) -> str:
    """Write labels; those beyond the budget only as more than it.

    >>> _number(13.5, 100), _number(float("inf"), 100)
    ('13.5', '>100')
    """
    return f"{labels:g}" if math.isfinite(labels) else f">{budget}"


def _as_dict(contest: Contest, printed: Mapping[str, Sequence[int]]) -> dict[str, object]:
    return {
        "strategies": {
            strategy: {
                "median": [_finite(labels) for labels in contest.median(strategy)],
                "best": _finite(contest.spread(strategy)[0]),
                "worst": _finite(contest.spread(strategy)[1]),
                "seconds": round(sum(entry.seconds for entry in entries), 2),
            }
            for strategy, entries in contest.entries.items()
        },
        "random": list(contest.random),
        "printed": {who: list(labels) for who, labels in printed.items()},
    }


def _finite(labels: float) -> float | None:
    """Return the labels, or None where the budget did not suffice: JSON has no infinity."""
    return labels if math.isfinite(labels) else None
