"""The words, signs and quoted phrases of a query, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from rarefind.core.errors import ParameterError

LONGEST_QUERY = 1000
"""Characters: a long question, and no text."""

_TOKEN = re.compile(
    r"""\s*(?:(?P<phrase>"[^"]*")|(?P<sign><=|>=|!=|[=<>~()])|(?P<word>[^\s"=<>~!()]+|!))"""
)
"""A phrase, a sign or a word, with the blanks before it."""


@dataclass(frozen=True)
class QueryToken:
    """A piece of a query; ``at`` is its first character, counted from 1."""

    kind: Literal["word", "phrase", "sign"]
    text: str
    at: int

    @property
    def plain(self) -> str:
        """The text of a bare word in small letters, for words that mean something; else empty."""
        return self.text.casefold() if self.kind == "word" else ""


class QueryError(ParameterError):
    """A query that cannot be read; the sentence names the place."""


def tokens(query: str) -> list[QueryToken]:
    """Take a query apart.

    >>> [each.text for each in tokens('amount>=10 "New York"')]
    ['amount', '>=', '10', 'New York']
    """
    if len(query) > LONGEST_QUERY:
        raise QueryError(
            f"A query may have {LONGEST_QUERY} characters. Got {len(query)}: shorten it."
        )
    found: list[QueryToken] = []
    place, end = 0, len(query.rstrip())
    while place < end:
        match = _TOKEN.match(query, place)
        if match is None:
            at = place + len(query[place:]) - len(query[place:].lstrip()) + 1
            raise QueryError(
                f'The quotation mark at character {at} of the query has no partner: put another " '
                "behind the phrase."
            )
        place = match.end()
        kind: Any = match.lastgroup
        text = match[kind][1:-1] if kind == "phrase" else match[kind]
        found.append(QueryToken(kind, text, match.start(kind) + 1))
    return found
