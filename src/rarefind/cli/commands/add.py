"""``rarefind add``: further records for a hunt."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.terminal.at_work import at_work
from rarefind.cli.terminal.output import console, counted, print_json, progress_bar


@click.command()
@click.argument("hunt")
@click.argument("file", type=click.Path(path_type=Path))
@options.annotator
@options.store
@options.as_json
def add(hunt: str, file: Path, annotator: str | None, store: str | None, as_json: bool) -> None:
    """Add the records of FILE to HUNT, which goes on with all its answers.

    FILE has the columns of the file the hunt began with, in any order; others are left out. Its
    records come after those that are there, and any of them may be asked about next. Leave FILE
    where it is: a hunt reads its records, it does not copy them.
    """
    with at_work(store, annotator) as (service, who), progress_bar():
        before = service.hunt(hunt).n_records
        view = service.append(hunt, file, who)
    new = view.n_records - before
    if as_json:
        print_json({"hunt": view.name, "added": new, "records": view.n_records})
        return
    console.print(
        f"{counted(new, 'record')} added to {escape(view.name)} as rows {before} to "
        f"{view.n_records - 1}; discover goes on with all its answers."
    )
