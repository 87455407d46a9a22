"""``rarefind discover``: find the rare classes in a file by asking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.terminal.column_kinds import show_kinds
from rarefind.cli.terminal.conversation import Conversation
from rarefind.cli.terminal.output import console, counted, grid, messages, print_json, progress_bar
from rarefind.cli.terminal.seats import seat, usual_name
from rarefind.cli.terminal.stopping import Stopped
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.names import unknown_name
from rarefind.discovery.registry import DEFAULT_STRATEGY, make_strategy
from rarefind.evaluation.label_counts import random_labels_needed
from rarefind.records.table import Table
from rarefind.service.exchange.exporting import check_export
from rarefind.service.facade import Service
from rarefind.service.hunts.hunt_records import split_truth, wanted_kinds
from rarefind.service.hunts.inspecting import inspect_table
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.hunts.table_cache import TableCache
from rarefind.service.showing.views import HuntView, Inspection, ProgressView, as_plain
from rarefind.store.contract import Store
from rarefind.store.opening import open_store

_USUAL_BUDGET = 100
_OWN_COLUMN = "label"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--label-column", metavar="COLUMN", help="Column that answers instead of a person.")
@click.option("--strategy", default=DEFAULT_STRATEGY, show_default=True, help="How to search.")
@click.option("--prior", "priors", multiple=True, metavar="[NAME=]SHARE", help="Share of a class.")
@click.option("--background", multiple=True, metavar="NAME", help="Name of the ordinary class.")
@options.reading
@click.option(
    "--budget",
    type=click.IntRange(1),
    help=f"Labels in all. Usually {_USUAL_BUDGET} for a column, and no limit for a person.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Random seed.")
@options.store
@click.option("--hunt", metavar="NAME", help="Name of the hunt. Usually that of the file.")
@options.annotator
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write the records with the labels (.csv, .tsv, .parquet, .jsonl).",
)
@options.cluster
@options.as_json
def discover(
    file: Path,
    label_column: str | None,
    strategy: str,
    priors: tuple[str, ...],
    background: tuple[str, ...],
    kernel: str | None,
    kinds: tuple[str, ...],
    leave_out: tuple[str, ...],
    budget: int | None,
    seed: int,
    store: str | None,
    hunt: str | None,
    annotator: str | None,
    out: Path | None,
    cluster: str | None,
    cluster_folder: Path | None,
    as_json: bool,
) -> None:
    """Find the rare classes in FILE: asks you on the terminal, or a column with --label-column.

    Every answer is kept at once in rarefind.db beside the file, or in --store. Stop whenever you
    like: the same command goes on at the same question. With --label-column nothing is kept unless
    --store or --hunt is given.

    With --cluster, FILE is a Parquet file or a folder of them, and a Dask cluster computes.
    """
    # What is wrong is told before a large file is read and before anybody answers.
    make_strategy(strategy)
    settings = HuntSettings(
        strategy=strategy,
        kernel=kernel,
        priors=options.read_shares(priors),
        background=background,
        seed=seed,
        kinds=options.read_kinds(kinds),
        label_column=label_column,
        leave_out=leave_out,
    ).check()
    if out is not None:
        check_export(out, "records")
    talk = messages if as_json else console
    kept = label_column is None or store is not None or hunt is not None
    where = options.store_beside(store, file) if kept else "memory:"
    with ExitStack() as stack:
        try:
            # A file that cannot be read leaves no store behind.
            with progress_bar():
                opened = _opened(stack, file, settings, cluster, cluster_folder)
            show_kinds(opened.inspection, label_column, talk)
            service = stack.enter_context(opened.service(open_store(where)))
            _hunt(
                service, file, opened.settings, hunt, where, annotator, budget, out, talk, as_json
            )
        except KeyboardInterrupt:
            raise Stopped(_what_is_kept(where, file, kept)) from None


@dataclass(frozen=True)
class _Opened:
    """A file looked at, and what makes the service for a hunt in it."""

    inspection: Inspection
    settings: HuntSettings
    service: Callable[[Store], Service]


def _opened(
    stack: ExitStack,
    file: Path,
    settings: HuntSettings,
    address: str | None,
    folder: Path | None,
) -> _Opened:
    if address is None:
        if folder is not None:
            raise ParameterError("--cluster-folder goes with --cluster.")
        tables = TableCache()
        table = tables.table(file)
        _check_label(table, settings)
        inspection = _inspected(table, settings)
        with_background = _with_background(table, settings)
        return _Opened(inspection, with_background, lambda store: Service(store, tables=tables))
    from rarefind.service.on_cluster.data import inspect_on_cluster
    from rarefind.service.on_cluster.hunts import ClusterService, join_cluster
    from rarefind.service.on_cluster.tables import ClusterTables

    answered = settings.label_column is None  # by a person, who may go on another day
    cluster = stack.enter_context(join_cluster(address, file, folder, goes_on=answered))
    found = ClusterTables()
    partitioned = found.cluster_table(file)
    _check_label(partitioned, settings)
    inspection = inspect_on_cluster(cluster, partitioned, settings)
    with_background = _with_background(partitioned, settings)
    return _Opened(
        inspection,
        with_background,
        lambda store: ClusterService(store, cluster, found),
    )


def _hunt(
    service: Service,
    file: Path,
    settings: HuntSettings,
    name: str | None,
    where: str,
    annotator: str | None,
    budget: int | None,
    out: Path | None,
    talk: Console,
    as_json: bool,
) -> None:
    with progress_bar():
        view = service.open_hunt(file, name=name, settings=settings)
        service.prepare(view.id)
    talk.print(f"[dim]Records are {escape(service.description(view.id))}.[/]")
    who = annotator or usual_name(where)
    if settings.label_column is not None:
        with progress_bar():
            _play(service, view, budget or _USUAL_BUDGET, annotator or settings.label_column)
    else:
        with seat(where, view.id, who) as sitting:
            if sitting != who:
                talk.print(f"{who} is labelling this hunt elsewhere: here you are {sitting}.")
            conversation = Conversation(service, view.id, sitting, talk)
            conversation.greet()
            conversation.run(budget)
            conversation.close()
    if out is not None:
        service.export(view.id, out)
        talk.print(f"Written to {escape(str(out))}.")
    if as_json:
        print_json(_as_dict(service, view, where))
    elif settings.label_column is not None:
        _show(service, view)
    if where != "memory:":
        talk.print(f"[dim]Kept in {escape(where)} as hunt {escape(view.name)}.[/]")


def _check_label(table: Table, settings: HuntSettings) -> None:
    """Refuse a label column that is not there, or one that nobody has mentioned."""
    chosen = settings.label_column
    if chosen is not None and chosen not in table.columns:
        table.column(chosen)  # refuses it, with the nearest match
    mentioned = {*settings.kinds, *settings.leave_out}
    if chosen is None and _OWN_COLUMN in table.columns and _OWN_COLUMN not in mentioned:
        raise ParameterError(
            f"{table.source} has a column 'label'. Let it answer with --label-column label, "
            "leave it out with --leave-out label, or compare records by it with "
            "--kind label=category."
        )


def _inspected(table: Table, settings: HuntSettings) -> Inspection:
    shown, _ = split_truth(table, settings.label_column)
    return inspect_table(shown, wanted_kinds(settings))


def _with_background(table: Table, settings: HuntSettings) -> HuntSettings:
    """Take the largest class of a label column for the ordinary one, and check the names given."""
    column = settings.label_column
    if column is None:
        return settings
    words = table.words(column)
    if None in words:
        raise DataError(
            f"{table.source}: the label of row {words.index(None)} is missing. To play the person "
            "who answers, the label column must be filled in every row."
        )
    sizes = Counter(str(word) for word in words)
    named = settings.priors if isinstance(settings.priors, dict) else ()
    _check_names([*settings.background, *map(str, named)], sizes, column)
    if settings.background:
        return settings
    return replace(settings, background=(sizes.most_common(1)[0][0],))


def _check_names(names: Iterable[str], classes: Iterable[str], column: str) -> None:
    known = sorted(classes)
    for name in names:
        if name not in known:
            raise unknown_name(f"class in column {column!r} called", name, known)


def _play(service: Service, view: HuntView, budget: int, annotator: str) -> None:
    """Let the label column answer until all its rare classes are seen or the budget is spent."""
    truth = service.truth(view.id)
    settings = service.hunt(view.id).settings
    rare = set(truth) - set(settings["background"])
    found = set(service.labels(view.id).values()) & rare
    told = len(service.labels(view.id))
    for _ in range(told, min(budget, len(truth))):
        if len(found) == len(rare):
            break
        row = service.ask(view.id, annotator)[0].row
        label = str(truth[row])
        service.tell(view.id, row, label, annotator)
        found |= {label} & rare


def _as_dict(service: Service, view: HuntView, where: str) -> dict[str, Any]:
    progress = service.progress(view.id)
    rare = [each for each in progress.classes if not each.background]
    return {
        "file": view.dataset,
        "hunt": view.name,
        "store": where,
        "records": progress.n_records,
        "labels": progress.labels,
        "background": sorted(progress.background),
        "found": {each.name: each.first_at_label for each in rare},
        "first_rows": {each.name: each.first_row for each in rare},
        "random_would_need": _random_needs(service, view, progress),
        "outlook": as_plain(progress.outlook),
        "asked": [{"row": row, "label": label} for row, label in service.labels(view.id).items()],
    }


def _random_needs(service: Service, view: HuntView, progress: ProgressView) -> float | None:
    """Labels that random sampling needs to see as many of these classes; None if unknown."""
    rare = [each.name for each in progress.classes if not each.background]
    truth = service.truth(view.id)
    if not truth or None in truth or not rare:
        return None
    sizes = Counter(truth)
    return random_labels_needed([sizes[name] for name in rare], progress.n_records)


def _show(service: Service, view: HuntView) -> None:
    progress = service.progress(view.id)
    sizes = Counter(service.truth(view.id))
    rare = [each for each in progress.classes if not each.background]
    ordinary = escape(", ".join(sorted(progress.background)))
    console.print(
        f"[bold]{escape(view.dataset)}[/]: {counted(progress.n_records, 'record')}, ordinary: "
        f"{ordinary}."
    )
    rows = [
        (each.name, f"{sizes[each.name]:,}", each.first_at_label, each.first_row) for each in rare
    ]
    titles = ("class", "records", "found at label", "row")
    console.print(grid(titles, rows, titles[1:]))
    chance = _random_needs(service, view, progress)
    against = "" if chance is None else f" Random sampling needs {chance:,.0f} on average."
    missing = len(sizes) - len(rare) - len(progress.background)
    verb = "was" if missing == 1 else "were"
    rest = "" if missing <= 0 else f" {missing} more {verb} not found."
    found = counted(len(rare), "class", "classes")
    console.print(f"{found} found with {counted(progress.labels, 'label')}.{against}{rest}")


def _what_is_kept(where: str, file: Path, kept: bool) -> str:
    if not kept:
        return "stopped."
    return (
        f"stopped. Every answer is kept in {where}; the same command goes on where you left "
        f"{file.name}."
    )
