"""``rarefind export`` and ``rarefind import``: files out of a hunt and labels into it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from rarefind.cli import options
from rarefind.cli.terminal.at_work import at_work
from rarefind.cli.terminal.output import console, counted, print_json, progress_bar
from rarefind.service.exchange.exporting import check_export
from rarefind.service.facade import Service


@click.command()
@click.argument("hunt")
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--what",
    type=click.Choice(["records", "labels", "ranking"]),
    help="Records with their labels, what everybody said, or a ranking. Usually the records, and "
    "the labels for .json (Label Studio).",
)
@click.option("--ranking", metavar="ID", help="Which ranking. Usually the latest.")
@click.option("--raw", is_flag=True, help="Write cells that a spreadsheet would run as they are.")
@options.store
@options.as_json
def export(
    hunt: str,
    out: Path,
    what: Literal["records", "labels", "ranking"] | None,
    ranking: str | None,
    raw: bool,
    store: str | None,
    as_json: bool,
) -> None:
    """Write the records, labels or ranking of HUNT to OUT.

    The ending says how: .csv, .tsv, .parquet, .jsonl, or .json for Label Studio.
    """
    json_file = out.suffix.lower() == ".json"
    chosen = what or ("ranking" if ranking else "labels" if json_file else "records")
    check_export(out, what or ("ranking" if ranking else "labels"))
    with Service(options.open_to_read(store)) as service, progress_bar():
        rows = service.export(hunt, out, what=chosen, ranking=ranking, raw=raw)
    if as_json:
        print_json({"file": str(out), "what": chosen, "rows": rows})
    else:
        console.print(f"{counted(rows, 'row')} written to {out}.", markup=False)


@click.command("import")
@click.argument("hunt")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--column", metavar="COLUMN", help="Column that holds the labels. Usually label.")
@click.option("--by", metavar="COLUMN", help="Column both files share, to find the records by.")
@click.option("--replace", is_flag=True, help="Change what the same person said before.")
@click.option("--background", multiple=True, metavar="NAME", help="Which class is ordinary.")
@options.annotator
@options.store
@options.as_json
def import_(
    hunt: str,
    file: Path,
    column: str | None,
    by: str | None,
    replace: bool,
    background: tuple[str, ...],
    annotator: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Bring the labels of FILE, made elsewhere, into HUNT.

    FILE is a table with a column "label" and a column "row" that counts records from 0 (or one
    label for every record in order, or --by), or Label Studio's .json. Importing the same labels
    again changes nothing; other answers of the same person are changed only with --replace. Labels
    brought along never make their class the ordinary one: answers do, or --background.
    """
    with at_work(store, annotator) as (service, who), progress_bar():
        made = service.import_labels(hunt, file, who, column=column, by=by, replace=replace)
        if background:
            service.change(hunt, background=background)
        labels = len(service.labels(hunt))
    if as_json:
        print_json({"hunt": hunt, "new": made.new, "changed": made.changed, "labels": labels})
    else:
        changed = f", {counted(made.changed, 'answer')} changed" if made.changed else ""
        console.print(f"{counted(made.new, 'new label')}{changed}; the hunt has {labels:,} now.")
