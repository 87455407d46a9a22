"""``rarefind bench``: the published experiments again, and ours beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from rarefind.cli.terminal.output import console, print_json, print_table, progress_bar
from rarefind.core.names import unknown_name
from rarefind_bench.fetching import fetch_sets
from rarefind_bench.journal import Journal
from rarefind_bench.plan import Plan
from rarefind_bench.registry import BENCHES, Bench
from rarefind_bench.tables_and_charts import Findings, Grid, check_out

_CHOICES: dict[str, click.Option] = {
    "seeds": click.Option(["--seeds"], type=click.IntRange(1), help="How many draws or splits."),
    "budget": click.Option(
        ["--budget"], type=click.IntRange(1), help="Labels for each hunt, or seconds for each part."
    ),
    "strategies": click.Option(
        ["--strategy", "--model", "strategies"],
        multiple=True,
        help="Only these; may be given several times.",
    ),
    "sets": click.Option(
        ["--set", "sets"], multiple=True, help="Only these sets; may be given several times."
    ),
    "peers": click.Option(
        ["--peers/--no-peers"], default=True, help="Run other people's tools beside ours."
    ),
    "large": click.Option(["--large"], is_flag=True, help="Run the parts that take long, too."),
}
"""Options that some benchmarks take; the registry says which."""


def _command(name: str, chosen: Bench) -> click.Command:
    def run(as_json: bool, out: Path | None, journal: Path | None, **choices: Any) -> None:
        if out is not None:
            check_out(out)
        with progress_bar():
            found = chosen.run(Plan(journal=Journal(journal), **choices))
        if out is not None:
            found.write(out)
        if as_json:
            print_json(found.data)
        else:
            _show(found)

    shared: list[click.Parameter] = [
        click.Option(
            ["--out"],
            type=click.Path(path_type=Path),
            help="Write a page: tables and charts (.html), or tables (.md).",
        ),
        click.Option(
            ["--journal"],
            type=click.Path(path_type=Path),
            help="Keep finished parts in this file, and go on from it.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Answer in JSON."),
    ]
    own: list[click.Parameter] = [_CHOICES[choice] for choice in chosen.takes]
    return click.Command(name, callback=run, params=[*own, *shared], help=chosen.words)


def _show(found: Findings) -> None:
    console.print(f"[bold]{escape(found.title)}[/]. {escape(found.lead)}")
    for grid in found.grids:
        console.print(f"\n[bold]{escape(grid.title)}[/]")
        print_table(_table(grid))
    for note in found.notes:
        console.print(f"[dim]{escape(note)}.[/]")


def _table(grid: Grid) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, title in enumerate(grid.header):
        table.add_column(title, justify="right" if place else "left", no_wrap=not place)
    for row in grid.rows:
        printed = str(row[0]).endswith("as printed")
        style = "bold" if row[0] == "auto" else "dim" if printed else None
        table.add_row(*(escape(_cell(value)) for value in row), style=style)
    return table


def _cell(value: object) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else str(value)


class _Benches(click.Group):
    """Lists its commands with all that is said about them."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the benchmark meant; a wrong name is answered with the nearest."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            raise click.UsageError(
                str(unknown_name("benchmark", args[0], sorted(self.commands))), ctx
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands; a line too long for the terminal runs on."""
        with formatter.section("Commands"):
            words = {name: chosen.words for name, chosen in BENCHES.items()}
            formatter.write_dl(sorted({**words, "fetch": str(fetch_sets.help)}.items()))


bench = _Benches(
    "bench",
    commands={
        **{name: _command(name, chosen) for name, chosen in BENCHES.items()},
        "fetch": fetch_sets,
    },
    help="Repeat the published experiments and print ours beside them.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
