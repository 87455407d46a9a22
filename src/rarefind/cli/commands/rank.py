"""``rarefind rank``: the records of a file, most like the class first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.commands.harvest import look
from rarefind.cli.terminal.output import console, counted, grid, print_json, progress_bar
from rarefind.cli.terminal.stopping import Stopped
from rarefind.core.errors import ParameterError
from rarefind.detection.models import registry as models
from rarefind.hunting.reasons import Reason
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.ranking.of_file import FileToRank, RankedFile, rank_file


@click.command()
@options.file
@click.option("--hunt", metavar="NAME", help="Hunt whose labels count. Usually that of the file.")
@click.option("--label-column", metavar="COLUMN", help="Column with the labels known so far.")
@click.option("--target", required=True, metavar="CLASS", help="Class to rank for.")
@click.option(
    "--model",
    default="auto",
    show_default=True,
    help=f"Which model ranks, as in svm(C=1): {', '.join(models.names())}.",
)
@options.reading
@click.option("--top", default=10, show_default=True, type=click.IntRange(1), help="Rows to show.")
@options.store
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write the ranking (.csv, .parquet, .jsonl; a folder with --cluster).",
)
@click.option("--explain", is_flag=True, help="Say what speaks for and against each row shown.")
@click.option("--ask", is_flag=True, help="Then ask about the best: yes, no, or another class.")
@options.cluster
@options.as_json
def rank(
    file: Path,
    hunt: str | None,
    label_column: str | None,
    target: str,
    model: str,
    settings: HuntSettings,
    top: int,
    store: str | None,
    out: Path | None,
    explain: bool,
    ask: bool,
    cluster: str | None,
    cluster_folder: Path | None,
    as_json: bool,
) -> None:
    """Rank the records of FILE for one class, from the labels of a hunt or of a column.

    Rows without a label are ranked. If every row of a column has one, each is ranked by a model
    that has not seen it, and the average precision tells how good the ranking is.

    A Parquet file larger than memory is scored by stream if --out is a Parquet file. With
    --cluster, FILE is a Parquet file or a folder of them, a Dask cluster scores them, and --out is
    a folder with a file for each group of rows.
    """
    if label_column is not None and hunt is not None:
        raise ParameterError("Labels come from --hunt or from --label-column, not from both.")
    if label_column is None and settings != HuntSettings():
        raise ParameterError(
            "A hunt knows how its records are read: --kind, --leave-out, --kernel and the like go "
            "with --label-column."
        )
    if ask and (label_column is not None or cluster is not None or as_json):
        raise ParameterError("--ask goes with a hunt, on a terminal: without --json or --cluster.")
    if cluster is None and cluster_folder is not None:
        raise ParameterError("--cluster-folder goes with --cluster.")
    settings = replace(settings, label_column=label_column)
    wanted = FileToRank(file, target, model, hunt, settings, top, out, explain)
    where = options.store_beside(store, file)
    try:
        with progress_bar():
            made = rank_file(wanted, where, cluster, cluster_folder)
    except KeyboardInterrupt:
        raise Stopped("stopped before the ranking was made; every label is kept.") from None
    if as_json:
        print_json(_plain(made))
    else:
        _show(made, out)
    if ask:
        look(where, wanted.file, wanted.hunt_name, target, model, top)


def _plain(made: RankedFile) -> dict[str, Any]:
    kept = {} if made.id is None else {"ranking_id": made.id}
    whys = [{"why": reason} for reason in made.reasons] or [{} for _ in made.shown]
    names = ("target", "model", "why", "average_precision", "seconds", "known_examples")
    return {
        **kept,
        **{name: getattr(made, name) for name in names},
        "ranked": made.n_ranked,
        "chance": made.chance,
        **({"kernel_weights": dict(made.kernel_weights)} if made.kernel_weights else {}),
        "ranking": [
            {"row": each.row, "score": each.score, **why}
            for each, why in zip(made.shown, whys, strict=True)
        ],
    }


def _show(made: RankedFile, out: Path | None) -> None:
    console.print(
        f"{counted(made.n_ranked, 'record')} ranked for [bold]{escape(made.target)}[/] "
        f"from {counted(made.known_examples, 'known example')}:"
    )
    lines = [(each.rank, each.row, f"{each.score:.4g}", each.summary) for each in made.shown]
    console.print(grid(("rank", "row", "score", "record"), lines, ("rank", "row", "score")))
    console.print(f"[dim]{escape(made.why)}[/]")
    said = ""
    for reason in made.reasons:
        if reason.words != said:  # mostly one sentence for all rows
            console.print(f"[dim]{escape(reason.words)}[/]")
            said = reason.words
        console.print(f"[bold]row {reason.row}[/] {escape(_parts(reason))}".rstrip())
        if reason.against:
            console.print(f"  [dim]{escape(reason.against_words)}[/]")
    if out is not None:
        console.print(f"Written to {escape(str(out))}.")


def _parts(reason: Reason) -> str:
    """Put what speaks for and against a row into one line."""
    return ", ".join(
        f"row {part['row']} {part['share']:.0%}"
        if reason.kind == "votes"
        else f"{part['feature']} {part['adds']:+.3g}"
        for part in reason.parts
    )
