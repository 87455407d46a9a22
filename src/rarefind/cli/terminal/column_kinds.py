"""What the columns of a file hold, shown before anything runs."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.markup import escape

from rarefind.cli.terminal.output import counted, grid
from rarefind.service.showing.views import ColumnView, Inspection

_MOST_COLUMNS = 16
"""Columns shown one by one: with titles and hints they fit on a terminal of 24 lines."""


def show_kinds(inspection: Inspection, label_column: str | None, talk: Console) -> None:
    """Show each column with its kind and why; of very many, count them by kind."""
    columns = [each for each in inspection.columns if each.name != label_column]
    talk.print(
        f"[bold]{escape(inspection.name)}[/]: {counted(inspection.n_rows, 'record')}, "
        f"{counted(len(columns), 'column')}."
    )
    rows = [
        (each.name, _kind(each), f"{each.missing:,}" if each.missing else "", each.why,
         ", ".join(each.examples))
        for each in columns
    ]  # fmt: skip
    titles = ("column", "kind", "missing", "because", "such as")
    if any(each.missing for each in columns):
        talk.print(grid(titles, rows[:_MOST_COLUMNS], titles[2:3]))
    else:
        talk.print(
            grid((*titles[:2], *titles[3:]), [(*row[:2], *row[3:]) for row in rows[:_MOST_COLUMNS]])
        )
    if len(rows) > _MOST_COLUMNS:
        counts = Counter(_kind(each) for each in columns[_MOST_COLUMNS:])
        words = ", ".join(f"{number} {kind}" for kind, number in counts.items())
        talk.print(f"[dim]and {len(rows) - _MOST_COLUMNS} more: {words}[/]")
    left_out = [f"{each.name} ({each.why})" for each in columns if each.kind == "id"]
    if left_out:
        talk.print(f"Left out: {escape('; '.join(left_out))}.")
    talk.print(
        "[dim]Wrong? --kind COLUMN=KIND says it better, --leave-out COLUMN leaves it out, "
        "--missing WORD names what stands for a gap.[/]"
    )
    used = {each.name for each in columns if each.kind in ("category", "boolean")}
    answers = [name for name in inspection.label_guesses if name in used]
    if answers and label_column is None:
        talk.print(
            f"[dim]Does {escape(answers[0])} hold answers? Records are compared by it, too: "
            f"--label-column {escape(answers[0])} takes them for answers.[/]"
        )


def _kind(column: ColumnView) -> str:
    """Name the kind of a column; one that somebody left out need not hold ids."""
    said = column.kind == "id" and column.why.startswith("as you said")
    return "left out" if said else column.kind
