"""``rarefind rank``: the records of a file, most like the class first."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from rich.markup import escape

from rarefind.cli.output import console, print_json, progress_bar
from rarefind.core.errors import ParameterError
from rarefind.records.files import check_writable, write_table
from rarefind.records.tables import Table
from rarefind.service.opening import Opened, open_records
from rarefind.service.ranking import Ranking, rank_records


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--label-column", required=True, help="Column with the labels known so far.")
@click.option("--target", required=True, help="Class to rank for.")
@click.option("--top", default=10, show_default=True, type=click.IntRange(1), help="Rows to show.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the ranking (.csv, .parquet).")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def rank(
    file: Path, label_column: str, target: str, top: int, out: Path | None, as_json: bool
) -> None:
    """Rank the records of FILE for one class, from the labels it has.

    Rows without a label are ranked. If every row has one, each is ranked by a model that has not
    seen it, and the average precision tells how good the ranking is.
    """
    if out is not None:
        check_writable(out)
        if out.exists() and file.exists() and out.samefile(file):
            raise ParameterError(
                f"--out would replace {file.name}, which holds the labels. Give another name."
            )
    with progress_bar():
        opened = open_records(file, label_column)
        ranking = rank_records(opened.vectors.X, opened.labels or (), target)
    if out is not None:
        write_table(_as_table(opened, ranking), out)
    if as_json:
        print_json(
            {
                "target": ranking.target,
                "known_examples": ranking.known,
                "average_precision": ranking.average_precision,
                "ranking": [
                    {"row": int(row), "score": float(score)}
                    for row, score in zip(ranking.rows[:top], ranking.scores[:top], strict=True)
                ],
            }
        )
        return
    _show(opened, ranking, top, out)


def _as_table(opened: Opened, ranking: Ranking) -> Table:
    places = {
        "rank": np.arange(1.0, len(ranking.rows) + 1),
        "row": ranking.rows.astype(float),
        "score": ranking.scores,
    }
    return opened.table.chosen(ranking.rows).with_columns(places, first=True)


def _show(opened: Opened, ranking: Ranking, top: int, out: Path | None) -> None:
    from rich.table import Table as Grid

    from rarefind.cli.fields import shown_value

    names = list(opened.table.columns)[:6]
    grid = Grid(box=None, header_style="bold", pad_edge=False)
    grid.add_column("rank", justify="right")
    grid.add_column("row", justify="right")
    grid.add_column("score", justify="right")
    for name in names:
        grid.add_column(escape(name), overflow="ellipsis", max_width=18, no_wrap=True)
    for place, (row, score) in enumerate(
        zip(ranking.rows[:top], ranking.scores[:top], strict=True), start=1
    ):
        cells = [escape(shown_value(opened.table.columns[name][row])) for name in names]
        grid.add_row(str(place), str(row), f"{score:.4g}", *cells)
    console.print(
        f"{len(ranking.rows):,} records ranked for [bold]{escape(ranking.target)}[/] "
        f"from {ranking.known} known example{'s' if ranking.known != 1 else ''}:"
    )
    console.print(grid)
    if ranking.average_precision is not None:
        share = ranking.known / len(ranking.rows)
        console.print(
            f"Average precision {ranking.average_precision:.3f}, each record ranked by a model "
            f"that has not seen it (a random order: {share:.3f})."
        )
    if out is not None:
        console.print(f"Written to {out}.")
