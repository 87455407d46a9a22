"""``rarefind guarantee``: what the theorem behind ALICE promises for a file with labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rarefind.cli import options
from rarefind.cli.terminal.output import console, grid, print_json, progress_bar
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store

if TYPE_CHECKING:
    from rarefind.discovery import Guarantee


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--label-column", required=True, metavar="COLUMN", help="Column that holds labels.")
@click.option(
    "--background",
    multiple=True,
    metavar="NAME",
    help="Ordinary class; may be given several times. Usually the largest.",
)
@click.option(
    "--risk",
    default=0.05,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Chance that the promise may fail.",
)
@options.columns
@options.as_json
def guarantee(
    file: Path,
    label_column: str,
    background: tuple[str, ...],
    risk: float,
    settings: HuntSettings,
    as_json: bool,
) -> None:
    """Tell what the theorem behind ALICE promises for each rare class of FILE."""
    settings = replace(settings, label_column=label_column)
    with Service(open_store("memory:")) as service, progress_bar():
        promised = service.guarantee(file, settings, background=background, risk=risk)
    if as_json:
        print_json([{**vars(one), "applies": one.applies} for one in promised])
    else:
        _show(promised)


def _show(promised: list[Guarantee]) -> None:
    titles = ("class", "records", "r", "r2", "search", "overlap", "rounds", "needs", "applies")
    rows = [
        (
            str(one.label),
            f"{one.size:,}",
            f"{one.radius:.3g}",
            f"{one.r2:.3g}",
            f"{one.search_radius:.3g}",
            f"{one.overlap:.3g}",
            one.rounds,
            f"{one.least_n:.2g}",
            "yes" if one.applies else "no",
        )
        for one in promised
    ]
    console.print(grid(titles, rows, titles[1:8]))
    n = promised[0].n
    console.print(
        f"{n:,} records. Where the theorem applies, a record that is rare with a chance of at "
        "least 1/3 has been asked about after that many rounds."
    )
