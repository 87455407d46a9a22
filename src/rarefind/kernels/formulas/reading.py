"""Kernels written as short formulas, read by our own small parser and never run as code.

``gap-weighted(length=3, decay=0.5) + 2*spectrum(4)``: names of kernels with their parameters in
parentheses, by position or by name; sums, products, positive multiples, whole powers (``**`` or
``^``) and parentheses; ``on(column, kernel)`` for a kernel on one column.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from rarefind.core.errors import ParameterError, RarefindError
from rarefind.core.names import unknown_name
from rarefind.core.params import BOOLEAN, Constraint, Number, OneOf
from rarefind.kernels.contract import A_KERNEL, Kernel
from rarefind.kernels.formulas.tokens import LONGEST, Token, tokens
from rarefind.kernels.formulas.writing import format_kernel
from rarefind.kernels.registry import registry

__all__ = ["format_kernel", "parse_kernel"]

_DEEPEST = 40
_WORDS = {"true": True, "false": False, "none": None}


def parse_kernel(specification: str) -> Kernel:
    """Read a kernel from its specification; errors name the place.

    >>> parse_kernel("gap-weighted(length=3, decay=0.5) + 2*spectrum(4)")
    Sum(left=GapWeighted(), right=Multiple(factor=2.0, kernel=Spectrum(length=4)))
    >>> parse_kernel("spectrum(length=)")
    Traceback (most recent call last):
    rarefind.core.errors.ParameterError: The kernel 'spectrum(length=)' cannot be read: at \
