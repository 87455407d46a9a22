"""What to do about an error, as a value: each door words it with the names people give there."""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter

Door = Callable[[str, str], str | None]
"""Names an argument, with the value to give it if there is one; None if the door has no such."""


class Remedy:
    """A sentence with the names of arguments in it, as yet unsaid.

    Parameters
    ----------
    words
        The sentence, with arguments in braces, by the names they have in Python.
    values
        What to give them, where that is known.

    Examples
    --------
    >>> remedy = Remedy("Leave the column out with {leave_out}.", leave_out="zip")
    >>> remedy.worded(in_python)
    "Leave the column out with leave_out='zip'."
    >>> remedy.worded(lambda name, value: None) is None
    True
    """

    def __init__(self, words: str, **values: str) -> None:
        self.words, self.values = words, values

    def __repr__(self) -> str:
        return f"Remedy({self.words!r})"

    def worded(self, door: Door) -> str | None:
        """Say it to whoever came through a door; None if it cannot be done there."""
        said = ""
        for before, name, _, _ in Formatter().parse(self.words):
            said += before
            if name is not None:
                called = door(name, self.values.get(name, ""))
                if called is None:
                    return None
                said += called
        return said


def in_python(name: str, value: str) -> str:
    """Name an argument as it is written in Python.

    >>> in_python("kernel", "")
    'kernel='
    """
    return f"{name}={value!r}" if value else f"{name}="
