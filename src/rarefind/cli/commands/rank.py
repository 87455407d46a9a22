"""``rarefind rank``: the records of a file, most like the class first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.commands.rank_in_parts import (
    goes_by_stream,
    rank_by_stream,
    rank_on_cluster,
    summary_of,
)
from rarefind.cli.terminal.output import console, counted, grid, print_json, progress_bar
from rarefind.cli.terminal.stopping import Stopped
from rarefind.core.errors import ParameterError
from rarefind.records.formats.by_ending import write_table
from rarefind.service.exchange.exporting import check_export, ranking_table
from rarefind.service.facade import Service
from rarefind.service.hunts.catalogue import default_name
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.showing.record import RecordViewer
from rarefind.service.showing.views import RankedView, VotesView, as_plain
from rarefind.store.opening import open_store


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--hunt", metavar="NAME", help="Hunt whose labels count. Usually that of the file.")
@click.option("--label-column", metavar="COLUMN", help="Column with the labels known so far.")
@click.option("--target", required=True, metavar="CLASS", help="Class to rank for.")
@click.option(
    "--model", default="auto", show_default=True, help="Which model ranks, as in lago or svm(C=1)."
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
@options.cluster
@options.as_json
def rank(
    file: Path,
    hunt: str | None,
    label_column: str | None,
    target: str,
    model: str,
    kernel: str | None,
    kinds: tuple[str, ...],
    leave_out: tuple[str, ...],
    top: int,
    store: str | None,
    out: Path | None,
    explain: bool,
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
    if label_column is None and (kinds or leave_out or kernel):
        raise ParameterError(
            "A hunt knows how its records are read: --kind, --leave-out and --kernel go with "
            "--label-column."
        )
    settings = HuntSettings(
        kernel=kernel,
        kinds=options.read_kinds(kinds),
        leave_out=leave_out,
        label_column=label_column,
    ).check()
    if cluster is None:
        _check_out(file, out, cluster_folder)
    reasons: list[VotesView] = []
    by_stream = cluster is None and goes_by_stream(file, settings, model, out)
    if explain and (cluster is not None or by_stream):
        raise ParameterError(
            "--explain needs the records in memory, and a cluster or a stream scores them in parts."
        )
    try:
        with progress_bar():
            if cluster is not None:
                made, rows = rank_on_cluster(
                    cluster, cluster_folder, file, hunt, settings, target, model, top, store, out
                )
            elif by_stream:
                made, rows = rank_by_stream(file, hunt, settings, target, top, store, out)
            elif label_column is None:
                made, rows, reasons = _from_hunt(
                    file, hunt, target, model, top, store, out, explain
                )
            else:
                made, rows, reasons = _from_column(file, settings, target, model, top, out, explain)
    except KeyboardInterrupt:
        raise Stopped("stopped before the ranking was made; every label is kept.") from None
    if as_json:
        whys = [{"why": as_plain(reason)} for reason in reasons] or [{} for _ in rows]
        shown = [
            {"row": each.row, "score": each.score, **why}
            for each, why in zip(rows, whys, strict=True)
        ]
        print_json({**made, "ranking": shown})
    else:
        _show(made, rows, out)
        for reason in reasons:
            console.print(f"[bold]row {reason.row}[/] {escape(_said(reason))}")


def _check_out(file: Path, out: Path | None, cluster_folder: Path | None) -> None:
    if cluster_folder is not None:
        raise ParameterError("--cluster-folder goes with --cluster.")
    if out is not None:
        check_export(out, "ranking")
        if out.exists() and file.exists() and out.samefile(file):
            raise ParameterError(
                f"--out would replace {file.name}, which holds the records. Give another name."
            )


def _from_hunt(
    file: Path,
    hunt: str | None,
    target: str,
    model: str,
    top: int,
    store: str | None,
    out: Path | None,
    explain: bool,
) -> tuple[dict[str, Any], list[RankedView], list[VotesView]]:
    where = options.store_beside(store, file)
    with Service(open_store(where, create=False)) as service:
        view = service.open_hunt(file, name=hunt or default_name(file), create=False)
        service.prepare(view.id)
        ranking = service.rank(view.id, target, model)
        if out is not None:
            service.export(view.id, out, what="ranking", ranking=ranking.id)
        made = as_plain(ranking)
        summary = {
            "ranking_id": ranking.id,
            **summary_of(made, ranking.known, ranking.n_ranked, ranking.chance),
        }
        rows = service.ranked(view.id, ranking.id, 0, top)
        explained = rows if explain else []
        return summary, rows, [service.votes(view.id, ranking.id, each.row) for each in explained]


def _from_column(
    file: Path,
    settings: HuntSettings,
    target: str,
    model: str,
    top: int,
    out: Path | None,
    explain: bool,
) -> tuple[dict[str, Any], list[RankedView], list[VotesView]]:
    with Service(open_store("memory:")) as service:
        ranking, data = service.rank_file(file, target, model, settings)
        reasons = service.reasons(ranking, data, ranking.rows[:top]) if explain else []
    if out is not None:
        known = {row: label for row, label in enumerate(data.truth or ()) if label is not None}
        write_table(ranking_table(data.table, ranking.rows, ranking.scores, known), out)
    viewer, quality = RecordViewer(data), ranking.quality
    made = {
        "target": target,
        "model": model,
        "why": ranking.chosen,
        "average_precision": quality.average_precision,
        "seconds": round(ranking.seconds, 3),
        "kernel_weights": dict(ranking.kernel_weights),
    }
    rows = [
        RankedView(place, int(row), float(score), None, viewer.summary(int(row)))
        for place, (row, score) in enumerate(
            zip(ranking.rows[:top], ranking.scores[:top], strict=True), start=1
        )
    ]
    summary = summary_of(made, quality.examples, len(ranking.rows), quality.chance)
    return summary, rows, reasons


def _show(made: dict[str, Any], rows: list[RankedView], out: Path | None) -> None:
    console.print(
        f"{counted(made['ranked'], 'record')} ranked for [bold]{escape(made['target'])}[/] "
        f"from {counted(made['known_examples'], 'known example')}:"
    )
    lines = [(each.rank, each.row, f"{each.score:.4g}", each.summary) for each in rows]
    console.print(grid(("rank", "row", "score", "record"), lines, ("rank", "row", "score")))
    console.print(f"[dim]{escape(made['why'])}[/]")
    if out is not None:
        console.print(f"Written to {escape(str(out))}.")


def _said(reason: VotesView) -> str:
    """Put what speaks for and against a row into one line."""
    parts = [
        f"row {part['row']} {part['share']:.0%}"
        if reason.kind == "votes"
        else f"{part['feature']} {part['adds']:+.3g}"
        for part in reason.parts
    ]
    return f"{reason.words} {', '.join(parts)}".rstrip()