character 17: expected a whole number after length=.
    """
    if not isinstance(specification, str):
        raise ParameterError(
            f"The specification of a kernel must be text. Got {specification!r:.60} instead."
        )
    if len(specification) > LONGEST:
        raise ParameterError(
            f"The specification of a kernel may have {LONGEST} characters. Got "
            f"{len(specification)}."
        )
    return _Parser(specification).kernel()


class _Parser:
    """Recursive descent: a sum of products of powers of names, numbers and parentheses."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text, self._error)
        self._place = 0
        self._depth = 0

    def kernel(self) -> Kernel:
        """Read the whole specification."""
        if self._now.kind == "end":
            raise self._error(self._now, "expected a kernel, as in gaussian(width=2)")
        start = self._now
        value = self._sum()
        if self._now.kind != "end":
            raise self._error(self._now, f"did not expect {self._now.shown()}")
        return self._as_kernel(value, start)

    # ---- tokens ------------------------------------------------------------------------------

    @property
    def _now(self) -> Token:
        return self._tokens[self._place]

    def _next(self) -> Token:
        token = self._now
        self._place += 1
        return token

    def _takes(self, *signs: str) -> Token | None:
        token = self._now
        return self._next() if token.kind == "sign" and token.text in signs else None

    def _expects(self, sign: str, after: str) -> None:
        if self._takes(sign) is None:
            raise self._error(self._now, f"expected {sign!r} {after}")

    def _error(self, token: Token | int, what: str) -> ParameterError:
        place = token if isinstance(token, int) else token.place
        shown = self._text if len(self._text) <= 80 else f"{self._text[:77]}..."
        return ParameterError(
            f"The kernel {shown!r} cannot be read: at character {place + 1}: {what}."
        )

    def _deeper(self, read: Callable[[], Any]) -> Any:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error(self._now, f"parentheses are nested more than {_DEEPEST} deep")
        value = read()
        self._depth -= 1
        return value

    # ---- sums, products, powers --------------------------------------------------------------

    def _sum(self) -> Any:
        value = self._product()
        while sign := self._takes("+", "-"):
            if sign.text == "-":
                raise self._error(sign, "kernels cannot be subtracted, only added")
            value = self._joined(sign, value, self._product(), lambda a, b: a + b)
        return value

    def _product(self) -> Any:
        value = self._power()
        while sign := self._takes("*", "/"):
            other = self._power()
            if sign.text == "/":
                if isinstance(other, Kernel):
                    raise self._error(sign, "kernels cannot be divided by, only numbers can")
                if not other > 0:
                    raise self._error(sign, "expected a number above zero after /")
                value = self._joined(sign, value, other, lambda a, b: a / b)
            else:
                value = self._joined(sign, value, other, lambda a, b: a * b)
        return value

    def _power(self) -> Any:
        value = self._atom()
        while sign := self._takes("**", "^"):
            degree = self._now
            if degree.kind != "number" or not isinstance(degree.value, int):
                raise self._error(degree, f"expected a whole number after {sign.text}")
            self._next()
            if not isinstance(value, Kernel):
                raise self._error(sign, "only kernels are raised to a power")
            value = self._joined(sign, value, degree.value, lambda a, b: a**b)
        return value

    def _joined(self, sign: Token, left: Any, right: Any, join: Callable[[Any, Any], Any]) -> Any:
        try:
            return join(left, right)
        except RarefindError as problem:
            raise self._error(sign, str(problem).rstrip(".")) from None

    def _atom(self) -> Any:
        token = self._now
        if self._takes("("):
            value = self._deeper(self._sum)
            self._expects(")", f"to close the one at character {token.place + 1}")
            return value
        if token.kind == "number":
            return self._next().value
        if token.kind == "name":
            return self._named()
        what = "a kernel or a number" if self._place else "a kernel"
        raise self._error(token, f"expected {what}, got {token.shown()}")

    def _as_kernel(self, value: Any, start: Token) -> Kernel:
        if isinstance(value, Kernel):
            return value
        raise self._error(
            start, f"a number alone is no kernel; write constant({value:g}) for the same everywhere"
        )

    # ---- kernels by name ---------------------------------------------------------------------

    def _named(self) -> Kernel:
        token = self._next()
        kind = self._class(token)
        given: dict[str, Any] = {}
        if opening := self._takes("("):
            self._deeper(lambda: self._arguments(kind, given))
            self._expects(")", f"to close the one at character {opening.place + 1}")
        missing = [name for name, one in _parameters(kind).items() if _is_needed(one, given)]
        if missing:
            raise self._error(
                token, f"{token.text} needs {' and '.join(missing)}, as in {_example(token, kind)}"
            )
        kernel: Kernel = kind(**given)
        try:
            kernel._check()
        except RarefindError as problem:
            raise self._error(token, str(problem).rstrip(".")) from None
        return kernel

    def _class(self, token: Token) -> type[Kernel]:
        names = {_plain(name): name for name in registry.names()}
        name = names.get(_plain(token.text))
        if name is None:
            problem = unknown_name("kernel", token.text, sorted(names.values()))
            raise self._error(token, str(problem)[0].lower() + str(problem)[1:].rstrip("."))
        found: type[Kernel] = registry.get(name)
        return found

    def _arguments(self, kind: type[Kernel], given: dict[str, Any]) -> None:
        parameters = _parameters(kind)
        positional = [n for n, one in parameters.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
        named = False
        while not (self._now.kind == "sign" and self._now.text == ")"):
            start, name = self._now, self._keyword()
            named = named or name is not None
            if name is None:
                if named:
                    raise self._error(start, "a parameter without a name follows one with a name")
                if len(given) >= len(positional):
                    raise self._error(
                        start, f"{kind.__name__} takes {len(positional)} parameter(s) by position"
                    )
                name = positional[len(given)]
            elif name not in parameters:
                problem = unknown_name(f"parameter of {kind.__name__} called", name, parameters)
                raise self._error(start, str(problem)[0].lower() + str(problem)[1:].rstrip("."))
            if name in given:
                raise self._error(start, f"{name} is given twice")
            given[name] = self._value(kind, name, named=named)
            if not self._takes(","):
                break

    def _keyword(self) -> str | None:
        after = self._tokens[self._place + 1] if self._now.kind == "name" else None
        if after is None or after.kind != "sign" or after.text != "=":
            return None
        name = self._next().text
        self._next()
        return name

    def _value(self, kind: type[Kernel], name: str, *, named: bool) -> Any:
        allowed = tuple(kind._params.get(name, ()))
        token = self._now
        if name == "column":
            return self._column()
        if token.kind == "text":
            return self._next().value
        if self._takes("["):
            return self._deeper(lambda: self._list("]"))
        if self._takes("-"):
            return -self._plain_number(f"after - in {name}")
        if token.kind == "name" and not _calls(self._tokens[self._place + 1]):
            word = token.text
            if word.lower() in _WORDS:
                self._next()
                return _WORDS[word.lower()]
            if any(isinstance(one, OneOf) and word in one.options for one in allowed):
                return self._next().text
        if token.kind not in ("name", "number") and not (
            token.kind == "sign" and token.text == "("
        ):
            where = f"after {name}=" if named else f"for {name}"
            raise self._error(token, f"expected {_wanted(allowed)} {where}")
        if A_KERNEL not in allowed and token.kind == "name":
            where = f"after {name}=" if named else f"for {name}"
            raise self._error(token, f"expected {_wanted(allowed)} {where}, got {token.shown()}")
        if A_KERNEL not in allowed and self._takes("("):
            return tuple(self._deeper(lambda: self._list(")")))
        return self._sum()

    def _column(self) -> Any:
        token = self._now
        if self._takes("["):
            return self._deeper(lambda: self._list("]"))
        if token.kind in ("name", "text") or isinstance(token.value, int):
            return self._next().value
        raise self._error(token, f"expected the name of a column, got {token.shown()}")

    def _list(self, closing: str) -> list[Any]:
        values: list[Any] = []
        while self._takes(closing) is None:
            token = self._now
            if token.kind in ("number", "text", "name"):
                values.append(self._next().value)
            elif self._takes("["):
                values.append(self._deeper(lambda: self._list("]")))
            elif self._takes("-"):
                values.append(-self._plain_number("after -"))
            else:
                raise self._error(token, f"expected a number or a word, got {token.shown()}")
            if not self._takes(","):
                self._expects(closing, "to close the list")
                break
        return values

    def _plain_number(self, where: str) -> Any:
        if self._now.kind != "number":
            raise self._error(self._now, f"expected a number {where}")
        return self._next().value


def _plain(name: str) -> str:
    """Spell a name as GapWeighted, gap_weighted and gap-weighted have in common."""
    return name.lower().replace("-", "").replace("_", "")


def _calls(token: Token) -> bool:
    return token.kind == "sign" and token.text == "("


def _parameters(kind: type[Kernel]) -> dict[str, inspect.Parameter]:
    known = kind._get_param_names()
    parameters = inspect.signature(kind).parameters
    return {name: parameters[name] for name in parameters if name in known}


def _is_needed(parameter: inspect.Parameter, given: dict[str, Any]) -> bool:
    return parameter.default is parameter.empty and parameter.name not in given


def _example(token: Token, kind: type[Kernel]) -> str:
    return f"{token.text}({', '.join(_parameters(kind))})"


def _wanted(allowed: tuple[Constraint, ...]) -> str:
    if A_KERNEL in allowed:
        return "a kernel"
    if BOOLEAN in allowed:
        return "true or false"
    words = [str(one).partition(" in ")[0] for one in allowed if isinstance(one, Number | OneOf)]
    return " or ".join(words) or "a value"
