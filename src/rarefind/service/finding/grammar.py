"""Queries, read by ourselves and never run: words, comparisons, and what was said.

``lamp`` is a word that some field holds, ``"two words"`` a phrase. ``amount > 1000`` compares a
column (``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``, and ``~`` for *holds*); ``"Amount due" = 3``
quotes a name with blanks; ``age < 5 days`` needs no quotes where the column is written so.
``class = fraud``, ``by = anna``, ``row < 100``, ``labelled``, ``unlabelled``, ``skipped`` and
``disputed`` speak of answers; a column of such a name is quoted.
``and`` is understood between two conditions, ``or``, ``not`` and parentheses do as they say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rarefind.service.finding.tokens import QueryError, QueryToken, tokens

Sign = Literal["=", "!=", "<", "<=", ">", ">=", "~"]
State = Literal["labelled", "unlabelled", "skipped", "disputed"]

_STATES: dict[str, State] = {
    "labelled": "labelled", "labeled": "labelled",
    "unlabelled": "unlabelled", "unlabeled": "unlabelled",
    "skipped": "skipped", "disputed": "disputed",
}  # fmt: skip
"""Bare words that speak of answers, as people write them."""

_DEEPEST = 40
"""Parentheses and nots inside each other: nobody reads more."""


@dataclass(frozen=True)
class Word:
    """Some field holds this text."""

    text: str


@dataclass(frozen=True)
class InState:
    """What was said of the record."""

    state: State


@dataclass(frozen=True)
class Compared:
    """A column, or, where the name was not quoted, ``class``, ``by`` or ``row``, and a value."""

    name: QueryToken
    sign: Sign
    value: QueryToken


@dataclass(frozen=True)
class Not:
    """The opposite."""

    of: Query


@dataclass(frozen=True)
class All:
    """Every one of these."""

    of: tuple[Query, ...]


@dataclass(frozen=True)
class Some:
    """At least one of these."""

    of: tuple[Query, ...]


Query = Word | InState | Compared | Not | All | Some

_MOST_WORDS = 4
"""Words of a value without quotation marks: 2 days 3 hours."""


def parse(query: str, is_value: Callable[[str, str], bool] = lambda name, text: False) -> Query:
    """Read a query; an empty one means every record.

    ``is_value`` tells whether a text of several words, such as ``5 days``, is a value of a column.

    >>> parse("lamp or not unlabelled")
    Some(of=(Word(text='lamp'), Not(of=InState(state='unlabelled'))))
    """
    reader = _Reader(query, is_value)
    if reader.next() is None:
        return All(())
    found = reader.some(0)
    left = reader.next()
    if left is not None:
        raise QueryError(
            f"The ) at character {left.at} of the query closes nothing: take it out, or put "
            "a ( before it."
        )
    return found


class _Reader:
    """Reads the tokens of a query one after another."""

    def __init__(self, query: str, is_value: Callable[[str, str], bool]) -> None:
        self._tokens, self._place = tokens(query), 0
        self._is_value = is_value

    def next(self) -> QueryToken | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _take(self) -> QueryToken:
        self._place += 1
        return self._tokens[self._place - 1]

    def some(self, depth: int) -> Query:
        parts = [self._all(depth)]
        while (token := self.next()) is not None and token.plain == "or":
            self._take()
            parts.append(self._all(depth))
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def _all(self, depth: int) -> Query:
        parts = [self._one(depth)]
        while (token := self.next()) is not None and token.plain != "or" and not _is(token, ")"):
            if token.plain == "and":
                self._take()
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _one(self, depth: int) -> Query:
        token = self.next()
        if token is None or token.plain in ("and", "or") or _is(token, ")"):
            raise self._expected("a word or a comparison such as amount > 1000", token)
        if depth > _DEEPEST:
            raise QueryError(
                f"The query goes too deep at character {token.at}: {_DEEPEST} parentheses inside "
                "each other are understood."
            )
        self._take()
        if token.plain == "not":
            return Not(self._one(depth + 1))
        if _is(token, "("):
            return self._inside(token, depth)
        if token.kind == "sign":
            raise QueryError(
                f"The {token.text} at character {token.at} of the query compares nothing: write "
                f"the name of a column before it, as in amount {token.text} 1000."
            )
        following = self.next()
        if following is not None and following.kind == "sign" and following.text not in "()":
            return self._comparison(token)
        if token.plain in _STATES:
            return InState(_STATES[token.plain])
        return Word(token.text)

    def _inside(self, opening: QueryToken, depth: int) -> Query:
        found = self.some(depth + 1)
        if self.next() is None:
            raise QueryError(
                f"The ( at character {opening.at} of the query is never closed: put a ) behind "
                "what belongs together."
            )
        self._take()
        return found

    def _comparison(self, name: QueryToken) -> Compared:
        sign = self._take()
        value = self.next()
        if value is None or value.kind == "sign":
            raise self._expected(f"a value after {name.text} {sign.text}", value)
        return Compared(name, sign.text, self._value(name))  # type: ignore[arg-type]

    def _value(self, name: QueryToken) -> QueryToken:
        """Take a value: as many words as the column has in a cell, or one."""
        first = self._place
        words = []
        for token in self._tokens[first : first + _MOST_WORDS]:
            if token.kind != "word":
                break
            words.append(token.text)
        for number in range(len(words), 1, -1):
            if self._is_value(name.text, " ".join(words[:number])):
                self._place += number
                return QueryToken("phrase", " ".join(words[:number]), self._tokens[first].at)
        return self._take()

    def _expected(self, what: str, token: QueryToken | None) -> QueryError:
        if token is None:
            last = self._tokens[-1]
            end = last.at + len(last.text) + (2 if last.kind == "phrase" else 0)
            return QueryError(f"The query ends at character {end}, where {what} was expected.")
        hint = ' A word that is meant as such stands in quotation marks: "or".'
        return QueryError(
            f"The query has {token.text} at character {token.at}, where {what} was expected."
            + (hint if token.kind == "word" else "")
        )


def _is(token: QueryToken, sign: str) -> bool:
    return token.kind == "sign" and token.text == sign
