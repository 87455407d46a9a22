"""The signs, names and numbers a kernel's specification is made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rarefind.core.errors import ParameterError

LONGEST = 500_000
"""Characters that a specification may have: it may carry a table or a graph."""

_LONGEST_NAME = 200
"""Characters of a name or a number; nobody writes more."""

_LARGEST = 1e300
"""Above, squares and sums overflow; no kernel has use for such a number."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*(?:[-.][^\W\d]\w*)*)"
    r"|(?P<text>\"[^\"]*\"|'[^']*')"
    r"|(?P<sign>\*\*|[-+*/^(),=:{}\[\]]))"
)
"""A number, a name with dashes or points inside, a text in quotes, or one sign."""


@dataclass(frozen=True)
class FormulaToken:
    """One piece of a specification.

    Attributes
    ----------
    kind
        "number", "name", "text" (in quotes), "sign" or "end".
    text
        As it is written.
    place
        Where it begins, from zero.
    """

    kind: str
    text: str
    place: int

    @property
    def value(self) -> Any:
        """The number, or the text without its quotes."""
        if self.kind == "number":
            return int(self.text) if self.text.isdigit() else float(self.text)
        return self.text[1:-1] if self.kind == "text" else self.text

    def shown(self) -> str:
        """Name the piece in a message."""
        return "the end" if self.kind == "end" else f"{self.text!r:.60}"


def tokens(text: str, error: Callable[[int, str], ParameterError]) -> list[FormulaToken]:
    """Cut a specification into pieces.

    >>> [token.text for token in tokens("2*gap-weighted(3)", lambda place, what: None)]
    ['2', '*', 'gap-weighted', '(', '3', ')', '']
    """
    found: list[FormulaToken] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            start = place + len(text[place:]) - len(text[place:].lstrip())
            if text[start] in "\"'":
                raise error(start, "the quoted text never ends")
            raise error(start, f"{text[start]!r} has no meaning here")
        kind = str(match.lastgroup)
        if kind == "name" and len(match[kind]) > _LONGEST_NAME:
            raise error(match.start(kind), f"the name is longer than {_LONGEST_NAME} characters")
        if kind == "number" and float(match[kind]) > _LARGEST:
            raise error(match.start(kind), f"the number is larger than {_LARGEST:g}")
        found.append(FormulaToken(kind, match[kind], match.start(kind)))
        place = match.end()
    return [*found, FormulaToken("end", "", end)]
