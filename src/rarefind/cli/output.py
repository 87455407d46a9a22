"""What the commands share: a console, a progress bar, machine-readable answers."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from rarefind.core.progress import Step, listen

console = Console(highlight=False)
messages = Console(stderr=True, highlight=False)


def print_json(answer: dict[str, Any]) -> None:
    """Write one JSON object to standard output."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")


def print_table(table: Table) -> None:
    """Print a table without cutting a cell: on a narrow terminal its lines run on."""
    wide = console.measure(table, options=console.options.update(width=1000, max_width=1000))
    width = max(console.width, wide.maximum)
    Console(file=console.file, width=width, highlight=False).print(table)


@contextmanager
def progress_bar(after: float = 1.0) -> Iterator[None]:
    """Show a bar on the terminal for work inside the block that lasts over a second."""
    if not messages.is_terminal:
        yield
        return
    began = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=messages, transient=True) as bar:
        task = bar.add_task("", visible=False)

        def show(step: Step) -> None:
            late = time.monotonic() - began > after
            bar.update(
                task, description=step.task, completed=step.done, total=step.total, visible=late
            )

        with listen(show):
            yield
