"""``rarefind harvest``: bring home the records of a class that was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.terminal.output import console, counted, messages, print_json, progress_bar
from rarefind.cli.terminal.stopping import Stopped
from rarefind.cli.terminal.who_answers import seat, usual_name
from rarefind.cli.terminal.yes_or_no import Looking
from rarefind.core.errors import DataError
from rarefind.service.facade import Service
from rarefind.service.hunts.catalogue import default_name
from rarefind.service.showing.views import HarvestView, HuntView
from rarefind.store.opening import open_store

_USUAL_BUDGET = 100
"""Looks a column answers if nobody says how many: ten rounds. A choice."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--hunt", metavar="NAME", help="Hunt whose labels count. Usually that of the file.")
@click.option("--target", required=True, metavar="CLASS", help="Class to find.")
@click.option("--model", default="auto", show_default=True, help="Which model ranks.")
@click.option(
    "--looks", default=10, show_default=True, type=click.IntRange(1, 1000), help="Looks a round."
)
@click.option(
    "--budget",
    type=click.IntRange(1),
    help=f"Looks in all. Usually {_USUAL_BUDGET} for a column, and no limit for a person.",
)
@click.option(
    "--from-column",
    is_flag=True,
    help="Let the label column of the hunt answer instead of a person.",
)
@options.store
@options.annotator
@options.as_json
def harvest(
    file: Path,
    hunt: str | None,
    target: str,
    model: str,
    looks: int,
    budget: int | None,
    from_column: bool,
    store: str | None,
    annotator: str | None,
    as_json: bool,
) -> None:
    """Find the records of FILE that are of a class known from a hunt.

    Shows the records most likely of the class, ten at a time: say yes or no, or name the class of
    those that are something else. After each round all records are ranked again. It says how many
    are probably left, and ends when enough are found. Every answer is kept at once as one of the
    hunt; the same command goes on where you stopped.
    """
    where = options.store_beside(store, file)
    talk = messages if as_json else console
    try:
        with Service(open_store(where, create=False)) as service:
            with progress_bar():
                view = service.open_hunt(file, name=hunt or default_name(file), create=False)
            who = annotator or usual_name(where)
            if from_column:
                with progress_bar():
                    made = _played(service, view, target, model, looks, budget or _USUAL_BUDGET)
            else:
                with seat(where, view.id, who) as sitting:
                    made = Looking(service, view.id, target, sitting, talk).run(
                        model, looks, budget
                    )
            summary = _summary(service, view, made)
    except KeyboardInterrupt:
        raise Stopped(f"stopped. Every answer is kept in {where}.") from None
    if as_json:
        print_json(summary)
    else:
        found = counted(summary["found"], "record")
        console.print(f"{found} of [bold]{escape(target)}[/] known.")
        if from_column:
            console.print(f"[dim]{escape(made.words)}[/]")
            if made.ended is not None:
                console.print(escape(made.ended))


def look(where: str, file: Path, hunt: str, target: str, model: str, looks: int) -> None:
    """Ask about the records most likely of a class, once, and keep every answer."""
    try:
        with Service(open_store(where, create=False)) as service:
            with progress_bar():
                view = service.open_hunt(file, name=hunt, create=False)
                service.prepare(view.id)
            with seat(where, view.id, usual_name(where)) as sitting:
                Looking(service, view.id, target, sitting, console).run(model, looks, looks)
    except KeyboardInterrupt:
        raise Stopped(f"stopped. Every answer is kept in {where}.") from None


def _played(
    service: Service, view: HuntView, target: str, model: str, looks: int, budget: int
) -> HarvestView:
    """Let the label column answer until the harvest ends or the budget is spent."""
    column = service.hunt(view.id).settings["label_column"]
    if column is None:
        raise DataError(
            f"The hunt {view.name!r} has no label column that could answer. Leave --from-column "
            "out to answer yourself."
        )
    truth = service.truth(view.id)
    while True:
        made = service.harvest(view.id, target, column, model, min(looks, budget))
        if made.ended is not None or not budget or not made.looks:
            return made
        for look in made.looks:
            budget -= 1
            service.tell_look(view.id, target, look.row, str(truth[look.row]), column)
        if not budget:
            return service.harvest(view.id, target, column, model, looks)


def _summary(service: Service, view: HuntView, made: HarvestView) -> dict[str, Any]:
    names = ("target", "model", "looked", "left", "looks_needed", "words", "ended")
    told = service.labels(view.id)
    found = sum(label == made.target for label in told.values())
    return {"found": found, **{name: getattr(made, name) for name in names}}
