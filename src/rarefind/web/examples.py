"""Examples that come along, written as files so that they are opened like anybody's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rarefind.core.names import unknown_name
from rarefind.records.examples import Example
from rarefind.web.uploads import Entry, Shelf


@dataclass(frozen=True)
class Shipped:
    """An example by name."""

    name: str
    about: str
    make: Callable[[], Example]


EXAMPLES: dict[str, Shipped] = {}


def write_example(shelf: Shelf, name: str) -> Entry:
    """Write an example of that name."""
    raise unknown_name("example", name, EXAMPLES)
