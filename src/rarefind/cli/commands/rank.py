"""``rarefind rank``: the records of a file, most like the class first."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.terminal.output import console, counted, grid, print_json, progress_bar
from rarefind.cli.terminal.stopping import Stopped
from rarefind.core.errors import ParameterError
from rarefind.detection.models import registry as models
from rarefind.records.formats.by_ending import write_table
from rarefind.service.exchange.exporting import check_export, ranking_table
from rarefind.service.facade import Service
from rarefind.service.hunts.catalogue import default_name
from rarefind.service.hunts.large_files import too_large
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.showing.record import RecordViewer
from rarefind.service.showing.views import RankedView, as_plain
from rarefind.store.opening import open_store


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
    read_as: dict[str, Any],
    top: int,
    store: str | None,
    out: Path | None,
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
    if label_column is None and (kinds or leave_out or kernel or read_as):
        raise ParameterError(
            "A hunt knows how its records are read: --kind, --leave-out, --kernel and the like go "
            "with --label-column."
        )
    settings = HuntSettings(
        kernel=kernel,
        kinds=options.read_kinds(kinds),
        leave_out=leave_out,
        label_column=label_column,
        read_as=read_as,
    ).check()
    if cluster is None:
        _check_out(file, out, cluster_folder)
    try:
        with progress_bar():
            if cluster is not None:
                made, rows = _on_cluster(
                    cluster, cluster_folder, file, hunt, settings, target, model, top, store, out
                )
            elif _by_stream(file, settings, model, out):
                made, rows = _streamed(file, hunt, settings, target, top, store, out)
            elif label_column is None:
                made, rows = _from_hunt(file, hunt, target, model, top, store, out)
            else:
                made, rows = _from_column(file, settings, target, model, top, out)
    except KeyboardInterrupt:
        raise Stopped("stopped before the ranking was made; every label is kept.") from None
    if as_json:
        print_json({**made, "ranking": [{"row": each.row, "score": each.score} for each in rows]})
    else:
        _show(made, rows, out)


def _check_out(file: Path, out: Path | None, cluster_folder: Path | None) -> None:
    if cluster_folder is not None:
        raise ParameterError("--cluster-folder goes with --cluster.")
    if out is not None:
        check_export(out, "ranking")
        if out.exists() and file.exists() and out.samefile(file):
            raise ParameterError(
                f"--out would replace {file.name}, which holds the records. Give another name."
            )


def _by_stream(file: Path, settings: HuntSettings, model: str, out: Path | None) -> bool:
    """Tell whether a file is ranked by stream, since memory should not hold it."""
    if model not in ("auto", "lago") or settings.kernel or settings.kinds or settings.leave_out:
        return False
    if not too_large(file):
        return False
    if out is None or out.suffix.lower() != ".parquet":
        raise ParameterError(
            f"{file.name} is larger than memory should hold. Write the ranking to a Parquet file, "
            "as in --out ranked.parquet: then it is ranked by stream."
        )
    return True


def _streamed(
    file: Path,
    hunt: str | None,
    settings: HuntSettings,
    target: str,
    top: int,
    store: str | None,
    out: Path | None,
) -> tuple[dict[str, Any], list[RankedView]]:
    from rarefind.service.ranking.by_stream import rank_parquet

    began = time.perf_counter()
    labels: dict[int, str] | None = None
    if settings.label_column is None:
        where = options.store_beside(store, file)
        with Service(open_store(where, create=False)) as service:
            view = service.open_hunt(file, name=hunt or default_name(file), create=False)
            if HuntSettings.from_mapping(view.settings).reading() != HuntSettings().reading():
                raise ParameterError(
                    f"{file.name} is larger than memory should hold, and by stream all its columns "
                    "are read as they are, unlike in this hunt. Allow more memory with "
                    "RAREFIND_MEMORY_LIMIT, or use --cluster local."
                )
            labels = service.labels(view.id)
            if view.n_records > service.store.dataset(view.dataset_id).n_rows:
                raise ParameterError(
                    f"{file.name} is larger than memory should hold, and by stream one file is "
                    "ranked, while records of others were added to this hunt. Allow more memory "
                    "with RAREFIND_MEMORY_LIMIT."
                )
    assert out is not None
    made = rank_parquet(
        file, out, target, labels=labels, label_column=settings.label_column, top=top
    )
    told = {
        "target": target,
        "model": "lago",
        "why": "lago, by stream: the file is larger than memory should hold. Records are "
        f"{made.description}.",
        "average_precision": None,
        "seconds": round(time.perf_counter() - began, 3),
    }
    rows = [
        RankedView(place, int(row), float(score), None, "")
        for place, (row, score) in enumerate(zip(made.rows, made.scores, strict=True), start=1)
    ]
    return _summary(told, made.known, made.n_rows, None), rows


def _on_cluster(
    address: str,
    folder: Path | None,
    file: Path,
    hunt: str | None,
    settings: HuntSettings,
    target: str,
    model: str,
    top: int,
    store: str | None,
    out: Path | None,
) -> tuple[dict[str, Any], list[RankedView]]:
    from rarefind.service.on_cluster.hunts import ClusterService, check_ranking, join_cluster
    from rarefind.service.on_cluster.tables import ClusterTables

    check_ranking(model, out)
    from_hunt = settings.label_column is None
    where = options.store_beside(store, file) if from_hunt else "memory:"
    with (
        open_store(where, create=not from_hunt) as kept,
        join_cluster(address, file, folder) as cluster,
        ClusterService(kept, cluster, ClusterTables()) as service,
    ):
        first: dict[str, Any] = {}
        if from_hunt:
            name = hunt or default_name(file)
            first["ranking_id"], made = service.rank_hunt(file, name, target, model, out, top)
        else:
            made = service.rank_labelled(file, settings, target, model, out, top)
    ranking, quality = made.ranking, made.ranking.quality
    told = {
        "target": target,
        "model": ranking.model,
        "why": ranking.chosen,
        "average_precision": ranking.quality.average_precision,
        "seconds": round(ranking.seconds, 3),
    }
    return {**first, **_summary(told, quality.examples, made.n_ranked, quality.chance)}, made.shown


def _from_hunt(
    file: Path,
    hunt: str | None,
    target: str,
    model: str,
    top: int,
    store: str | None,
    out: Path | None,
) -> tuple[dict[str, Any], list[RankedView]]:
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
            **_summary(made, ranking.known, ranking.n_ranked, ranking.chance),
        }
        return summary, service.ranked(view.id, ranking.id, 0, top)


def _from_column(
    file: Path, settings: HuntSettings, target: str, model: str, top: int, out: Path | None
) -> tuple[dict[str, Any], list[RankedView]]:
    with Service(open_store("memory:")) as service:
        ranking, data = service.rank_file(file, target, model, settings)
    if out is not None:
        known = {row: label for row, label in enumerate(data.truth or ()) if label is not None}
        write_table(ranking_table(data.table, ranking.rows, ranking.scores, known), out)
    viewer, quality = RecordViewer(data.table, data.kinds), ranking.quality
    made = {
        "target": target,
        "model": model,
        "why": ranking.chosen,
        "average_precision": quality.average_precision,
        "seconds": round(ranking.seconds, 3),
    }
    rows = [
        RankedView(place, int(row), float(score), None, viewer.summary(int(row)))
        for place, (row, score) in enumerate(
            zip(ranking.rows[:top], ranking.scores[:top], strict=True), start=1
        )
    ]
    return _summary(made, quality.examples, len(ranking.rows), quality.chance), rows


def _summary(made: dict[str, Any], known: int, ranked: int, chance: float | None) -> dict[str, Any]:
    wanted = ("target", "model", "why", "average_precision", "seconds")
    return {
        **{name: made[name] for name in wanted},
        "known_examples": known,
        "ranked": ranked,
        "chance": chance,
    }


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
