"""A column that answers instead of a person, to count what a hunt would have cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rich.markup import escape

from rarefind.cli.terminal.output import console, counted, grid
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.names import unknown_name
from rarefind.evaluation.label_counts import random_labels_needed
from rarefind.records.table import Table
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.showing.views import HuntView, ProgressView

_OWN_COLUMN = "label"
"""What most files call their labels. Compared by it, every hunt would find its classes at once, so
such a column must be mentioned."""


def check_label(table: Table, settings: HuntSettings) -> None:
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


def with_background(table: Table, settings: HuntSettings) -> HuntSettings:
    """Take the largest class of a label column for the ordinary one, and check the names given."""
    column = settings.label_column
    if column is None:
        return settings
    words = table.words(column)
    sizes = Counter(str(word) for word in words if word is not None)
    if not sizes:
        raise DataError(f"{table.source}: the label column {column!r} is empty in every row.")
    named = settings.priors if isinstance(settings.priors, dict) else ()
    _check_names([*settings.background, *map(str, named)], sizes, column)
    if settings.background or None in words:
        return settings  # a column with gaps may hold all the fraud that is known, and nothing else
    return replace(settings, background=(sizes.most_common(1)[0][0],))


def answers_all(table: Table, settings: HuntSettings) -> bool:
    """Whether a label column knows every row, and so can answer instead of a person."""
    return settings.label_column is not None and None not in table.words(settings.label_column)


def _check_names(names: Iterable[str], classes: Iterable[str], column: str) -> None:
    known = sorted(classes)
    for name in names:
        if name not in known:
            raise unknown_name(f"class in column {column!r} called", name, known)


def play(service: Service, view: HuntView, budget: int, annotator: str) -> None:
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


def as_dict(service: Service, view: HuntView, where: str) -> dict[str, Any]:
    """Say for machines how the hunt went."""
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
        "outlook": progress.outlook,
        "asked": [{"row": row, "label": label} for row, label in service.labels(view.id).items()],
    }


def _random_needs(service: Service, view: HuntView, progress: ProgressView) -> float | None:
    """Labels that random sampling needs to see the classes found; of none found, all there are."""
    rare = [each.name for each in progress.classes if not each.background]
    truth = service.truth(view.id)
    if not truth or None in truth:
        return None
    sizes = Counter(truth)
    rare = rare or [str(name) for name in sizes if name not in progress.background]
    if not rare:
        return None
    return random_labels_needed([sizes[name] for name in rare], progress.n_records)


def show(service: Service, view: HuntView) -> None:
    """Show how many labels it took, and what chance would have needed."""
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
    what = "" if rare else " to see them all"
    against = "" if chance is None else f" Random sampling needs {chance:,.0f} on average{what}."
    missing = len(sizes) - len(rare) - len(progress.background)
    verb = "was" if missing == 1 else "were"
    rest = "" if missing <= 0 else f" {missing} {'more ' if rare else ''}{verb} not found."
    found = counted(len(rare), "class", "classes")
    console.print(f"{found} found with {counted(progress.labels, 'label')}.{against}{rest}")
