"""``rarefind hunts``, ``show`` and ``find``: what a store holds."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.terminal.class_names import class_meant
from rarefind.cli.terminal.output import console, counted, grid, print_json
from rarefind.cli.terminal.who_answers import usual_name
from rarefind.evaluation.page import check_page, write_page
from rarefind.service.facade import Service
from rarefind.service.showing.views import HuntView, ProgressView
from rarefind.store.opening import open_store

_LATEST = 5
"""The last answers shown: enough to see who is at work, and few enough not to scroll."""


@click.command()
@options.store
@click.option(
    "--last",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Show the hunts begun last.",
)
@click.option("--before", metavar="HUNT", help="Show those begun before this one.")
@options.as_json
def hunts(store: str | None, last: int, before: str | None, as_json: bool) -> None:
    """List the hunts of a store, the latest at the end."""
    with Service(options.open_to_read(store)) as service:
        views = service.hunts(last + 1, before)
    more, views = len(views) > last, views[-last:]
    if as_json:
        print_json([_plain(view) for view in views])
        return
    rows = [
        (
            view.name,
            view.dataset,
            f"{view.n_records:,}",
            view.labels,
            len(view.classes),
            ", ".join(view.annotators),
            _day(view.created_at),
        )
        for view in views
    ]
    titles = ("hunt", "data", "records", "labels", "classes", "people", "begun")
    console.print(grid(titles, rows, titles[2:5]) if rows else "No hunts yet.")
    if more:
        console.print(f"There are earlier ones: --before {escape(views[0].name)}")


@click.command()
@click.argument("hunt")
@options.store
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write all of it as one HTML page, with curves and rankings.",
)
@options.as_json
def show(hunt: str, store: str | None, out: Path | None, as_json: bool) -> None:
    """Show how far HUNT has come: classes, people, the outlook, the latest answers."""
    if out is not None:
        check_page(out)
    with Service(options.open_to_read(store)) as service:
        view = service.hunt(hunt)
        progress = service.progress(view.id)
        latest = service.history(view.id, _LATEST, read=True)
        rankings = service.rankings(view.id)
        if out is not None:
            write_page(out, service.report(view.id))
    if as_json:
        print_json(
            {
                "hunt": _plain(view),
                "progress": progress,
                "latest": latest,
                "rankings": rankings,
                "report": None if out is None else str(out),
            }
        )
        return
    _show(view, progress)
    for entry in latest:
        undone = " (taken back)" if entry.undone else ""
        record = f" [dim]{escape(entry.summary)}[/]" if entry.summary else ""
        console.print(f"[dim]{_day(entry.at)}[/] {escape(entry.words)}{undone}{record}")
    for ranking in rankings:
        console.print(
            f"[dim]{_day(ranking.created_at)}[/] Ranked for {escape(ranking.target)} by "
            f"{escape(ranking.model)}: {ranking.id}"
        )
    if out is not None:
        console.print(f"All of it as one page: {escape(str(out.resolve()))}")


@click.command()
@click.argument("hunt")
@click.argument("query")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    metavar="N",
    help="How many of them to list.",
)
@click.option("--ranking", metavar="ID", help="List the best of a ranking first (see show).")
@click.option("--label", "name", metavar="CLASS", help="Say that all of them are of a class.")
@options.annotator
@options.store
@options.as_json
def find(
    hunt: str,
    query: str,
    limit: int,
    ranking: str | None,
    name: str | None,
    annotator: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """List the records of HUNT that a QUERY means.

    A query is made of words that a record holds and of comparisons such as amount > 1000, country =
    FR, class = fraud, by = anna, unlabelled, joined by and, or, not and parentheses. With --label
    all of them, listed or not, get a class in one step, which rarefind undo takes back as one.
    """
    where = options.store_here(store)
    kept = options.open_to_read(store) if name is None else open_store(where, create=False)
    with Service(kept) as service:
        found = service.find(hunt, query, 0, limit, ranking)
        if name is not None:
            name = class_meant(name, [each.name for each in service.progress(hunt).classes])
            rows = service.found_rows(hunt, query).tolist()
            service.tell_many(hunt, rows, name, annotator or usual_name(where))
    if as_json:
        print_json({**vars(found), "label": name})
        return
    words = f"{counted(found.total, 'record')} of {found.n_records:,}"
    console.print(f"{words} {'is' if found.total == 1 else 'are'} meant.", markup=False)
    lines = [(each.row, each.label or "", each.summary) for each in found.records]
    if lines:
        console.print(grid(("row", "class", "record"), lines, ("row",)))
    if found.total > len(lines):
        console.print(f"… and {found.total - len(lines):,} more: --limit lists them.")
    if name is not None and found.total:
        words = f"All of them are {name} now. rarefind undo {hunt} takes it back."
        console.print(words, markup=False)


def _show(view: HuntView, progress: ProgressView) -> None:
    settings = view.settings
    console.print(
        f"[bold]{escape(view.name)}[/]: {escape(view.dataset)}, "
        f"{counted(view.n_records, 'record')}, strategy {escape(str(settings['strategy']))}, begun "
        f"{_day(view.created_at)}. {counted(progress.labels, 'label')}, {progress.skipped} skipped."
    )
    rows = [
        (each.name, each.count, each.first_at_label, each.first_row,
         "ordinary" if each.background else "")
        for each in progress.classes
    ]  # fmt: skip
    titles = ("class", "labels", "found at label", "first row", "")
    if rows:
        console.print(grid(titles, rows, titles[1:4]))
    unseen = [name for name in settings["background"] if name not in {row[0] for row in rows}]
    if unseen:
        words = f"Ordinary is {' and '.join(unseen)}, which no record is called yet."
        console.print(words, markup=False)
    if progress.annotators:
        people = ", ".join(f"{name} {count}" for name, count in progress.annotators.items())
        console.print(f"Labels by {escape(people)}.")
    if progress.disagreements:
        rows_differ = ", ".join(str(each.row) for each in progress.disagreements[:10])
        console.print(f"People disagree about {len(progress.disagreements)} rows: {rows_differ}.")
    console.print(escape(progress.outlook_words))


def _plain(view: HuntView) -> dict[str, object]:
    return {name: value for name, value in vars(view).items() if name != "state"}


def _day(at: float) -> str:
    return dt.datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")
