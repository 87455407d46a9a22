"""``rarefind rename`` and ``rarefind merge``: other names for classes, for all that was said."""

from __future__ import annotations

import click
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.terminal.at_work import at_work
from rarefind.cli.terminal.output import console, counted, print_json
from rarefind.core.errors import ParameterError

_undo = click.option(
    "--undo", is_flag=True, help="Take the last rename or merge of the hunt back instead."
)


@click.command()
@click.argument("hunt")
@click.argument("old", required=False)
@click.argument("new", required=False)
@_undo
@options.annotator
@options.store
@options.as_json
def rename(
    hunt: str,
    old: str | None,
    new: str | None,
    undo: bool,
    annotator: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Call the class OLD of HUNT NEW, for all that was said so far.

    Its key and colour in the workbench stay. --undo brings the old name back.
    """
    _change(False, hunt, old, new, undo, annotator, store, as_json)


@click.command()
@click.argument("hunt")
@click.argument("old", required=False)
@click.argument("into", required=False)
@_undo
@options.annotator
@options.store
@options.as_json
def merge(
    hunt: str,
    old: str | None,
    into: str | None,
    undo: bool,
    annotator: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Make the class OLD of HUNT part of the class INTO.

    --undo parts them again: nobody's answer is lost.
    """
    _change(True, hunt, old, into, undo, annotator, store, as_json)


def _change(
    merging: bool,
    hunt: str,
    old: str | None,
    new: str | None,
    undo: bool,
    annotator: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    if undo is (old is not None or new is not None) or (old is None) is not (new is None):
        raise ParameterError("Give two names of classes, the old and the new, or --undo alone.")
    with at_work(store, annotator) as (service, who):
        view = service.hunt(hunt)
        if undo:
            old, new = service.undo_rename(view.id, who)
        else:
            change = service.merge if merging else service.rename
            change(view.id, str(old), str(new), who)
        counts = {each.name: each.count for each in service.progress(view.id).classes}
    if as_json:
        print_json({"hunt": view.name, "old": old, "new": new, "undone": undo, "classes": counts})
        return
    if undo:
        console.print(escape(f"The class {old} of {view.name} is no longer called {new}."))
    else:
        console.print(
            escape(
                f"The class {old} of {view.name} is {new} now: "
                f"{counted(counts.get(str(new), 0), 'label')}."
            )
        )
