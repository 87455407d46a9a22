"""``rarefind discover``: find the rare classes in a file by asking."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.commands.label_column import (
    answers_all,
    as_dict,
    check_label,
    play,
    show,
    with_background,
)
from rarefind.cli.terminal.column_kinds import show_kinds
from rarefind.cli.terminal.conversation import Conversation
from rarefind.cli.terminal.output import console, counted, messages, print_json, progress_bar
from rarefind.cli.terminal.stopping import Stopped
from rarefind.cli.terminal.who_answers import seat, usual_name
from rarefind.core.errors import ParameterError
from rarefind.discovery.registry import DEFAULT_STRATEGY, make_strategy
from rarefind.discovery.registry import registry as strategies
from rarefind.records.table import Table
from rarefind.service.exchange.exporting import check_export
from rarefind.service.facade import Service
from rarefind.service.hunts.catalogue import default_name
from rarefind.service.hunts.inspecting import inspect_table
from rarefind.service.hunts.records import split_truth, wanted_kinds
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.hunts.table_cache import TableCache
from rarefind.service.showing.views import Inspection
from rarefind.store.contract import Store
from rarefind.store.opening import open_store

_USUAL_BUDGET = 100
"""Labels a column gives if nobody says how many: about what a patient person gives. A choice."""


@click.command()
@options.file
@click.option(
    "--label-column",
    metavar="COLUMN",
    help="Column that answers instead of a person; one with gaps is brought along.",
)
@click.option(
    "--strategy",
    default=DEFAULT_STRATEGY,
    show_default=True,
    help=f"How to search: {', '.join(strategies.names())}.",
)
@click.option("--prior", "priors", multiple=True, metavar="[NAME=]SHARE", help="Share of a class.")
@click.option(
    "--background",
    multiple=True,
    metavar="NAME",
    help="Ordinary class; may be given several times. Usually the one answered most often.",
)
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
    settings: HuntSettings,
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
    like: the same command goes on at the same question. With a full --label-column nothing is kept
    unless --store or --hunt is given; one with gaps is brought along, and you are asked the rest.

    Several files with the same columns, or a folder of them, are one table.

    With --cluster, FILE is a Parquet file or a folder of them, and a Dask cluster computes.
    """
    # What is wrong is told before a large file is read and before anybody answers.
    make_strategy(strategy)
    settings = replace(
        settings,
        strategy=strategy,
        priors=options.read_shares(priors),
        background=background,
        seed=seed,
        label_column=label_column,
    ).check()
    if out is not None:
        check_export(out, "records")
    talk = messages if as_json else console
    kept, where = True, options.store_beside(store, file)
    with ExitStack() as stack:
        try:
            # A file that cannot be read leaves no store behind.
            settings = _as_kept(where, hunt or default_name(file), settings)
            with progress_bar():
                opened = _opened(stack, file, settings, cluster, cluster_folder)
            show_kinds(opened.inspection, settings.label_column, talk)
            answered = opened.answered and label_column is not None
            kept = not answered or store is not None or hunt is not None
            where = where if kept else "memory:"
            service = stack.enter_context(opened.service(open_store(where)))
            name = annotator or usual_name(where)
            if answered:
                name = annotator or str(label_column)
            asked = _Asked(name, budget, answered, None if answered else label_column)
            _hunt(service, file, opened.settings, hunt, where, asked, out, talk, as_json)
        except KeyboardInterrupt:
            raise Stopped(_what_is_kept(where, file, kept)) from None


@dataclass(frozen=True)
class _Opened:
    """A file looked at, and what makes the service for a hunt in it."""

    inspection: Inspection
    settings: HuntSettings
    answered: bool  # by the label column
    service: Callable[[Store], Service]


@dataclass(frozen=True)
class _Asked:
    """Who answers, how often at most, whether that is a column, and the one brought along."""

    name: str
    budget: int | None
    column: bool
    brought: str | None


def _as_kept(where: str, name: str, settings: HuntSettings) -> HuntSettings:
    """Return how a hunt that there is reads its file, so that it is shown as it is compared."""
    if where != "memory:" and "://" not in where and not Path(where).is_file():
        return settings
    with Service(open_store(where, to_read=True)) as service:
        return service.as_kept(name, settings)


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
        table = tables.table(file, settings.how)
        check_label(table, settings)
        inspection = _inspected(table, settings)
        settings, answered = with_background(table, settings), answers_all(table, settings)
        return _Opened(inspection, settings, answered, lambda store: Service(store, tables=tables))
    from rarefind.service.on_cluster.hunts import ClusterService, join_cluster
    from rarefind.service.on_cluster.preparing import inspect_on_cluster
    from rarefind.service.on_cluster.tables import ClusterTables

    answered = settings.label_column is None  # by a person, who may go on another day
    cluster = stack.enter_context(join_cluster(address, file, folder, goes_on=answered))
    found = ClusterTables()
    partitioned = found.cluster_table(file)
    check_label(partitioned, settings)
    inspection = inspect_on_cluster(cluster, partitioned, settings)
    settings, answered = with_background(partitioned, settings), answers_all(partitioned, settings)
    return _Opened(
        inspection, settings, answered, lambda store: ClusterService(store, cluster, found)
    )


def _hunt(
    service: Service,
    file: Path,
    settings: HuntSettings,
    name: str | None,
    where: str,
    asked: _Asked,
    out: Path | None,
    talk: Console,
    as_json: bool,
) -> None:
    with progress_bar():
        view = service.open_hunt(file, name=name, settings=settings)
        brought = 0
        if asked.brought is not None:
            brought = service.bring_column(view.id).new
        service.prepare(view.id)
    talk.print(f"[dim]Records are {escape(service.description(view.id))}.[/]")
    if brought:
        words = f"{counted(brought, 'label')} brought along from column {asked.brought}."
        talk.print(escape(words))
    if asked.column:
        with progress_bar():
            play(service, view, asked.budget or _USUAL_BUDGET, asked.name)
    else:
        with seat(where, view.id, asked.name) as sitting:
            if sitting != asked.name:
                words = f"{asked.name} is labelling this hunt elsewhere: here you are {sitting}."
                talk.print(words, markup=False)
            conversation = Conversation(service, view.id, sitting, talk)
            conversation.greet()
            conversation.run(asked.budget)
            conversation.close()
    if out is not None:
        service.export(view.id, out)
        talk.print(f"Written to {escape(str(out))}.")
    if as_json:
        print_json(as_dict(service, view, where))
    elif asked.column:
        show(service, view)
    if where != "memory:":
        talk.print(f"[dim]Kept in {escape(where)} as hunt {escape(view.name)}.[/]")


def _inspected(table: Table, settings: HuntSettings) -> Inspection:
    shown, _ = split_truth(table, settings.label_column)
    return inspect_table(shown, wanted_kinds(settings))


def _what_is_kept(where: str, file: Path, kept: bool) -> str:
    if not kept:
        return "stopped."
    return (
        f"stopped. Every answer is kept in {where}; the same command goes on where you left "
        f"{file.name}."
    )
