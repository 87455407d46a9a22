"""``rarefind compare``: models side by side on a file with labels."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.terminal.output import console, counted, grid, print_json, progress_bar
from rarefind.detection.models import registry as models
from rarefind.evaluation.plots import check_picture, draw_comparison, figure, save_picture
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.showing.views import Comparison
from rarefind.store.opening import open_store


@click.command()
@options.file
@click.option("--label-column", required=True, metavar="COLUMN", help="Column that holds labels.")
@click.option("--target", required=True, metavar="CLASS", help="Class to rank for.")
@click.option(
    "--models",
    metavar="A,B,...",
    help="Names of models, as in svm(C=1),lda. Usually the common ones. There are "
    f"{', '.join(models.names())}.",
)
@click.option("--folds", default=5, show_default=True, type=click.IntRange(2), help="Parts.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Random seed.")
@click.option("--k", type=click.IntRange(1), help="Where precision is taken. Usually the hits.")
@options.reading
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the curves (.png, .svg, .pdf).")
@click.option("--report", is_flag=True, help="Say what each model goes by: margins, bounds, ...")
@options.as_json
def compare(
    file: Path,
    label_column: str,
    target: str,
    models: str | None,
    folds: int,
    seed: int,
    k: int | None,
    settings: HuntSettings,
    plot: Path | None,
    report: bool,
    as_json: bool,
) -> None:
    """Compare models on FILE: every record is ranked by models that have not seen it."""
    from rarefind.detection.formula import split_models

    names = None if models is None else split_models(models)
    if plot is not None:
        check_picture(plot)
    settings = settings.check()
    with Service(open_store("memory:")) as service, progress_bar():
        table = service.compare(
            file,
            target,
            names,
            label_column=label_column,
            settings=settings,
            folds=folds,
            seed=seed,
            k=k,
        )
        asked = [row.model for row in table.rows if not row.note] if report else []
        reports = service.reports(file, target, asked, label_column, settings) if asked else {}
    if plot is not None:
        with figure() as (drawn, axes):
            curves = {row.model: row.curve for row in table.rows if row.curve}
            draw_comparison(axes, curves, table.target)
            save_picture(drawn, plot)
    if as_json:
        told = {"reports": {name: made.to_dict() for name, made in reports.items()}}
        print_json({**vars(table), **(told if report else {})})
    else:
        _show(table, plot)
        for name, made in reports.items():
            console.print()
            console.print(f"{name}: {made}", markup=False, highlight=False)


def _show(table: Comparison, plot: Path | None) -> None:
    console.print(
        f"{counted(table.wanted, 'record')} of [bold]{escape(table.target)}[/] among "
        f"{table.n_records:,}, {table.folds} folds; a random order has average precision "
        f"{table.chance:.3f}."
    )
    rows = [
        (
            row.model,
            "-" if row.average_precision is None else f"{row.average_precision:.3f}",
            "-" if row.spread is None else f"{row.spread:.3f}",
            "-" if row.precision_at_k is None else f"{row.precision_at_k:.3f}",
            f"{row.fit_seconds:.2f}",
            f"{row.score_seconds:.2f}",
            row.note,
        )
        for row in table.rows
    ]
    titles = ("model", "AP", "±", f"P@{table.k}", "fit s", "score s", "note")
    shown = titles if any(row.note for row in table.rows) else titles[:-1]
    console.print(grid(shown, [row[: len(shown)] for row in rows], titles[1:6]))
    best = _best_precision(table)
    if best < 1.0:
        each = table.wanted / table.folds
        console.print(
            f"[dim]A fold holds about {each:.3g} records of {escape(table.target)}, so P@{table.k} "
            f"is {best:.3f} at most.[/]"
        )
    if plot is not None:
        console.print(f"Drawn in {escape(str(plot))}.")


def _best_precision(table: Comparison) -> float:
    """Return the precision at k of a perfect ranking: a fold may hold fewer than k to find."""
    few, larger = divmod(table.wanted, table.folds)
    found = larger * min(table.k, few + 1) + (table.folds - larger) * min(table.k, few)
    return found / (table.folds * table.k)
