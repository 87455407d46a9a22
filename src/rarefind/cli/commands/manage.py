"""``rarefind set``, ``label``, ``undo`` and ``delete``: a hunt changed without being asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from rarefind.cli import options
from rarefind.cli.terminal.at_work import at_work
from rarefind.cli.terminal.class_names import class_meant
from rarefind.cli.terminal.output import console, counted, ordinal, print_json
from rarefind.core.asked_by import outside_search
from rarefind.core.errors import ParameterError, StateError
from rarefind.core.names import unknown_name

_SETTINGS: dict[str, Callable[[str], Any]] = {
    "background": lambda words: [word.strip() for word in words.split(",") if word.strip()],
    "title": str,
    "overlap": int,
    "lease_seconds": float,
}
"""What can be changed while a hunt runs, and how it is read."""


@click.command("set")
@click.argument("hunt")
@click.argument("changes", nargs=-1, required=True, metavar="NAME=VALUE...")
@options.store
@options.as_json
def set_(hunt: str, changes: tuple[str, ...], store: str | None, as_json: bool) -> None:
    """Change a setting of HUNT: background, title, overlap or lease_seconds.

    background=normal says which class is ordinary (several with commas between, none for the one
    answered most often); the questions that follow heed it.
    """
    settings = dict(_read(change) for change in changes)
    with at_work(store) as (service, _):
        known = [each.name for each in service.progress(hunt).classes]
        if "background" in settings:
            settings["background"] = [class_meant(word, known) for word in settings["background"]]
        view = service.change(hunt, **settings)
    if as_json:
        print_json({"hunt": view.name, **{name: view.settings[name] for name in settings}})
        return
    for name in settings:
        value = view.settings[name]
        shown = ", ".join(value) or "none" if isinstance(value, list | tuple) else str(value)
        unseen = [] if name != "background" else [each for each in value if each not in known]
        later = f" No record is called {' or '.join(unseen)} yet." if unseen else ""
        console.print(f"{view.name}: {name} is {shown} now.{later}", markup=False)


@click.command()
@click.argument("hunt")
@click.argument("record", metavar="ROW")
@click.argument("name", metavar="[CLASS]", required=False)
@click.option("--undo", is_flag=True, help="Take back what you said of the record.")
@options.annotator
@options.store
@options.as_json
def label(
    hunt: str,
    record: str,
    name: str | None,
    undo: bool,
    annotator: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Say that record ROW of HUNT is of a CLASS, without being asked.

    ROW is the number of the record, counted from 0, or its id where the file has a column of ids.
    """
    if (name is None) != undo:
        raise ParameterError("Give the class of the record, or --undo to take back what you said.")
    with at_work(store, annotator) as (service, who):
        row = service.row_meant(hunt, record)
        before = service.said_of(hunt, row, who)
        known = [each.name for each in service.progress(hunt).classes]
        if name is not None:
            name = class_meant(name, known)
            # A correction of what was answered to a question is still the answer to it.
            asked = before is not None and not outside_search(before.asked_by)
            said: str | None = str(service.tell(hunt, row, name, who, asked=asked).event.value)
        elif before is None:
            raise StateError(f"{who} has said nothing of row {row}, so there is nothing to undo.")
        else:
            service.undo(hunt, who, target=before.event_id)
            now = service.said_of(hunt, row, who)
            said = None if now is None else now.label
        told = {each.name: each.count for each in service.progress(hunt).classes}
    count = 0 if said is None else told.get(said, 1)
    if as_json:
        print_json({"hunt": hunt, "row": row, "label": said, "labels": count})
        return
    was = "" if before is None or before.label in (None, said) else f" It was {before.label}."
    back = f" (rarefind label {hunt} {row} --undo takes it back.)" if not undo else ""
    which = f"the {ordinal(count)} of it" if undo or said in known else "the first of a new class"
    what = "has no label any more" if said is None else f"is {said}, {which}"
    console.print(f"Row {row} {what}.{was}{back}", markup=False, soft_wrap=True)


@click.command()
@click.argument("hunt")
@options.annotator
@options.store
@options.as_json
def undo(hunt: str, annotator: str | None, store: str | None, as_json: bool) -> None:
    """Take back your last answer in HUNT, with all that was labelled in the same step.

    A class that you renamed or merged since is called as before instead.
    """
    with at_work(store, annotator) as (service, who):
        taken_back = service.take_back(hunt, who)
        targets = [service.store.event(str(kept.event.value)) for kept in taken_back]
        words = service.history(hunt, 1)[0].words
    rows = [each.row for each in targets if each is not None and each.row is not None]
    if as_json:
        print_json({"hunt": hunt, "rows": rows})
    elif not rows:  # a class was renamed since the last answer
        console.print(words, markup=False)
    elif len(rows) == 1:
        console.print(f"The answer about row {rows[0]} is taken back.", markup=False)
    else:
        console.print(f"The {len(rows):,} answers of one step are taken back.", markup=False)


@click.command()
@click.argument("hunt")
@click.option("--undo", is_flag=True, help="Bring a deleted hunt back.")
@options.store
@options.as_json
def delete(hunt: str, undo: bool, store: str | None, as_json: bool) -> None:
    """Put HUNT out of sight; what was said stays in the store, and --undo brings it back."""
    with at_work(store) as (service, _):
        entry = service.delete(hunt, undo=undo)
        labels = len(service.store.standing(entry.id))
    if as_json:
        print_json({"hunt": entry.name, "deleted": not undo})
    elif undo:
        console.print(f"{entry.name} is back, with {counted(labels, 'answer')}.", markup=False)
    else:
        words = f"{entry.name} is deleted. rarefind delete {entry.name} --undo brings it back."
        console.print(words, markup=False)


def _read(change: str) -> tuple[str, Any]:
    name, found, value = change.partition("=")
    if not found:
        raise ParameterError(
            f"A setting is changed as in background=normal. Got {change!r} instead."
        )
    if name not in _SETTINGS:
        raise unknown_name("setting that can change called", name, list(_SETTINGS))
    try:
        return name, _SETTINGS[name](value)
    except ValueError:
        raise ParameterError(f"The setting {name!r} must be a number. Got {value!r}.") from None
