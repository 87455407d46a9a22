"""Going through the tokens of a formula one by one, with errors that name the place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rarefind.core.errors import ParameterError
from rarefind.kernels.formulas.tokens import FormulaToken, tokens

_DEEPEST = 40
"""Parentheses in parentheses: nobody writes more, and Python's own stack ends at a thousand."""


class TokenReader:
    """The tokens of a formula, and where in them the reader is."""

    what = "kernel"

    def __init__(self, text: str) -> None:
        self._text = text
        self.tokens = tokens(text, self.error)
        self.place = 0
        self._depth = 0

    @property
    def now(self) -> FormulaToken:
        """The token that comes next."""
        return self.tokens[self.place]

    def next(self) -> FormulaToken:
        """Take the token that comes next."""
        token = self.now
        self.place += 1
        return token

    def takes(self, *signs: str) -> FormulaToken | None:
        """Take the next token if it is one of these signs."""
        token = self.now
        return self.next() if token.kind == "sign" and token.text in signs else None

    def expects(self, sign: str, after: str) -> None:
        """Take a sign that must come next."""
        if self.takes(sign) is None:
            raise self.error(self.now, f"expected {sign!r} {after}")

    def error(self, token: FormulaToken | int, what: str) -> ParameterError:
        """Make the error that says what is wrong at a token or character."""
        place = token if isinstance(token, int) else token.place
        shown = self._text if len(self._text) <= 80 else f"{self._text[:77]}..."
        return ParameterError(
            f"The {self.what} {shown!r} cannot be read: at character {place + 1}: {what}."
        )

    def deeper(self, read: Callable[[], Any]) -> Any:
        """Read what stands in parentheses."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self.error(self.now, f"parentheses are nested more than {_DEEPEST} deep")
        value = read()
        self._depth -= 1
        return value

    def list_until(self, closing: str) -> list[Any]:
        """Read numbers, words and lists up to a closing sign."""
        values: list[Any] = []
        while self.takes(closing) is None:
            if self.now.kind == "sign" and self.now.text not in ("[", "{", "-"):
                raise self.error(self.now, f"expected a number or a word, got {self.now.shown()}")
            values.append(self.plain_value())
            if not self.takes(","):
                self.expects(closing, "to close the list")
                break
        return values

    def mapping(self) -> dict[Any, Any]:
        """Read keys and values up to the closing brace; a key may be a pair in parentheses."""
        found: dict[Any, Any] = {}
        while self.takes("}") is None:
            start = self.now
            if self.takes("("):
                key: Any = tuple(self.deeper(lambda: self.list_until(")")))
            elif start.kind in ("number", "text", "name"):
                key = self.next().value
            else:
                raise self.error(start, f"expected a name and a value, got {start.shown()}")
            self.expects(":", f"and a value after {start.text}")
            try:
                known = key in found
            except TypeError:
                raise self.error(start, "a list names nothing; write a pair as (A, B)") from None
            if known:
                raise self.error(start, f"{start.text} is given twice")
            found[key] = self.plain_value()
            if not self.takes(","):
                self.expects("}", "to close the values")
                break
        return found

    def plain_value(self) -> Any:
        """Take a number, a word, a list or a mapping."""
        token = self.now
        if self.takes("["):
            return self.deeper(lambda: self.list_until("]"))
        if self.takes("{"):
            return self.deeper(self.mapping)
        if self.takes("-"):
            return -self.plain_number("after -")
        if token.kind in ("number", "text", "name"):
            return self.next().value
        raise self.error(token, f"expected a value, got {token.shown()}")

    def plain_number(self, where: str) -> Any:
        """Take a number that must come next."""
        if self.now.kind != "number":
            raise self.error(self.now, f"expected a number {where}")
        return self.next().value
