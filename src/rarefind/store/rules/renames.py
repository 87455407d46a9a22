"""Classes that got another name: what every word said before is called since.

A class is merged into another by the same event: it takes the name of one that is there already.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from rarefind.core.errors import ParameterError


@dataclass(frozen=True)
class Rename:
    """One event of the kind ``rename``: all that was called ``old`` before it is ``new``."""

    seq: int
    old: str
    new: str


def rename_value(old: str, new: str) -> str:
    """Write the value of a ``rename`` event.

    >>> rename_value("frued", "fraud")
    '["frued", "fraud"]'
    """
    return json.dumps([old, new])


def read_rename(value: str | None) -> tuple[str, str]:
    """Read the value of a ``rename`` event: the old name and the new."""
    try:
        names = json.loads(value or "")
    except ValueError:
        names = None
    if not (isinstance(names, list) and len(names) == 2 and all(isinstance(n, str) for n in names)):
        raise ParameterError(
            f'The value of a rename must be a JSON list ["old", "new"]. Got {value!r} instead.'
        )
    return names[0], names[1]


class Renames:
    """The renames of a hunt that stand, in order.

    >>> renames = Renames()
    >>> renames.add(Rename(5, "frued", "fraud"))
    >>> renames.name("frued", 3), renames.name("frued", 7)
    ('fraud', 'frued')
    """

    def __init__(self) -> None:
        self._standing: list[Rename] = []

    def __bool__(self) -> bool:
        return bool(self._standing)

    def add(self, rename: Rename) -> None:
        """Take the next rename in."""
        self._standing.append(rename)

    def remove(self, seq: int) -> None:
        """Take the rename of that place back."""
        self._standing = [rename for rename in self._standing if rename.seq != seq]

    def name(self, label: str, seq: int) -> str:
        """Return what a class is called by now, of which the event ``seq`` spoke as ``label``."""
        for rename in self._standing:
            if rename.seq > seq and rename.old == label:
                label = rename.new
        return label
