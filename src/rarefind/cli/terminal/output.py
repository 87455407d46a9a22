"""What the commands share: a console, a progress bar, machine-readable answers."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from rarefind.cli.terminal.time_left import TimeLeft
from rarefind.core.progress import Step, listen

console = Console(highlight=False)
messages = Console(stderr=True, highlight=False)


def print_json(answer: Any) -> None:
    """Write one JSON value to standard output: views of the service, or what is made of them."""
    from rarefind.service.showing.views import as_plain

    plain = as_plain(answer)
    sys.stdout.write(json.dumps(plain, ensure_ascii=False, allow_nan=False) + "\n")


def counted(number: int, thing: str, things: str | None = None) -> str:
    """Write how many there are of something.

    >>> counted(1, "label"), counted(2000, "class", "classes")
    ('1 label', '2,000 classes')
    """
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def ordinal(number: int) -> str:
    """Write which of several something is.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    teen = number // 10 % 10 == 1
    return f"{number:,}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(0 if teen else number % 10, 'th') }"


def grid(
    titles: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[str] = ()
) -> Table:
    """Lay out a plain table; the columns named in ``right`` are numbers."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in titles:
        number = title in right
        table.add_column(
            title, justify="right" if number else "left", overflow="fold" if number else "ellipsis"
        )
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    return table


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
    left = TimeLeft()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), left)
    with Progress(*columns, console=messages, transient=True) as bar:
        task = bar.add_task("", visible=False)

        def show(step: Step) -> None:
            left.hear(step)
            late = time.monotonic() - began > after
            bar.update(
                task, description=step.task, completed=step.done, total=step.total, visible=late
            )

        # The first part of a long work may itself be long: the bar does not wait for its end.
        appear = threading.Timer(after, lambda: bar.update(task, visible=True))
        appear.daemon = True
        appear.start()
        try:
            with listen(show):
                yield
        finally:
            appear.cancel()
