"""A task: a function of plain arguments, and what becomes of it on a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from rarefind.cluster.journal import Journal, Result, task_key

_FAN = 8
"""Results that are put together at a time."""

Outcome: TypeAlias = tuple[Result, int, int]
"""What a task gave, and how many results it and its parts found in the journal and wrote there."""


@dataclass(frozen=True)
class Task:
    """A function of plain arguments.

    Attributes
    ----------
    function, arguments
        What is done, and to what. With ``parts``, the results of these are the first argument.
    what
        What it works on, for people.
    made
        The file it writes, if it writes one.
    parts
        Tasks whose results it puts together.
    """

    function: Callable[..., Result]
    arguments: tuple[Any, ...]
    what: str
    made: str = ""
    parts: tuple[Task, ...] = ()

    @cached_property
    def key(self) -> str:
        """The name of the task, the same in every run."""
        parts = [part.key for part in self.parts]
        return task_key(self.function.__qualname__, [*self.arguments, *parts])

    def all(self) -> Iterator[Task]:
        """Yield the task and all that it is put together from, these first."""
        for part in self.parts:
            yield from part.all()
        yield self

    def known(self, journal: Journal) -> Result | None:
        """Return what it gave in an earlier run; None if a file is gone that it has written."""
        return known_result(journal, self.key, self.files)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files that it and its parts write."""
        return tuple(task.made for task in self.all() if task.made)


def together(
    merge: Callable[..., Result], tasks: Sequence[Task], arguments: tuple[Any, ...] = ()
) -> Task:
    """Make a task that puts the results of others together, a few at a time, as a tree.

    No process ever holds more than a few of them.
    """
    level = list(tasks)
    while len(level) > 1:
        level = [
            Task(merge, arguments, level[start].what, parts=tuple(level[start : start + _FAN]))
            for start in range(0, len(level), _FAN)
        ]
    return level[0]


@dataclass(frozen=True)
class Order:
    """A task as a worker gets it."""

    function: Callable[..., Result]
    arguments: tuple[Any, ...]
    key: str
    made: tuple[str, ...]
    journal: str

    @classmethod
    def of(cls, task: Task, journal: str) -> Order:
        """Write the order for a task; without a journal its result is not kept."""
        return cls(task.function, task.arguments, task.key if journal else "", task.files, journal)


def known_result(journal: Journal, key: str, made: tuple[str, ...]) -> Result | None:
    """Return what a task gave in an earlier run; None if a file it has written is gone."""
    return journal.read(key) if all(Path(file).exists() for file in made) else None


def carry_out(order: Order, parts: list[Outcome] | None) -> Outcome:
    """Do a task on a worker, unless the journal has its result; keep what it gives there."""
    found, written = 0, 0
    first: tuple[Any, ...] = ()
    if parts is not None:
        found, written = sum(part[1] for part in parts), sum(part[2] for part in parts)
        first = ([part[0] for part in parts],)
    journal = Journal(Path(order.journal)) if order.journal else None
    if journal is not None:
        known = known_result(journal, order.key, order.made)
        if known is not None:
            return known, found + 1, written
    result = order.function(*first, *order.arguments)
    if journal is not None:
        journal.write(order.key, result)
    return result, found, written + 1
