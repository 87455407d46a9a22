"""``rarefind discover``: find the rare classes in a file by asking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from rarefind.cli.conversation import Conversation
from rarefind.cli.output import console, messages, print_json, progress_bar
from rarefind.core.errors import ParameterError
from rarefind.core.names import unknown_name
from rarefind.discovery import Hunt, make_strategy
from rarefind.discovery.registry import DEFAULT_STRATEGY
from rarefind.evaluation import labels_needed, random_labels_needed
from rarefind.records.files import check_writable, write_table
from rarefind.service.opening import Opened, open_records, with_labels

LABELS = "label"
"""The column that answers are written to, and gone on from."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--label-column", help="Column that answers instead of a person.")
@click.option("--strategy", default=DEFAULT_STRATEGY, show_default=True, help="How to search.")
@click.option("--prior", "priors", multiple=True, metavar="[NAME=]SHARE", help="Share of a class.")
@click.option("--background", multiple=True, help="Name of the ordinary class.")
@click.option("--budget", default=100, show_default=True, type=click.IntRange(1), help="Labels.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Random seed.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the records with the labels.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def discover(
    file: Path,
    label_column: str | None,
    strategy: str,
    priors: tuple[str, ...],
    background: tuple[str, ...],
    budget: int,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Find the rare classes in FILE: asks you on the terminal, or a column with --label-column.

    Answers are written to the column "label" of --out; a file that has it is gone on from.
    """
    # What is wrong is told before a large file is read and before anybody answers.
    make_strategy(strategy)
    shares = read_shares(priors)
    if out is not None:
        check_writable(out)
    with progress_bar():
        opened = open_records(file, label_column or LABELS, required=label_column is not None)
        if label_column is not None:
            _check_names(background, opened, label_column)
            _check_names(shares if isinstance(shares, dict) else (), opened, label_column)
            background = background or _ordinary(opened)
        hunt = Hunt(
            opened.vectors.X,
            strategy,
            priors=shares,
            background=background or None,
            random_state=seed,
            scale="none",
        )
    if label_column is not None:
        _play(opened, hunt, budget)
    else:
        for row, label in enumerate(opened.labels or ()):
            if label is not None:
                hunt.tell(row, label)
        _ask_person(opened, hunt, budget, out, messages if as_json else console)
    if out is not None:
        write_table(with_labels(opened.table, dict(hunt.labels), label_column or LABELS), out)
    if as_json:
        print_json(_as_dict(opened, hunt))
    elif label_column is not None:
        _show(opened, hunt)


def read_shares(priors: tuple[str, ...]) -> dict[Any, float] | list[float] | None:
    """Read ``NAME=SHARE`` or plain shares from the command line.

    >>> read_shares(("fraud=0.01", "abuse=0.02"))
    {'fraud': 0.01, 'abuse': 0.02}
    >>> read_shares(("0.01",))
    [0.01]
    """
    if not priors:
        return None
    pairs = [prior.rpartition("=") for prior in priors]
    try:
        shares = [float(share) for _, _, share in pairs]
    except ValueError:
        raise ParameterError(
            f"--prior takes a share such as 0.01 or a name with it, as in fraud=0.01. "
            f"Got {', '.join(priors)}."
        ) from None
    if all(name for name, _, _ in pairs):
        return {name: share for (name, _, _), share in zip(pairs, shares, strict=True)}
    if any(name for name, _, _ in pairs):
        raise ParameterError("--prior takes either a name for every share or for none of them.")
    return shares


def _play(opened: Opened, hunt: Hunt, budget: int) -> None:
    """Let the label column answer until all its rare classes are seen or the budget is spent."""
    answer = opened.oracle()
    rare = set(opened.labels or ()) - set(hunt.background)
    for _ in range(min(budget, hunt.n_records)):
        row = hunt.ask().row
        hunt.tell(row, answer(row))
        if len(hunt.found) == len(rare):
            break


def _ask_person(opened: Opened, hunt: Hunt, budget: int, out: Path | None, talk: Console) -> None:
    conversation = Conversation(opened, hunt, talk)
    conversation.greet()
    while len(hunt.labels) < budget and conversation.ask():
        if out is not None:
            write_table(with_labels(opened.table, dict(hunt.labels), LABELS), out)
    conversation.close()


def _check_names(names: Iterable[Any], opened: Opened, column: str) -> None:
    """Refuse the name of a class that the label column does not have."""
    classes = sorted({label for label in opened.labels or () if label is not None})
    for name in names:
        if name not in classes:
            raise unknown_name(f"class in column {column!r} called", name, classes)


def _ordinary(opened: Opened) -> tuple[str, ...]:
    """Return the largest class of the label column."""
    return (str(Counter(opened.labels or ()).most_common(1)[0][0]),)


def _as_dict(opened: Opened, hunt: Hunt) -> dict[str, Any]:
    told = list(hunt.labels.values())
    return {
        "file": opened.table.source,
        "records": hunt.n_records,
        "labels": len(told),
        "background": sorted(map(str, hunt.background)),
        "found": {str(name): at for name, at in labels_needed(told, hunt.background).items()},
        "first_rows": {str(name): row for name, row in hunt.found.items()},
        "random_would_need": _random_needs(opened, hunt),
        "asked": [{"row": row, "label": str(label)} for row, label in hunt.labels.items()],
    }


def _random_needs(opened: Opened, hunt: Hunt) -> float | None:
    """Labels that random sampling needs to see as many of these classes; None if unknown."""
    if opened.labels is None or None in opened.labels or not hunt.found:
        return None
    sizes = Counter(opened.labels)
    return random_labels_needed([sizes[str(name)] for name in hunt.found], hunt.n_records)


def _show(opened: Opened, hunt: Hunt) -> None:
    from rich.table import Table as Grid

    sizes = Counter(opened.labels or ())
    grid = Grid(box=None, header_style="bold", pad_edge=False)
    for title in ("class", "records", "found at label", "row"):
        grid.add_column(title, justify="left" if title == "class" else "right")
    needed = labels_needed(hunt.labels.values(), hunt.background)
    for name, row in hunt.found.items():
        grid.add_row(escape(str(name)), f"{sizes[str(name)]:,}", str(needed[name]), str(row))
    ordinary = escape(", ".join(sorted(map(str, hunt.background))))
    missing = len(sizes) - len(hunt.found) - len(hunt.background)
    console.print(
        f"[bold]{escape(opened.table.source)}[/]: {hunt.n_records:,} records, ordinary: {ordinary}."
    )
    console.print(grid)
    chance = _random_needs(opened, hunt)
    against = "" if chance is None else f" Random sampling needs {chance:,.0f} on average."
    rest = "" if missing <= 0 else f" {missing} more were not found."
    classes = "1 class" if len(hunt.found) == 1 else f"{len(hunt.found)} classes"
    console.print(f"{classes} found with {len(hunt.labels)} labels.{against}{rest}")
